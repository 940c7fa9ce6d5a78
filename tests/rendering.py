"""Renders the Markdown view as MkDocs does, and reads the result back as text."""

import html
import re

import markdown
from markdown.extensions import Extension

from generator.markup.extension import PapershelfExtension
from generator.markup.formula import read_formula
from generator.markup.tree import Formula


def render(text: str) -> str:
    """Return the HTML that a page with this Markdown shows."""
    extensions: list[str | Extension] = ["attr_list", "md_in_html", PapershelfExtension()]
    return str(markdown.Markdown(extensions=extensions).convert(text))


def text_of(rendered: str) -> str:
    """Return the words of some HTML, each formula in its Unicode reading, white space folded."""

    def reading(match: re.Match[str]) -> str:
        annotation = re.search(r"<annotation[^>]*>(.*?)</annotation>", match[0], re.DOTALL)
        assert annotation
        formula = read_formula(html.unescape(annotation[1]), display=False, source="")
        assert isinstance(formula, Formula)
        return html.escape(formula.reading, quote=False)

    rendered = re.sub(r"<math.*?</math>", reading, rendered, flags=re.DOTALL)
    rendered = re.sub(r"<br\s*/?>|</p>", " ", rendered)
    return " ".join(html.unescape(re.sub(r"<[^>]+>|<!--.*?-->", "", rendered)).split())
