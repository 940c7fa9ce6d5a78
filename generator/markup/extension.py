"""The Python-Markdown extension ``papershelf``: TeX between dollars becomes MathML, and generated pages pass the gate.

So a page shows its formulas under any builder that uses Python-Markdown, plain ``mkdocs build`` included. A dollar
after a backslash is a dollar; TeX that math-core refuses stays as it was written. Pages that somebody wrote by hand may
hold any HTML; those that begin with the gate's mark hold strangers' texts, so they are cleaned.
"""

import re
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from generator.markup.formula import to_mathml
from generator.markup.gate import GATE_MARK, sanitize

_DISPLAY = r"\$\$((?:\\.|[^\\$])+)\$\$"
_INLINE = r"(?<![\\$])\$(?![\s$])((?:\\.|[^\\$])*(?:\\.|[^\\$\s]))\$(?!\$)"
_INLINE_PRIORITY = 185
"""After code spans (190), before backslash escapes (180), which would take TeX apart."""

_FIRST = 1_000
_LAST = -1_000


class _MathProcessor(InlineProcessor):
    def __init__(self, pattern: str, md: Markdown, *, display: bool) -> None:
        super().__init__(pattern, md)
        self.display = display

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the library's name
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002
    ) -> tuple[str | Element | None, int | None, int | None]:
        try:
            mathml = to_mathml(m[1], display=self.display)
        except ValueError:
            return None, None, None
        return self.md.htmlStash.store(mathml), m.start(0), m.end(0)


class _Gate(Preprocessor, Postprocessor):
    """Takes the gate's mark from the first line, and then cleans what the page has become."""

    marked = False

    def run(self, given: Any) -> Any:  # lines before the conversion, HTML after it
        if isinstance(given, str):
            return sanitize(given) if self.marked else given
        first = next((number for number, line in enumerate(given) if line.strip()), None)
        self.marked = first is not None and given[first].strip() == GATE_MARK
        return given[first + 1 :] if self.marked and first is not None else given


class PapershelfExtension(Extension):
    """Shows ``$…$`` and ``$$…$$`` as MathML, ``\\$`` as a dollar, and cleans generated pages."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        """Register the formulas and the gate with ``md``."""
        if "$" not in md.ESCAPED_CHARS:
            # A list of the class's own; assigning leaves other Markdown objects alone.
            md.ESCAPED_CHARS = [*md.ESCAPED_CHARS, "$"]
        # A formula alone in its paragraph is a paragraph all the same.
        md.block_level_elements = [element for element in md.block_level_elements if element != "math"]
        md.inlinePatterns.register(
            _MathProcessor(_DISPLAY, md, display=True), "papershelf-display", _INLINE_PRIORITY + 1
        )
        md.inlinePatterns.register(_MathProcessor(_INLINE, md, display=False), "papershelf-inline", _INLINE_PRIORITY)
        gate = _Gate(md)
        md.preprocessors.register(gate, "papershelf-gate", _FIRST)
        md.postprocessors.register(gate, "papershelf-gate", _LAST)


def makeExtension(**options: Any) -> PapershelfExtension:  # noqa: N802 - the name Python-Markdown looks for
    """Return the extension, so that its module's name can be used in place of ``papershelf``."""
    return PapershelfExtension(**options)
