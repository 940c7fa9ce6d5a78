"""Enters: JSON lines, one object a line, or JSON as other tools write it: an array, or objects over several lines.

Leaves: one record an object; fields that Papershelf has no use for, or cannot use as they are, stay in ``extra``.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from generator.model import Json, Record, SourceRef
from generator.problems import Problem, shorten
from generator.sources.collection_names import clean_collection_name
from generator.sources.reader import LINE_LIMIT, NO_ABSTRACT, Candidate, ReadItem, Source

DEPTH_LIMIT = 100
"""Deepest nesting of lists and objects that is read; later stages walk through them and may not run out of stack."""

WHOLE_LIMIT = 256 * 2**20
"""Longest file, in characters, that is read as a whole because its objects span lines."""

_LINE_SUFFIXES = frozenset({".jsonl", ".ndjson", ".jsonlines", ".jl"})
_JSON_START = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\]\"])")
_OBJECT_LINE = re.compile(r"^[ \t]*\{[ \t]*\".*\}[ \t]*$", re.MULTILINE)
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
# No blanks, controls, invisible marks or quotes; a host that starts with a letter or digit, or an IPv6 address.
_WEB_ADDRESS = re.compile(
    r"https?://(?:[^\W_]|\[[0-9a-f:.]+\])[^\s\x00-\x20\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff<>\"\\]*",
    re.IGNORECASE,
)
_YEARS = range(1000, 3000)

JsonObject: TypeAlias = dict[str, Json]


class JsonLinesReader:
    """Reads JSON lines, and JSON that holds the same objects in an array or over several lines."""

    name = "jsonl"

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the text starts like a JSON object or array, or is named as JSON lines."""
        return candidate.suffix in _LINE_SUFFIXES or _JSON_START.match(candidate.head) is not None

    def read(self, source: Source) -> Iterator[ReadItem]:
        """Yield one record an object.

        ``record`` counts the lines that are not blank, bad ones too, so that a number means the same line whatever
        the others hold; in an array it counts the items.
        """
        values = _parse_lines(source) if _is_by_lines(source.candidate) else _parse_whole(source)
        for number, value in values:
            if isinstance(value, Problem):
                yield value
            else:
                yield from _ObjectReader(source, number, value.surrogates, value.notes).read(value.value)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """One parsed value and what was odd about its JSON."""

    value: Json
    surrogates: bool
    """True when the text escapes surrogates, so that single ones may be in the strings."""
    notes: tuple[tuple[str, str], ...]
    """Message and measure of each fault that the value was read in spite of."""


class _BadJsonError(ValueError):
    """A line that holds no usable JSON; the message says what was expected and found."""


class _Decoder:
    """Parses JSON and notes what the standard leaves open or forbids but other tools write."""

    def __init__(self) -> None:
        self._notes: list[tuple[str, str]] = []
        self._json = json.JSONDecoder(
            object_pairs_hook=self._make_object,
            parse_constant=self._replace_constant,
            parse_float=self._parse_float,
            strict=False,  # Raw control characters in strings (tabs above all) are common, and their meaning is plain.
        )

    def parse(self, text: str, start: int = 0) -> tuple[_Parsed, int]:
        """Return the value that starts at ``start`` and the index after it.

        Raises:
            _BadJsonError: there is no value, or one that would be trouble further on.
        """
        self._notes = []
        try:
            value, end = self._json.raw_decode(text, start)
        except json.JSONDecodeError as error:
            message = f"expected a JSON object, found a fault at character {error.pos - start + 1}: {error.msg}"
            raise _BadJsonError(message) from None
        except RecursionError:
            raise _BadJsonError(f"expected at most {DEPTH_LIMIT} levels of nesting, found more") from None
        except ValueError:
            # Python converts no more than 4,300 digits: https://docs.python.org/3/library/stdtypes.html#int-max-str-digits
            raise _BadJsonError("expected numbers of a sane length, found one of thousands of digits") from None
        openings = text.count("{", start, end) + text.count("[", start, end)
        if openings > DEPTH_LIMIT and _is_deeper_than(value, DEPTH_LIMIT):
            raise _BadJsonError(f"expected at most {DEPTH_LIMIT} levels of nesting, found more")
        surrogates = text.find("\\ud", start, end) >= 0 or text.find("\\uD", start, end) >= 0
        return _Parsed(value, surrogates, tuple(self._notes)), end

    def _make_object(self, pairs: list[tuple[str, Json]]) -> JsonObject:
        made = dict(pairs)
        if len(made) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            message = f"the field {shorten(twice, 40)!r} stands twice in one object"
            self._notes.append((message, "the last one was taken"))
        return made

    def _replace_constant(self, constant: str) -> None:
        self._notes.append((f"{constant} is no JSON value", "it was read as null"))

    def _parse_float(self, digits: str) -> float | None:
        number = float(digits)
        if math.isfinite(number):
            return number
        self._notes.append((f"the number {shorten(digits, 40)} is out of range", "it was read as null"))
        return None


