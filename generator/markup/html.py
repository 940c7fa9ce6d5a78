"""The HTML view of the inline tree.

Nodes enter; HTML leaves, through the gate. It is what a page rendered from the Markdown view shows of the text.
"""

from html import escape

from generator.markup.bidi import reads_from_right, right_to_left_runs
from generator.markup.formula import to_mathml
from generator.markup.gate import sanitize
from generator.markup.links import quote_address
from generator.markup.tree import (
    STYLE_TAGS,
    BrokenFormula,
    Code,
    Formula,
    Items,
    Link,
    MarkupText,
    Node,
    Styled,
    Words,
    blocks,
    plain_text,
)


def to_html(text: MarkupText) -> str:
    """Return the text as HTML: ``<p>`` for paragraphs, ``<ul>`` and ``<ol>`` for lists, ``<math>`` for formulas."""
    return sanitize("".join(_block(block) for block in blocks(text.nodes)))


def _block(nodes: tuple[Node, ...]) -> str:
    match nodes:
        case (Items(ordered, items),):
            name = "ol" if ordered else "ul"
            return f"<{name}>" + "".join(f"<li>{_line(item)}</li>" for item in items) + f"</{name}>"
        case _:
            shown = _line(nodes)
            return f"<p>{shown}</p>" if shown.strip() else ""


def _line(nodes: tuple[Node, ...]) -> str:
    return _view(nodes, isolate=not reads_from_right(plain_text(nodes))).strip()


def _view(nodes: tuple[Node, ...], *, isolate: bool) -> str:
    parts: list[str] = []
    for node in nodes:
        match node:
            case Words(text):
                for piece, from_right in right_to_left_runs(text):
                    shown = escape(piece, quote=False).replace("\n", "<br>")
                    parts.append(f"<bdi>{shown}</bdi>" if from_right and isolate else shown)
            case Code(text):
                parts.append(f"<code>{escape(text, quote=False)}</code>")
            case Formula(tex, display):
                parts.append(to_mathml(tex, display=display))
            case BrokenFormula(source, reason):
                shown = escape(" ".join(source.split()), quote=False)
                parts.append(f'<code class="shelf-broken" title="{escape(reason)}">{shown}</code>')
            case Styled(style, children):
                opener, closer = STYLE_TAGS[style]
                parts.append(f"{opener}{_view(children, isolate=isolate)}{closer}")
            case Link(url, children):
                parts.append(f'<a href="{escape(quote_address(url))}">{_view(children, isolate=isolate)}</a>')
    return "".join(parts)
