"""Renders the Markdown view as MkDocs does, and reads the result back as text."""

import html
import re

import markdown
from markdown.extensions import Extension

from generator.markup.extension import PapershelfExtension
from generator.markup.gate import GATE_MARK


def render(text: str) -> str:
    """Return the HTML that a page with this Markdown shows."""
    extensions: list[str | Extension] = ["attr_list", "md_in_html", PapershelfExtension()]
    return str(markdown.Markdown(extensions=extensions).convert(text))


def render_generated(text: str) -> str:
    """Return the HTML that a generated page with this Markdown shows: it passes the gate."""
    return render(f"{GATE_MARK}\n\n{text}")


def canonical(shown: str) -> str:
    """Return HTML without the white space between and around blocks and line breaks, which nobody sees."""
    return re.sub(r"\s*(<br>|</?(?:ul|ol|li|p)>)\s*", r"\1", shown.strip())


def text_of(rendered: str) -> str:
    """Return the words of some HTML, each formula in its Unicode reading, white space folded."""

    def reading(match: re.Match[str]) -> str:
        return match[1]

    rendered = re.sub(r'<math alttext="([^"]*)".*?</math>', reading, rendered, flags=re.DOTALL)
    rendered = re.sub(r"<br\s*/?>|</?(?:p|ul|ol|li)>", " ", rendered)
    return " ".join(html.unescape(re.sub(r"<[^>]+>|<!--.*?-->", "", rendered)).split())