def _is_deeper_than(value: Json, limit: int) -> bool:
    level: list[Json] = [value]
    for _ in range(limit + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, (list, dict))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _is_by_lines(candidate: Candidate) -> bool:
    # A file that is named as JSON lines, or that has a whole object on some line; otherwise, as in `[\n  {\n`, the
    # lines mean nothing. An array on one line doesn't match, nor does one whose items have a line each and commas.
    if candidate.suffix in _LINE_SUFFIXES:
        return True
    start = candidate.head.lstrip()
    if start.startswith("["):
        return False
    first_line, _, rest = start.partition("\n")
    try:
        _, end = _Decoder().parse(first_line)
    except _BadJsonError:
        # The head is cut, so a first line that fills it may well be whole.
        return not rest or _OBJECT_LINE.search(rest) is not None
    return not first_line[end:].strip()


def _bad_line(source: Source, number: int, message: str, line: str) -> Problem:
    fragment = shorten(_LONE_SURROGATES.sub("", line.strip()))
    return Problem("bad-line", message, "the line was skipped", source.file, number, fragment)


def _parse_lines(source: Source) -> Iterator[tuple[int, _Parsed | Problem]]:
    decoder = _Decoder()
    number = 0
    for line in source.lines():
        text = line.strip()
        if not text:
            continue
        number += 1
        if len(line) > LINE_LIMIT:
            yield number, _bad_line(source, number, f"expected at most {LINE_LIMIT:,} characters a line", text[:200])
            continue
        try:
            parsed, end = decoder.parse(text)
            if end < len(text):
                raise _BadJsonError(f"expected one JSON object, found more at character {end + 1}")
        except _BadJsonError as error:
            yield number, _bad_line(source, number, str(error), text)
            continue
        if not isinstance(parsed.value, dict):
            yield number, _bad_line(source, number, f"expected a JSON object, found {_kind_of(parsed.value)}", text)
            continue
        yield number, parsed


def _parse_whole(source: Source) -> Iterator[tuple[int, _Parsed | Problem]]:
    text = source.stream.read(WHOLE_LIMIT + 1)
    number, position = 0, _skip_blanks(text, 0)
    if len(text) > WHOLE_LIMIT:
        message = f"expected one JSON object a line in a file of more than {WHOLE_LIMIT:,} characters"
        yield 0, Problem("bad-file", message, "the file was skipped", source.file)
        return
    decoder = _Decoder()
    while position < len(text):
        try:
            parsed, end = decoder.parse(text, position)
        except _BadJsonError as error:
            line = text.count("\n", 0, position) + 1
            message = f"JSON that starts in line {line}: {error}"
            fragment = shorten(_LONE_SURROGATES.sub("", text[position : position + 200].strip()))
            done = "the rest of the file was skipped"
            yield number, Problem("bad-file", message, done, source.file, fragment=fragment)
            return
        for item in parsed.value if isinstance(parsed.value, list) else [parsed.value]:
            number += 1
            if isinstance(item, dict):
                yield number, _Parsed(item, parsed.surrogates, ())
            else:
                message = f"expected a JSON object, found {_kind_of(item)}"
                yield number, Problem("bad-line", message, "it was skipped", source.file, number)
        for message, done in parsed.notes:
            yield number, Problem("bad-value", message, done, source.file)
        position = _skip_blanks(text, end)


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\n\r\ufeff":
        position += 1
    return position


