"""HTML, JATS and entities: a few tags give styles, paragraphs, lists and links; all others are words.

A tag or an entity enters; a style opens or closes, or words leave. A tag with an event handler or a style of its own
is shown whole, as the text that it is.
"""

import re

from generator.markup.clean import clean_unicode
from generator.markup.entities import unescape_entities
from generator.markup.rules.markdown import unescaped
from generator.markup.state import Finish, State, code, link_to, styled
from generator.markup.tree import Link, MarkupText, Words

_STYLES: dict[str, Finish] = {
    **{name: styled("emphasis") for name in ("i", "em", "italic")},
    **{name: styled("strong") for name in ("b", "strong", "bold")},
    **{name: styled("underline") for name in ("u", "underline")},
    **dict.fromkeys(("tt", "code", "monospace"), code),
    "sub": styled("subscript"),
    "sup": styled("superscript"),
    "sc": styled("smallcaps"),
}
_PARAGRAPHS = frozenset({"p", "sec", "title", "abstract", "disp-quote", "disp-formula"})
_LISTS = {"ul": False, "ol": True, "list": False}
_ITEMS = frozenset({"li", "list-item"})
_JATS_ONLY = frozenset({"sec", "title", "abstract", "disp-quote", "disp-formula", "list", "list-item"})
_INERT = re.compile(
    r"""(?:\s+(?!on|style)[a-z][\w:.-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*+\s*/?""", re.IGNORECASE
)
"""Attributes without event handlers and styles; a tag with others is shown, not read."""

_ATTRIBUTE = re.compile(r"""\s([a-z][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))""", re.IGNORECASE)
_ESCAPED_TAG = re.compile(r"&(?:amp;)?lt;(/?(?:sub|sup|i|b|em|strong|br|p)\s?/?)&(?:amp;)?gt;", re.IGNORECASE)
"""Exports of publishers' databases hold them."""

_TAG = re.compile(r"<[^<>]*>")
_NAME = re.compile(r"</?(jats:)?([a-z][a-z0-9-]*)", re.IGNORECASE)
_REMOTE = re.compile(r"https?://[^\s\"'<>]+\Z|mailto:[^\s\"'<>]+\Z", re.IGNORECASE)


def tag(state: State, match: re.Match[str]) -> None:
    """Read a tag of HTML or JATS."""
    source = match[0]
    name = _NAME.match(source)
    assert name  # noqa: S101 - the token has one
    jats, local = bool(name[1]), name[2].lower()
    closing = source.startswith("</")
    attributes = source[name.end() : -1]
    if (
        (closing and local in state.shown_tags)
        or not _INERT.fullmatch(attributes)
        or (not jats and local in _JATS_ONLY)
    ):
        state.words(source)
        if not closing:
            state.shown_tags.add(local)
    elif local == "br":
        state.words("\n")
    elif local in _STYLES:
        _pair(state, name[0].lstrip("</").lower(), source, _STYLES[local], closing=closing)
    elif local in _PARAGRAPHS:
        state.words("\n\n")
    elif local in _LISTS:
        if closing:
            state.close_list()
        else:
            ordered = _LISTS[local] or 'list-type="order"' in source
            state.open_list(source, ordered=ordered)
    elif local in _ITEMS:
        if closing:
            state.close_item()
        elif not state.open_item():
            state.words("\n")
    elif local == "a":
        _anchor(state, source, attributes, closing=closing)
    elif local == "img":
        _image(state, source, attributes)
    elif not jats:
        state.words(source)


def _pair(state: State, name: str, source: str, finish: Finish, *, closing: bool) -> None:
    kind = f"<{name}>"
    if not closing:
        state.push(kind, source, finish)
        return
    depth = state.opened(kind)
    if depth is None:
        state.words(source)
    else:
        state.close(depth)


def _anchor(state: State, source: str, attributes: str, *, closing: bool) -> None:
    url = "" if closing else _attribute(attributes, "href")
    if not closing and not _REMOTE.match(url):
        state.words(source)
    else:
        _pair(state, "a", source, lambda nodes: link_to(url)(MarkupText(nodes).unlinked().nodes), closing=closing)


def _image(state: State, source: str, attributes: str) -> None:
    url = _attribute(attributes, "src")
    if _REMOTE.match(url):
        words = clean_unicode(_attribute(attributes, "alt"))[0].strip()
        state.add(Link(url, (Words(words or url),)))
    else:
        state.words(source)


def _attribute(attributes: str, name: str) -> str:
    for found, *values in _ATTRIBUTE.findall(attributes):
        if found.lower() == name:
            return unescaped("".join(values)).strip()
    return ""


def entity(state: State, match: re.Match[str]) -> None:
    """Read an entity, escaped once or twice, as its character; escaped tags of a few kinds as tags."""
    if escaped := _ESCAPED_TAG.match(state.text, match.start()):
        found = _TAG.match(f"<{escaped[1]}>")
        assert found  # noqa: S101 - made to match
        state.at = escaped.end()
        tag(state, found)
        return
    text, faults = clean_unicode(unescape_entities(match[0]))
    state.words(text)
    state.faults.extend(faults)
