"""The last gate: whatever the tree and the templates made, only harmless HTML leaves.

HTML enters; the same HTML leaves, without elements, attributes and addresses that are not on the lists here. The lists
allow no more than the content security policy of a page does.
"""

import re

import nh3

GATE_MARK = "<!-- papershelf: this page passes the gate -->"
"""The first line of a generated page's Markdown: what it renders to is cleaned, also by plain MkDocs."""

_ELEMENTS = frozenset({
    "a", "abbr", "address", "article", "aside", "b", "bdi", "blockquote", "br", "caption", "cite", "code", "col",
    "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1",
    "h2", "h3", "h4", "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "mark", "nav", "ol", "p", "pre",
    "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup", "table",
    "tbody", "td", "tfoot", "th", "thead", "time", "tr", "u", "ul", "var", "wbr",
})  # fmt: skip
_MATHML = frozenset({
    "annotation", "math", "menclose", "merror", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
    "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
    "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "semantics",
})  # fmt: skip
_MATHML_ATTRIBUTES = frozenset({
    "accent", "accentunder", "columnalign", "columnlines", "columnspacing", "columnspan", "depth", "display",
    "displaystyle", "fence", "form", "frame", "height", "largeop", "linethickness", "lspace", "mathvariant",
    "maxsize", "minsize", "movablelimits", "notation", "rowlines", "rowspacing", "rowspan", "rspace", "scriptlevel",
    "separator", "stretchy", "symmetric", "voffset", "width",
})  # fmt: skip
_ATTRIBUTES: dict[str, set[str]] = {
    "*": {"class", "id", "title", "lang", "dir", "role", "tabindex"},
    "a": {"href", "rel", "hreflang"},
    "img": {"src", "alt", "width", "height", "loading"},
    "ol": {"start", "reversed", "type"},
    "li": {"value"},
    "td": {"colspan", "rowspan", "headers"},
    "th": {"colspan", "rowspan", "headers", "scope"},
    "time": {"datetime"},
    "details": {"open"},
    "del": {"datetime"},
    "ins": {"datetime"},
    "annotation": {"encoding"},
    **{element: set(_MATHML_ATTRIBUTES) for element in _MATHML - {"annotation", "semantics"}},
    "math": {"alttext", *_MATHML_ATTRIBUTES},
}


_OWN_IMAGE = re.compile(r"(?!//)[\w./%-]+")


def _own_images(element: str, attribute: str, value: str) -> str | None:
    """Take the source from an image that is not the site's own."""
    return None if element == "img" and attribute == "src" and not _OWN_IMAGE.fullmatch(value) else value


_CLEANER = nh3.Cleaner(
    tags=set(_ELEMENTS | _MATHML),
    attributes=_ATTRIBUTES,
    attribute_filter=_own_images,
    generic_attribute_prefixes={"aria-", "data-"},
    url_schemes={"http", "https", "mailto"},
    link_rel=None,
    strip_comments=True,
)


_STAND_INS = (("&amp;", "\ufdd0"), ("&lt;", "\ufdd1"), ("&gt;", "\ufdd2"))
"""What stands for an entity while nh3 reads: its time grows with the square of their number in a row, and a megabyte
of ``<`` would take 13 s. They are non-characters, and turn into entities again, never into what those stand for."""


def sanitize(html: str) -> str:
    """Return ``html`` with only what is on the lists, in a canonical form; doing so twice changes nothing more."""
    for entity, stand_in in _STAND_INS:
        html = html.replace(entity, stand_in)
    html = _CLEANER.clean(html)
    for entity, stand_in in _STAND_INS:
        html = html.replace(stand_in, entity)
    return html