def _kind_of(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "an object"


def _is_blank(text: str) -> bool:
    # Zero-width and control characters show nothing, so a text of only them is blank, too.
    stripped = text.strip()
    if stripped and stripped[0].isprintable():
        return False
    return not any(char.isprintable() and not char.isspace() for char in stripped)


def _without_lone_surrogates(value: Json) -> Json:
    match value:
        case str():
            return _LONE_SURROGATES.sub("", value)
        case list():
            return [_without_lone_surrogates(item) for item in value]
        case dict():
            return {_LONE_SURROGATES.sub("", key): _without_lone_surrogates(item) for key, item in value.items()}
        case _:
            return value


@dataclass(slots=True)
class _ObjectReader:
    """Makes a record of one JSON object, collecting the problems on the way."""

    source: Source
    number: int
    surrogates: bool
    notes: tuple[tuple[str, str], ...]
    problems: list[Problem] = field(default_factory=list)
    extra: JsonObject = field(default_factory=dict)

    def read(self, value: Json) -> Iterator[ReadItem]:
        """Yield the problems of the object, then its record when there is an abstract."""
        fields = cast("JsonObject", value)
        for message, done in self.notes:
            self._report(message, done, None)
        if self.surrogates:
            cleaned = cast("JsonObject", _without_lone_surrogates(fields))
            if cleaned != fields:
                self._report("halves of surrogate pairs, which are no characters", "they were removed", None)
                fields = cleaned
        # Read in the file's order, so that `extra` has it, too.
        found: dict[str, Json] = {}
        for name, content in fields.items():
            if name in _FIELDS:
                if content is not None:
                    found[name] = content
            else:
                self.extra[name] = content
        abstract = self._text("abstract", found) or ""
        record = Record(
            source=SourceRef(self.source.file, self.number),
            collection=self._collection(found),
            abstract=abstract.strip(),
            title=self._text("title", found),
            source_id=self._text("id", found),
            authors=self._authors(found),
            year=self._year(found),
            keywords=self._keywords(found),
            url=self._url(found),
            extra=self.extra or None,
        )
        yield from self.problems
        if abstract:
            yield record
        else:
            yield Problem(
                kind=NO_ABSTRACT,
                message=f'expected text in the field "abstract", found none among the fields {_name_list(fields)}',
                done="the record was left out",
                file=self.source.file,
                record=self.number,
                fragment=shorten(record.title or record.source_id or "") or None,
            )

    def _report(self, message: str, done: str, fragment: Json) -> None:
        quoted = None if fragment is None else shorten(fragment if isinstance(fragment, str) else json.dumps(fragment))
        self.problems.append(Problem("bad-value", message, done, self.source.file, self.number, quoted or None))

    def _keep(self, name: str, value: Json, expected: str) -> None:
        self.extra[name] = value
        self._report(f'expected {expected} in the field "{name}"', "it is kept in the data only", value)

    def _text(self, name: str, found: Mapping[str, Json]) -> str | None:
        value = found.get(name)
        if isinstance(value, str):
            return None if _is_blank(value) else value.strip()
        if isinstance(value, int) and not isinstance(value, bool) and name != "abstract":
            return str(value)
        if value is not None:
            self._keep(name, value, "text")
        return None

    def _collection(self, found: Mapping[str, Json]) -> str:
        name = self._text("collection", found)
        return clean_collection_name(name) if name else self.source.collection

    def _year(self, found: Mapping[str, Json]) -> int | None:
        value = found.get("year")
        match value:
            case None:
                return None
            case str() if not value.strip():
                return None
            case str() if re.fullmatch(r"\s*[0-9]{4}\s*", value):
                year = int(value)
            case float() if value.is_integer():  # Tables with gaps in them hold years as 2025.0.
                year = int(value)
            case int() if not isinstance(value, bool):
                year = value
            case _:
                year = 0
        if year in _YEARS:
            return year
        self._keep("year", value, "a year of four digits")
        return None

    def _url(self, found: Mapping[str, Json]) -> str | None:
        value = found.get("url")
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        if isinstance(value, str) and _is_web_address(value.strip()):
            return value.strip()
        self._keep("url", value, "an http or https address")
        return None

    def _keywords(self, found: Mapping[str, Json]) -> tuple[str, ...]:
        value = found.get("keywords")
        match value:
            case None:
                return ()
            case str():
                text = value.strip(" \t\r\n;,")
                items: list[Json] = [*text.split(";" if ";" in text else ",")] if text else []
            case list():
                items = value
            case _:
                self._keep("keywords", value, "a list of words")
                return ()
        return self._words("keywords", items)

    def _authors(self, found: Mapping[str, Json]) -> tuple[str, ...]:
        value = found.get("authors")
        match value:
            case None:
                return ()
            case str():
                return self._words("authors", [*_split_names(value)])
            case list():
                # Affiliations and the like have no place in a record, but nothing that a source says is lost.
                if any(isinstance(item, dict) and not item.keys() <= _NAME_FIELDS for item in value):
                    self.extra["authors"] = value
                return self._words("authors", value)
            case _:
                self._keep("authors", value, "a list of names")
                return ()

    def _words(self, name: str, items: list[Json]) -> tuple[str, ...]:
        words: list[str] = []
        for item in items:
            word: str | None
            match item:
                case str():
                    word = item
                case dict() if name == "authors":
                    word = _person_name(item)
                case bool() | None | list() | dict():
                    word = None
                case _:
                    word = str(item)
            if word is None:
                self.extra[name] = items
                self._report(f'expected text in the list "{name}", found {_kind_of(item)}', "it was left out", item)
            elif _is_blank(word):
                self._report(f'an empty entry in the list "{name}"', "it was dropped", None)
            else:
                words.append(" ".join(word.split()))
        return tuple(words)


_FIELDS = frozenset({"id", "title", "abstract", "authors", "year", "keywords", "url", "collection"})
# The spellings of a name's parts: our own, CSL-JSON and Crossref, Semantic Scholar, the ACL Anthology.
_NAME_PARTS = (("given", "family"), ("first", "last"), ("firstName", "lastName"))
_NAME_FIELDS = frozenset({"name", *(part for pair in _NAME_PARTS for part in pair)})


def _person_name(person: JsonObject) -> str | None:
    name = person.get("name")
    if isinstance(name, str):
        return name
    for pair in _NAME_PARTS:
        parts = [part for part in map(person.get, pair) if isinstance(part, str) and part.strip()]
        if parts:
            return " ".join(parts)
    return None


def _split_names(names: str) -> list[str]:
    text = names.strip(" \t\r\n;,")
    if not text:
        return []
    if ";" in text:
        return text.split(";")
    by_and = re.split(r",?\s+and\s+", text)
    by_comma = [name for part in by_and for name in part.split(",")]
    # `Doe, Jane and Roe, Richard` has its commas within the names, `J. Doe, R. Roe, M. Moe` between them: there,
    # every part has two words or more. Two such parts could still be one name, as in `van Dijk, Jan Peter`.
    if len(by_comma) > 2 and all(len(name.split()) > 1 for name in by_comma):
        return by_comma
    return by_and


def _is_web_address(text: str) -> bool:
    return _WEB_ADDRESS.fullmatch(text) is not None


def _name_list(fields: Mapping[str, Json]) -> str:
    shown = ", ".join(shorten(name, 30) for name in list(fields)[:8])
    return f"({shown}{', …' if len(fields) > 8 else ''})"
