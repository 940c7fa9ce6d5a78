"""The Python-Markdown extension ``papershelf``: TeX between dollars becomes MathML.

So a page shows its formulas under any builder that uses Python-Markdown, plain ``mkdocs build`` included. A dollar
after a backslash is a dollar; TeX that math-core refuses stays as it was written.
"""

import re
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

from generator.markup.formula import to_mathml

_DISPLAY = r"\$\$((?:\\.|[^\\$])+)\$\$"
_INLINE = r"(?<![\\$])\$(?![\s$])((?:\\.|[^\\$])*(?:\\.|[^\\$\s]))\$(?!\$)"
_PRIORITY = 185
"""After code spans (190), before backslash escapes (180), which would take TeX apart."""


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


class PapershelfExtension(Extension):
    """Shows ``$…$`` and ``$$…$$`` as MathML, and ``\\$`` as a dollar."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        """Register the formulas with ``md``."""
        if "$" not in md.ESCAPED_CHARS:
            # A list of the class's own; assigning leaves other Markdown objects alone.
            md.ESCAPED_CHARS = [*md.ESCAPED_CHARS, "$"]
        md.inlinePatterns.register(_MathProcessor(_DISPLAY, md, display=True), "papershelf-display", _PRIORITY + 1)
        md.inlinePatterns.register(_MathProcessor(_INLINE, md, display=False), "papershelf-inline", _PRIORITY)


def makeExtension(**options: Any) -> PapershelfExtension:  # noqa: N802 - the name Python-Markdown looks for
    """Return the extension, so that its module's name can be used in place of ``papershelf``."""
    return PapershelfExtension(**options)
