"""The command ``papershelf``.

Words of the command line enter; an exit code leaves: 0 done, 1 problems under ``--strict`` or faults found by
``check``, 2 wrong usage or nothing to read, 3 another build holds the lock.
"""

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from generator.problems import PapershelfError

if TYPE_CHECKING:
    from generator.project import BuildRequest

SAMPLE_FOLDER = Path(__file__).resolve().parent / "sample"
"""A dozen invented abstracts, to try Papershelf with."""

_FAULTS_SHOWN = 50


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parse(arguments)
    # Messages go where errors go, so that a command's output can be piped.
    console = Console(stderr=True, soft_wrap=True)
    try:
        return int(options.run(options, console))
    except PapershelfError as error:
        console.print(Text(f"papershelf: {error}", style="red"))
        return error.exit_code
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing is left to be said, at the exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # no place left, no right to write
        console.print(Text(f"papershelf: {error}", style="red"))
        return 2
    except KeyboardInterrupt:
        console.print("interrupted; the last good site is unchanged")
        return 130


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    options, others = parser.parse_known_args(arguments)
    # argparse takes the sources in one piece only, and calls those behind an option unknown.
    if others and ("sources" not in options or any(word.startswith("-") and word != "-" for word in others)):
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    if others:
        options.sources += others
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="papershelf",
        description="Turn a pile of research abstracts into a searchable site, on a host or straight from disk.",
        epilog="Options of a site live in mkdocs.yml under extra.papershelf.",
    )
    parser.add_argument("--version", action="version", version=f"papershelf {version('papershelf')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    new = commands.add_parser("new", help="make a folder, ready to build")
    new.add_argument("folder", metavar="DIR", type=Path)
    new.set_defaults(run=_new)

    config = _config_option()
    place = _place_options(config)
    sources = _source_options()
    building = _building_options(sources, place)
    make = commands.add_parser("build", parents=[building], help="make everything: pages, site, search, data")
    make.add_argument("--strict", action="store_true", help="exit with 1 when there were problems")
    make.add_argument("--report", metavar="FILE.json", type=Path, help="write counts, seconds and problems to a file")
    make.set_defaults(run=_build)

    preview = commands.add_parser("serve", parents=[building], help="build, then show a preview that follows changes")
    preview.add_argument("--port", type=int, default=8000, help="port of the preview (%(default)s)")
    preview.set_defaults(run=_serve)

    tags = commands.add_parser(
        "tags", parents=[sources, config], help="say which variants each tag joins, or why an abstract has its tags"
    )
    tags.add_argument("--of", metavar="PAPER", help="an abstract's id or its first words; without it, all tags")
    tags.set_defaults(run=_tags)

    check = commands.add_parser("check", parents=[place], help="judge a built site: links, search, outside requests")
    check.add_argument("--no-search", action="store_true", help="the site was built without a search index")
    check.set_defaults(run=_check)

    pack = commands.add_parser("pack", parents=[place], help="put a built site into one zip to carry away")
    pack.add_argument("--output", metavar="FILE.zip", type=Path, help="where (the site's name, in this folder)")
    pack.set_defaults(run=_pack)
    return parser


def _config_option() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--config", metavar="FILE", type=Path, default=Path("mkdocs.yml"), help="mkdocs.yml to use")
    return options


def _place_options(config: argparse.ArgumentParser) -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False, parents=[config])
    options.add_argument("--site-dir", metavar="DIR", type=Path, help="the site's folder (that of mkdocs.yml)")
    return options


def _source_options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument(
        "sources", metavar="SOURCE", nargs="*", help="file, folder or - for standard input (those of mkdocs.yml)"
    )
    options.add_argument("--sample", action="store_true", help="take the bundled sample instead")
    options.add_argument(
        "--jobs", type=_whole_number, default=os.cpu_count() or 1, help="processes to use (%(default)s)"
    )
    options.add_argument("--refresh-tags", action="store_true", help="choose the tags anew, ignoring the lock file")
    return options


def _building_options(sources: argparse.ArgumentParser, place: argparse.ArgumentParser) -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False, parents=[sources, place])
    options.add_argument("--no-search", action="store_true", help="leave the search index out")
    options.add_argument("--no-cache", action="store_true", help="do all work again, also what would come out the same")
    return options


