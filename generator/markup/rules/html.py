"""HTML, JATS and entities: a few tags give styles, paragraphs, lists and links; all others are words.

A tag or an entity enters; a style opens or closes, or words leave. A tag with an event handler or a style of its own
is shown whole, as the text that it is.
"""

import re

from generator.markup.building import Finish, code, link_to, styled
from generator.markup.clean import clean_unicode
from generator.markup.entities import unescape_entities
from generator.markup.links import is_followed, read_address
from generator.markup.state import State
from generator.markup.tree import Link, Words

_STYLES: dict[str, Finish] = {
    **{name: styled("emphasis") for name in ("i", "em", "italic")},
    **{name: styled("strong") for name in ("b", "strong", "bold")},
    **{name: styled("underline") for name in ("u", "underline")},
    **dict.fromkeys(("tt", "code", "monospace"), code),
    "sub": styled("subscript"),
    "inf": styled("subscript"),
    "sup": styled("superscript"),
    "sc": styled("smallcaps"),
}
_PARAGRAPHS = frozenset({"p", "sec", "title", "abstract", "disp-quote", "disp-formula"})
_LISTS = {"ul": False, "ol": True, "list": False}
_ITEMS = frozenset({"li", "list-item"})
_JATS_ONLY = frozenset({"sec", "title", "abstract", "disp-quote", "disp-formula", "list", "list-item"})
_INERT = re.compile(
    r"""(?:\s+(?!on[a-z]+\s*=|on[a-z]+[\s/]*\Z|style\s*=)[a-z][\w:.-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*+\s*/?""",
    re.IGNORECASE,
)
"""Attributes without event handlers and styles; a tag with others is shown, not read."""

_ATTRIBUTE = re.compile(r"""\s([a-z][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))""", re.IGNORECASE)
_ESCAPED_TAG = re.compile(r"&(?:amp;)?lt;(/?(?:sub|sup|i|b|em|strong|br|p)\s?/?)&(?:amp;)?gt;", re.IGNORECASE)
"""Exports of publishers' databases hold them."""

_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_ALTERNATIVE = re.compile(r"\s*(?:</?[a-z:-]+>\s*)*", re.IGNORECASE)
"""What may stand between a formula in TeX and the same in MathML."""

_NEAR = 500
"""How far apart the two may be, in characters."""

_TAG = re.compile(r"<[^<>]*>")
_NAME = re.compile(r"</?(jats:|mml:)?([a-z][a-z0-9-]*)", re.IGNORECASE)


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
    elif local in ("br", "break"):
        state.words("\n")
    elif local in ("tex-math", "math"):
        _jats_formula(state, source, tex=local == "tex-math", closing=closing)
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


def _jats_formula(state: State, source: str, *, tex: bool, closing: bool) -> None:
    """Read a publisher's formula: its TeX, without the document around it; its MathML only where there is no TeX."""
    end = -1 if closing else state.find(f"</{source[1:].split('>')[0].split()[0]}>")
    if end < 0:
        if not closing:
            state.words(source)
        return
    content = state.text[state.at : end]
    if tex:
        body = _DOCUMENT.search(content)
        formula = (body[1] if body else content).strip().strip("$").strip()
        state.nested(f"${formula}$")
        state.formula_end = end
    elif not _repeats_formula(state, state.at - len(source)):
        state.words(" ".join(_TAG.sub("", content).split()))
    state.at = state.text.index(">", end) + 1


def _repeats_formula(state: State, start: int) -> bool:
    """Return whether only tags stand between a formula in TeX and this place: the same in MathML follows."""
    near = 0 <= state.formula_end < start <= state.formula_end + _NEAR
    return near and _ALTERNATIVE.fullmatch(state.text, state.formula_end, start) is not None


def _pair(state: State, name: str, source: str, finish: Finish, *, closing: bool) -> None:
    kind = f"<{name}>"
    if not closing:
        state.push(kind, source, finish)
        return
    depth = state.opened(kind)
    if depth is None:
        state.words(source)
        return
    inner = state.stack[depth + 1 :]
    if not all(frame.kind.startswith("<") for frame in inner):
        state.close(depth)
        return
    # Tags that are closed in the wrong order, as in <b>a <i>b</b> c</i>, go on behind it.
    for _ in range(len(inner) + 1):
        state.close(len(state.stack) - 1)
    for frame in inner:
        state.push(frame.kind, frame.opener, frame.finish)


def _anchor(state: State, source: str, attributes: str, *, closing: bool) -> None:
    url = "" if closing else read_address(_attribute(attributes, "href"))
    if not closing and not is_followed(url):
        state.words(source)
    else:
        _pair(state, "a", source, link_to(url), closing=closing)


def _image(state: State, source: str, attributes: str) -> None:
    url = read_address(_attribute(attributes, "src"))
    if is_followed(url):
        words = clean_unicode(unescape_entities(_attribute(attributes, "alt")))[0].strip()
        state.add(Link(url, (Words(words or url),)))
    else:
        state.words(source)


def _attribute(attributes: str, name: str) -> str:
    for found, *values in _ATTRIBUTE.findall(attributes):
        if found.lower() == name:
            return "".join(values)
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
