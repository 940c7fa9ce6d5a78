"""Markdown: emphasis, code, links, images and addresses.

A mark enters; a style opens or closes, or code and links leave. What could be a name or a sum stays text.
"""

import re
from urllib.parse import quote

from generator.markup.building import link_to, styled
from generator.markup.links import is_followed, read_address
from generator.markup.state import State
from generator.markup.tree import Code, Link, Words

_LINK = re.compile(
    r"!?\[(?P<words>(?:[^\[\]\n\\]|\\.|\[[^\[\]\n]*\]|\n(?!\s*\n))*+)\]"
    r"\(\s*<?(?P<url>(?:https?://|mailto:)[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?"
    r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\s*\)",
    re.IGNORECASE,
)
_MORE_BRACKETS = re.compile(r"\[+(?=\[)")
_DUNDER = re.compile(r"__[^\W_]++(?:_[^\W_]++)*+__(?!\w)")
_QUOTATION = re.compile(r"(?=\S)[^`'\n]{1,200}(?:(?<=\w)'(?=\w)[^`'\n]{1,200}){0,5}(?<=\S)(?=['’](?![\w'’]))")
_ENTITY_AT_END = re.compile(r"&#?\w+;\Z")
_TRAILING = ".,;:!?'"
_CLOSERS = {")": "(", "]": "["}
_DOI = re.compile(r"doi:\s?(10\.\d{4,9}/[^\s<>\"“”‘’{}|\\^`$]+)", re.IGNORECASE)
_ARXIV = re.compile(r"arxiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)(?![\w/])", re.IGNORECASE)
_AFTER_WORD_UNDERSCORE = re.compile(r"[^\W_]_\Z")
_OPENING = "([{<\"'“‘«—–-/*,.:;!?~"
"""What may stand before emphasis by underscores."""

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def backtick(state: State, match: re.Match[str]) -> None:
    """Read code, or one of TeX's quotes."""
    mark = match[0]
    end = state.find(mark)
    inner = state.text[state.at : end] if end >= 0 else ""
    is_code = bool(inner.strip()) and "\n\n" not in inner and not state.text.startswith("`", end + len(mark))
    if mark == "``" and not (is_code and "''" not in inner and '"' not in inner):
        state.words("“")
        state.open_quotes += 1
    elif (
        is_code
        and len(mark) <= 3
        and (len(mark) > 1 or inner == inner.strip())
        and not re.match(r"\w[^`']*'(?!\w)", inner)
    ):
        state.add(Code(" ".join(inner.split())))
        state.at = end + len(mark)
    elif mark == "`" and not state.before(match).isalnum() and (quotation := _QUOTATION.match(state.text, state.at)):
        state.words("‘")
        state.quote_ends.add(quotation.end())
    else:
        state.words(mark)


def star(state: State, match: re.Match[str]) -> None:
    """Read ``*``, ``**`` or ``***`` as the end of what they opened, else as an opener, else as stars."""
    run, before, after = match[0], state.before(match), state.after()
    if len(run) > 3:
        state.words(run)
        return
    kinds = ["**", "*"] if len(run) == 3 else [run]
    if not before.isspace():
        opened = sorted(
            ((depth, kind) for kind in kinds if (depth := state.opened(kind)) and state.holds_something(depth)),
            reverse=True,
        )
        for _, kind in opened:  # the innermost first
            depth = _innermost(state, kind)
            if depth is not None:
                state.close(depth)
                kinds.remove(kind)
        if opened:
            state.words("".join(kinds))
            return
    for kind in kinds:
        inside_word = (
            (
                before.isalnum()
                or before in ")]^"
                or _AFTER_WORD_UNDERSCORE.search(state.text, max(0, match.start() - 2), match.start())
            )
            and not _CJK.match(before)
            and (kind == "*" or (after.isdigit() and before.isalnum()))
        )
        if after.isspace() or inside_word or after in ".,;:)!?":
            state.words(kind)
        else:
            state.push(kind, kind, styled("strong" if kind == "**" else "emphasis"))


