"""One build from outside: who may build, whether anything has to be built, and what is remembered of it.

A request enters; the report of the build leaves. The stages themselves are in `pipeline`, which is loaded only when
it is needed: that takes longer than to find that nothing has changed.
"""

import time

from rich.console import Console

from generator.build_lock import build_lock
from generator.exchange import check_replaceable, repair_site
from generator.files import SITE_MARK, empty_scratch
from generator.last_build import LastBuild, inputs_of, is_repeatable, outputs_of, read_last_build, write_last_build
from generator.progress import peak_rss_mb
from generator.project import BuildRequest, Project, open_project, today
from generator.report import Report


def build(request: BuildRequest, console: Console) -> Report:
    """Build the site unless it is what it would become, and return what was done.

    Raises:
        PapershelfError: nothing was built; the last good site stays.
    """
    started = time.perf_counter()
    project = open_project(request)
    with build_lock(project.state_dir, "papershelf build"):
        repair_site(project.site_dir)
        empty_scratch(project.scratch)
        check_replaceable(project.site_dir, SITE_MARK, (project.site.docs_dir.resolve(), project.state_dir))
        date = today()
        if not is_repeatable(project, request):
            return _build(project, request, date, console)
        last = read_last_build(project) if request.cache else None
        if last is not None and last.outputs != outputs_of(project, last.own_pages):
            last = None
        inputs = inputs_of(project, request, date, last.own_pages if last else None)
        if last is not None and last.inputs == inputs:
            console.print("nothing has changed since the last build", highlight=False)
            return last.as_report(time.perf_counter() - started, peak_rss_mb())
        report = _build(project, request, date, console)
        write_last_build(project, LastBuild.of(project, inputs, report))
        return report


def _build(project: Project, request: BuildRequest, date: str, console: Console) -> Report:
    from generator.pipeline import build_site

    return build_site(project, request, date, console)
