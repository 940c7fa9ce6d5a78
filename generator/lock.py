"""``papershelf.lock.json``: what must not move from one build to the next.

A build reads it as an input and extends it: the site's id, the address and first build date of each paper, and the tag
vocabulary with its weights. It stands beside mkdocs.yml, is committed by the user, and keeps one line an entry so that
a diff can be read.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.model import Tag
from generator.problems import PapershelfError

LOCK_NAME = "papershelf.lock.json"
_VERSION = 2
_VERSION_OF_OLD_TAGS = 1
"""Its tags had one weight, by which they can't be given any more, so they are chosen anew; addresses stay."""
_TAG_FIELDS = ("label", "slug", "topic", "terms", "prior", "bar", "scale")
_RARE_TAG_FIELDS = ("generation", "ruled")
"""Written only where they say something."""
_LARGEST = 1_000_000
"""What no number of a tag exceeds; beyond, sums would not fit into a machine's words."""
_NAME = re.compile(r"(?!\d+\Z|index\Z)[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII | re.IGNORECASE)
"""Names of pages that every file system takes and that no list's own page has: those are numbers and ``index``."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a paper's page is, for good."""

    stem: str
    """File name in ``abstracts/`` without suffix."""
    added: str
    """The day of its first build, ``YYYY-MM-DD``."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The content of a lock file."""

    addresses: Mapping[str, Address] = field(default_factory=dict)
    """By paper id; papers that are gone keep their entry, so that they get their address back."""
    vocabulary: tuple[Tag, ...] = ()
    site: str = ""
    """The site's id, 12 hex digits, by which browsers know what they keep of it; empty when none was chosen yet."""


def choose_site_id(site_name: str, paper_ids: Iterable[str]) -> str:
    """Return an id for a site at its first build: 12 hex digits."""
    return hashlib.sha256("\n".join([site_name, *sorted(paper_ids)]).encode()).hexdigest()[:12]


class LockFileError(PapershelfError):
    """The lock file cannot be read."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(
            f"{path}: {reason}. It keeps the addresses of your pages: take it from version control again, "
            "or remove it to let all addresses and tags be chosen anew."
        )


def read_lock(path: Path) -> Lock:
    """Return what the lock file holds; an empty lock when there is no file.

    Raises:
        LockFileError: it is no lock file, or one of a newer version.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Lock()
    except (OSError, ValueError, RecursionError) as error:
        raise LockFileError(path, f"expected a lock file in JSON, without marks of a merge ({error})") from error
    if not isinstance(content, dict) or content.get("version") not in (_VERSION, _VERSION_OF_OLD_TAGS):
        found = content.get("version") if isinstance(content, dict) else type(content).__name__
        raise LockFileError(path, f"expected a lock file of version {_VERSION}, found {found!r}")
    try:
        lock = Lock(
            addresses={id_: _address(entry) for id_, entry in content["addresses"].items()},
            vocabulary=tuple(_tag(entry) for entry in content["tags"]) if content["version"] == _VERSION else (),
            site=_site_id(content.get("site", "")),
        )
        _check_different([address.stem for address in lock.addresses.values()])
        _check_different([tag.slug for tag in lock.vocabulary])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise LockFileError(path, f"an entry has not the expected form ({error})") from error
    return lock


def dump_lock(lock: Lock) -> bytes:
    """Return the bytes of a lock file: sorted, one entry a line."""
    addresses = ",\n".join(
        f"    {_json(id_)}: {_json([address.stem, address.added])}" for id_, address in sorted(lock.addresses.items())
    )
    tags = ",\n".join(f"    {_json(_entry(tag))}" for tag in sorted(lock.vocabulary, key=lambda tag: tag.slug))
    head = f'"version": {_VERSION},\n  "site": {_json(lock.site)}'
    text = f'{{\n  {head},\n  "addresses": {{\n{addresses}\n  }},\n  "tags": [\n{tags}\n  ]\n}}\n'
    return text.encode()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _address(entry: Any) -> Address:
    stem, added = entry
    if not isinstance(added, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", added, re.ASCII):
        raise ValueError(f"expected a day like 2031-05-17, found {added!r}")
    return Address(_name(stem), added)


def _site_id(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"(?:[0-9a-f]{12})?", value):
        raise ValueError(f"expected 12 hex digits for 'site', found {value!r}")
    return value


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"expected a file name without suffix, found {value!r}")
    return value


def _check_different(names: list[str]) -> None:
    """Raise when two entries have one page, as after a merge by hand."""
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            raise ValueError(f"{name!r} stands twice")
        seen.add(name.lower())


def _entry(tag: Tag) -> dict[str, object]:
    rare = {name: value for name in _RARE_TAG_FIELDS if (value := getattr(tag, name))}
    return {**{name: getattr(tag, name) for name in _TAG_FIELDS}, **rare, "context": dict(tag.context)}


def _tag(entry: Any) -> Tag:
    label = str(entry["label"])
    label.encode()  # refuses halves of surrogate pairs, which no page can hold
    return Tag(
        label=label,
        slug=_name(entry["slug"]),
        topic=_name(entry["topic"]) if entry["topic"] else "",
        terms=tuple(str(term) for term in entry["terms"]),
        prior=_whole(entry, "prior"),
        bar=_whole(entry, "bar"),
        scale=_whole(entry, "scale"),
        context=tuple((str(word), _whole(entry["context"], word)) for word in entry["context"]),
        generation=_whole(entry, "generation", least=0) if "generation" in entry else 0,
        ruled=bool(entry.get("ruled")),
    )


def _whole(entry: Any, name: str, least: int = -_LARGEST) -> int:
    value = entry[name]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _LARGEST:
        raise TypeError(f"expected a whole number from {least:,} to {_LARGEST:,} for {name!r}, found {value!r}")
    return value
