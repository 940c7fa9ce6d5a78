"""Enters: a heading or a file's name.

Leaves: the name of the collection that it stands for, the same for all its usual spellings.
"""

import re
from collections.abc import Iterable

from generator.marks import normalize

# What lists of papers are called. These words say that a list follows, not which one, so `ICML 2025 Papers` and
# `ICML 2025 论文列表` are both the collection `ICML 2025`. Longer phrases stand before the words they end in.
_LIST_WORDS = (
    r"(?:list|collection|set)\s+of\s+(?:all\s+)?(?:accepted\s+)?(?:papers?|abstracts?)",
    r"(?:all\s+)?(?:accepted\s+|selected\s+)?(?:conference\s+)?(?:papers?|articles?)(?:\s+(?:list|abstracts?|titles?))?",
    r"accepted\s+(?:papers?|abstracts?|list)",
    r"(?:paper\s+)?abstracts?",
    r"(?:conference\s+|workshop\s+)?proceedings",
    r"reading\s+list",
    r"(?:全部|所有)?(?:录用|接收|接受|入选|收录)?(?:会议)?论文(?:摘要)?(?:列表|清单|目录|集|合集|汇总)?",
    r"(?:全部|所有)?(?:錄用|接收|接受|入選|收錄)?(?:會議)?論文(?:摘要)?(?:列表|清單|目錄|集|合集|彙總)?",
    r"摘要(?:列表|清单|清單|集|汇总|彙總)?",
    r"論文(?:一覧|リスト|要旨)|採択論文(?:一覧|リスト)?|要旨集?|予稿集",
    r"논문\s*(?:목록|초록|집)?|초록(?:집)?",
)
# A word written with letters must stand by itself (`Wallpapers` is no list); CJK words follow without a blank.
_LIST_TAIL = re.compile(
    rf"(?:^|(?<=[\s\W_])|(?=[^\x00-\u02ff]))(?:{'|'.join(_LIST_WORDS)})\s*(?:[:：]\s*)?$", re.IGNORECASE
)
# What is left at the end when such a word goes: `ICML 2025 - Papers`, `ICML 2025 (papers)`.
_LOOSE_TAIL = re.compile(r"[\s\-–—:：|,，·•/(\[（【_]+$")
_OPENING = {")": "(", "]": "[", "）": "（", "】": "【"}


def clean_collection_name(name: str) -> str:
    """Return ``name`` without the words that only say that a list follows, and with single blanks.

    A name that consists of nothing else stays as it is: ``Abstracts`` is a name, if a poor one.
    """
    whole = " ".join(name.split())
    rest, tail = whole, whole
    if whole and whole[-1] in _OPENING:
        head, opening, inner = whole[:-1].rpartition(_OPENING[whole[-1]])
        if opening and _LIST_TAIL.fullmatch(inner.strip()):
            rest = tail = head
    shorter = _LIST_TAIL.sub("", tail)
    if shorter != tail:
        rest = shorter
    rest = _LOOSE_TAIL.sub("", rest) if rest != whole else rest
    return rest or whole


def names_a_list(name: str) -> bool:
    """Return whether ``name`` ends in a word such as ``Papers`` that announces a list."""
    return clean_collection_name(name) != " ".join(name.split()) or bool(_LIST_TAIL.fullmatch(name.strip()))


def collection_from_file_name(name: str) -> str:
    """Return the collection's name that the bare file name ``name`` (without ``.gz``) tells.

    Underscores are blanks; hyphens are blanks too unless there are others, so that ``covid-19_papers`` is
    ``covid-19``.
    """
    if name == "-":
        return "Standard input"
    stem = name.rpartition(".")[0] or name
    spaced = stem.replace("_", " ")
    if " " not in spaced.strip():
        spaced = spaced.replace("-", " ")
    return clean_collection_name(spaced) or stem


def collection_key(name: str) -> str:
    """Return what two spellings of one collection's name have in common: letters' case, blanks and hyphens go."""
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    return re.sub(r"[\s\-‐‑–_]+", "", folded) or name


def first_spellings(names: Iterable[str]) -> dict[str, str]:
    """Return, for each of ``names``, the spelling of the same collection that comes first among them."""
    first: dict[str, str] = {}
    return {name: first.setdefault(collection_key(name), name) for name in names}