def _innermost(state: State, kind: str) -> int | None:
    """Return the depth of an open kind, exchanged with the one inside it where ``***`` has opened both."""
    depth = state.opened(kind)
    if depth is not None and depth == len(state.stack) - 2 and not state.stack[depth].nodes:
        outer, inner = state.stack[depth], state.stack[depth + 1]
        if inner.kind in ("*", "**"):
            outer.kind, inner.kind = inner.kind, outer.kind
            outer.opener, inner.opener = inner.opener, outer.opener
            outer.finish, inner.finish = inner.finish, outer.finish
            return depth + 1
    return depth


def underscore(state: State, match: re.Match[str]) -> None:
    """Read ``_`` or ``__`` as emphasis, never inside a word or as part of a name such as ``__init__``."""
    run, before, after = match[0], state.before(match), state.after()
    if len(run) == 2 and before != "*" and (dunder := _DUNDER.match(state.text, match.start())):
        state.words(dunder[0])
        state.at = dunder.end()
        return
    depth = state.opened(run) if len(run) <= 2 else None
    if depth is not None and not before.isspace() and not after.isalnum() and state.holds_something(depth):
        state.close(depth)
    elif len(run) <= 2 and (before.isspace() or before in _OPENING) and not after.isspace() and after not in ".,;:)!?":
        state.push(run, run, styled("strong" if len(run) == 2 else "emphasis"))
    else:
        state.words(run)


def link(state: State, match: re.Match[str]) -> None:
    """Read ``[words](address)``, and ``![words](address)``: a remote image is never loaded, so it is a link."""
    found = _LINK.match(state.text, match.start())
    if not found:
        run = state.skip(_MORE_BRACKETS)
        state.words(match[0] + (run[0] if run else ""))
        return
    url = read_address(found["url"])
    words = found["words"].strip() or url
    if words == url:
        state.add(Link(url, (Words(url),)))
    else:
        state.nested(words, link_to(url))
    state.at = found.end()


def url(state: State, match: re.Match[str]) -> None:
    """Read a bare address; the full stop behind it is the sentence's."""
    marks = "".join(mark for mark in "*_" if state.opened(mark) or state.opened(mark * 2))
    text = _without_trailing(match[0], _TRAILING + marks)
    state.at = match.start() + len(text)
    address = read_address(text)
    if len(address) <= len("https://"):
        state.words(text)
    else:
        state.add(Link(address, (Words(address),)))


def autolink(state: State, match: re.Match[str]) -> None:
    """Read an address in angle brackets."""
    address = read_address(match[0][1:-1])
    state.add(Link(address if is_followed(address) else f"mailto:{address}", (Words(address),)))


def identifier(state: State, match: re.Match[str]) -> None:
    """Read ``doi:10.…`` and ``arXiv:…`` as links."""
    start = match.start()
    if doi := _DOI.match(state.text, start):
        name = _without_trailing(doi[0], _TRAILING)
        url = "https://doi.org/" + quote(name[doi.start(1) - start :], safe="/:;()._-~")
    elif arxiv := _ARXIV.match(state.text, start):
        name = arxiv[0]
        url = "https://arxiv.org/abs/" + arxiv[1]
    else:
        state.words(match[0])
        return
    state.add(Link(url, (Words(name),)))
    state.at = start + len(name)


def _without_trailing(text: str, trailing: str) -> str:
    """Return an address without what belongs to the sentence around it."""
    more = {closer: text.count(closer) - text.count(opener) for closer, opener in _CLOSERS.items()}
    end = len(text)
    while end:
        last = text[end - 1]
        if not (last in trailing or more.get(last, 0) > 0) or _ENTITY_AT_END.search(text, max(0, end - 10), end):
            break
        if last in more:
            more[last] -= 1
        end -= 2 if text[end - 2 : end - 1] == "\\" else 1
    return text[:end]
