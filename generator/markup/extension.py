"""The Python-Markdown extension ``papershelf``: TeX between dollars becomes MathML, and generated pages pass the gate.

So a page shows its formulas under any builder that uses Python-Markdown, plain ``mkdocs build`` included. A dollar
after a backslash is a dollar; TeX that math-core refuses stays as it was written. Pages that somebody wrote by hand may
hold any HTML; those with the gate's mark hold strangers' texts, so they are cleaned.
"""

import html
import re
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from generator.markup.formula import to_mathml
from generator.markup.gate import GATE_MARK, sanitize
from generator.markup.reading import read_unicode

_DISPLAY = r"\$\$((?:\\.|[^\\$\x02])+)\$\$"
_INLINE = r"(?<![\\$])\$(?![\s$])((?:\\.|[^\\$\x02])*(?:\\.|[^\\$\s\x02]))\$(?!\$)"
"""Without U+0002, which Python-Markdown puts in the place of what it has read already, such as code."""

_INLINE_PRIORITY = 185
"""After code spans (190), before backslash escapes (180), which would take TeX apart."""

_BEFORE_TOC = 6
"""The table of contents comes at 5."""

_FIRST = 1_000
_LAST = -1_000
_STASHED = re.compile("\x02[a-z]+:[0-9]+\x03")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


class _Formulas(InlineProcessor):
    """Puts MathML into the place of TeX, and remembers which TeX it was."""

    def __init__(self, pattern: str, md: Markdown, tex_of: dict[str, str], *, display: bool) -> None:
        super().__init__(pattern, md)
        self.tex_of = tex_of
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
        place = self.md.htmlStash.store(mathml)
        self.tex_of[place] = m[0]
        return place, m.start(0), m.end(0)


class _FormulasAsText(Treeprocessor):
    """Gives attributes their TeX back, and headings a label in which each formula stands once, by its reading."""

    def __init__(self, md: Markdown, tex_of: dict[str, str]) -> None:
        super().__init__(md)
        self.tex_of = tex_of

    def run(self, root: Element) -> None:
        if not self.tex_of:
            return
        for element in root.iter():
            for name, value in element.attrib.items():
                if "\x02" in value:
                    element.set(name, _STASHED.sub(lambda place: self.tex_of.get(place[0], place[0]), value))
            if element.tag in _HEADINGS and "toc" in self.md.treeprocessors:
                text = "".join(element.itertext())
                if any(place in text for place in _STASHED.findall(text)):
                    element.set("data-toc-label", _STASHED.sub(self._reading, html.unescape(text)))
        self.tex_of.clear()

    def _reading(self, place: re.Match[str]) -> str:
        tex = self.tex_of.get(place[0])
        return read_unicode(tex.strip("$")) if tex else ""


class _TakeMark(Preprocessor):
    """Takes the gate's mark out of a page, wherever another extension has moved it to."""

    found = False

    def run(self, lines: list[str]) -> list[str]:
        marks = [line for line in lines if line.strip("\ufeff \t") == GATE_MARK]
        self.found = bool(marks)
        return [line for line in lines if line not in marks] if marks else lines


class _Clean(Postprocessor):
    """Cleans what a marked page has become."""

    def __init__(self, md: Markdown, mark: _TakeMark) -> None:
        super().__init__(md)
        self.mark = mark

    def run(self, text: str) -> str:
        return sanitize(text) if self.mark.found else text


class PapershelfExtension(Extension):
    """Shows ``$…$`` and ``$$…$$`` as MathML, ``\\$`` as a dollar, and cleans generated pages."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - the library's name
        """Register the formulas and the gate with ``md``."""
        md.ESCAPED_CHARS.append("$")
        # A formula alone in its paragraph is a paragraph all the same.
        md.block_level_elements = [element for element in md.block_level_elements if element != "math"]
        tex_of: dict[str, str] = {}
        for number, (pattern, display) in enumerate(((_INLINE, False), (_DISPLAY, True))):
            formulas = _Formulas(pattern, md, tex_of, display=display)
            md.inlinePatterns.register(formulas, f"papershelf-{number}", _INLINE_PRIORITY + number)
        md.treeprocessors.register(_FormulasAsText(md, tex_of), "papershelf-text", _BEFORE_TOC)
        mark = _TakeMark(md)
        md.preprocessors.register(mark, "papershelf-mark", _FIRST)
        md.postprocessors.register(_Clean(md, mark), "papershelf-gate", _LAST)


def makeExtension(**options: Any) -> PapershelfExtension:  # noqa: N802 - the name Python-Markdown looks for
    """Return the extension, so that its module's name can be used in place of ``papershelf``."""
    return PapershelfExtension(**options)