def _whole_number(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found {word!r}")
    return int(word)


def _new(options: argparse.Namespace, console: Console) -> int:
    from generator.new import make_project

    make_project(options.folder)
    console.print(Text(f"made {options.folder}; next: cd {shlex.quote(str(options.folder))} && papershelf build FILE"))
    return 0


def _build(options: argparse.Namespace, console: Console) -> int:
    from generator.build import build
    from generator.files import write_whole
    from generator.report import Report, print_problems, print_tag_changes
    from generator.sources import NothingToReadError

    request = _building_request(options)
    try:
        report = build(request, console)
    except NothingToReadError as error:
        if options.report:  # else an older report would be taken for this build's
            failed = Report({}, {}, 0.0, (), error.problems)
            write_whole(options.report.absolute(), failed.as_json())
        raise
    if options.report:
        write_whole(options.report.absolute(), report.as_json())
    print_problems(report.problems, console)
    if report.tag_changes is not None:
        print_tag_changes(report.tag_changes, console)
    counts = report.counts
    console.print(
        f"{_counted(counts['abstracts'], 'abstract')}, {_counted(counts['tags'], 'tag')}, "
        f"{_counted(counts['pages'], 'page')} "
        f"in {report.seconds['total']:.1f} s",
        highlight=False,
    )
    if counts["duplicates"] or counts["without_abstract"]:
        console.print(
            f"{counts['records']:,} records were read: {counts['duplicates']:,} held a text again, "
            f"{counts['without_abstract']:,} held no abstract",
            highlight=False,
        )
    print(_site_dir(options) / "index.html")
    return 1 if options.strict and report.problems else 0


def _tags(options: argparse.Namespace, console: Console) -> int:
    from generator.pipeline import explain_tags

    for line in explain_tags(_request(options), console, options.of):
        print(line)
    return 0


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s" if number else f"no {noun}s"


def _serve(options: argparse.Namespace, console: Console) -> int:
    from generator.serve import serve

    serve(_building_request(options), console, port=options.port)
    return 0


def _check(options: argparse.Namespace, console: Console) -> int:
    from generator.check import check_site
    from generator.settings import read_settings
    from generator.site_config import read_site_config

    search = not options.no_search
    if search and (options.site_dir is None or options.config.is_file()):
        search = read_settings(read_site_config(options.config).options, file=options.config.name).search
    checked = check_site(_built_site(options), search=search)
    for fault in checked.faults[:_FAULTS_SHOWN]:
        print(fault)
    if len(checked.faults) > _FAULTS_SHOWN:
        print(f"… and {len(checked.faults) - _FAULTS_SHOWN:,} more")
    console.print(
        f"{_counted(checked.pages, 'page')}, {_counted(checked.links, 'link')}, "
        f"{_counted(checked.entries, 'abstract')}: {_counted(len(checked.faults), 'fault')}",
        highlight=False,
    )
    return 1 if checked.faults else 0


def _pack(options: argparse.Namespace, console: Console) -> int:
    from generator.pack import pack_site
    from generator.site_config import read_site_config
    from generator.slugs import slugify_name

    target = options.output
    if target is None:
        name = read_site_config(options.config).site_name if options.config.is_file() else _site_dir(options).name
        target = Path(slugify_name(name, fallback="site") + ".zip")
    count = pack_site(_built_site(options), target.absolute())
    console.print(f"{count:,} files; unpack it anywhere and open index.html", highlight=False)
    print(target)
    return 0


def _site_dir(options: argparse.Namespace) -> Path:
    from generator.site_config import read_site_config

    return Path(options.site_dir) if options.site_dir else read_site_config(options.config).site_dir


def _built_site(options: argparse.Namespace) -> Path:
    """Return the site's folder, brought back first when a build was killed while it exchanged the sites."""
    from generator.build_lock import build_lock
    from generator.exchange import needs_repair, repair_site
    from generator.files import STATE_FOLDER

    site_dir = _site_dir(options).resolve()
    if needs_repair(site_dir) and options.config.is_file():
        with build_lock(options.config.resolve().parent / STATE_FOLDER, "papershelf"):
            repair_site(site_dir)
    return site_dir


def _building_request(options: argparse.Namespace) -> "BuildRequest":
    return replace(
        _request(options), site_dir=options.site_dir, search=not options.no_search, cache=not options.no_cache
    )


def _request(options: argparse.Namespace) -> "BuildRequest":
    from generator.project import BuildRequest

    sources = tuple(options.sources)
    if options.sample:
        if sources:
            raise SampleAndSourcesError(sources)
        sources = (str(SAMPLE_FOLDER),)
    return BuildRequest(
        config_file=options.config,
        sources=sources,
        jobs=options.jobs,
        search=False,
        refresh_tags=options.refresh_tags,
    )


class SampleAndSourcesError(PapershelfError):
    """Both the sample and sources were asked for."""

    def __init__(self, sources: Sequence[str]) -> None:
        super().__init__(f"--sample builds the bundled abstracts; leave it out to build {', '.join(sources)}")


if __name__ == "__main__":
    sys.exit(main())
