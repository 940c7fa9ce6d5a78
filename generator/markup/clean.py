"""Unicode repairs before parsing.

A raw text enters; the same text leaves without characters that cannot be seen or that break XML, in NFC, with
typographic ligatures spelled out and certain mojibake undone, together with what was found.
"""

import re

from ftfy import TextFixerConfig, fix_encoding

from generator.marks import has_pile, normalize
from generator.markup.faults import Fault

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
"""PDF extraction leaves these; spelled out, the words can be searched."""

_PDF_ACCENT = re.compile("[ ]?(?:\u00a8|[ ]?\u0308)\u0131")
"""PDF extraction writes an accent apart, before a dotless i that nothing else needs."""

_LOST_HYPHEN = re.compile("(?<=[^\\W\\d_])\x02[ \t]*\n?[ \t]*(?=[^\\W\\d_])")
"""PDF extraction writes U+0002 for the hyphen at a line's end; without it the word is whole again."""

_BLANK_CONTROLS = re.compile("[\x0b\x0c\x1c-\x1f\x85\u2028]")
"""Control characters that separate: a blank takes their place, so that no words are glued."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # C0 and C1 controls
    "\u00ad"  # soft hyphen
    "\u200b-\u200f\u2060-\u2064\ufeff"  # zero-width characters, direction marks, stray byte order marks
    "\u061c\u202a-\u202e\u2066-\u206f"  # bidi controls: they can make text read other than it is
    "\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff"  # interlinear marks and non-characters
    "\U000e0000-\U000e007f"  # tags: letters that nobody sees
    "\ud800-\udfff]"  # lone surrogates cannot be written as UTF-8
)
_SUSPECT = re.compile(f"{_BLANK_CONTROLS.pattern}|{_INVISIBLE.pattern}|[\ufb00-\ufb06]")
_JOINERS = frozenset("\u200c\u200d")
_JOINED_SCRIPTS = re.compile("[\u0600-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufefc]")
"""Scripts in which a joiner or non-joiner is spelling: Arabic, and those of India and its neighbours."""

_EMOJI = re.compile("[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff\U0001f3fb-\U0001f3ff]")

_MAY_BE_MOJIBAKE = re.compile("[\u00c2-\u00f4\u201a\u0432\u0420](?=[^\x00-\x7f])|[\x80-\x9f]|Â |Ã\\s")
"""What the first byte of a UTF-8 character looks like in another encoding; anything else is no mojibake."""

_MOJIBAKE = TextFixerConfig(
    unescape_html=False,
    remove_terminal_escapes=False,
    fix_latin_ligatures=False,
    fix_character_width=False,
    uncurl_quotes=False,
    fix_line_breaks=False,
    fix_surrogates=False,
    remove_control_chars=False,
    normalization=None,
    explain=False,
)
_REPORTED_MOJIBAKE = re.compile(r"\S*[^\x00-\x7f]\S*")


def clean_unicode(raw: str) -> tuple[str, tuple[Fault, ...]]:
    """Return the cleaned text and its faults.

    Line ends become ``\\n``. Soft hyphens are removed without a word: they never carry meaning.
    """
    if raw.isascii() and raw.isprintable():
        return raw, ()
    faults: list[Fault] = []
    text = raw.replace("\r\n", "\n").replace("\r", "\n").replace("\u2029", "\n\n").replace("\t", " ")
    if not text.isascii() and _MAY_BE_MOJIBAKE.search(text):
        repaired = fix_encoding(text, config=_MOJIBAKE)
        if repaired != text:
            fragment = _REPORTED_MOJIBAKE.search(text)
            shown = fragment[0] if fragment else ""
            faults.append(Fault("mojibake", "characters decoded by the wrong encoding", "they were repaired", shown))
            text = repaired
    if "\u0131" in text:
        text = _PDF_ACCENT.sub("ï", text)
    if _SUSPECT.search(text):
        removed = {"\x02"} if "\x02" in text else set()
        text, invisible = _without_invisible(_LOST_HYPHEN.sub("", text))
        if removed := (removed | invisible) - set("\u00ad\u2028"):
            names = ", ".join(sorted(f"U+{ord(c):04X}" for c in removed))
            faults.append(Fault("control-character", "characters that cannot be shown", "they were removed", names))
        text = text.translate(_LIGATURES)
    if has_pile(text):
        faults.append(Fault("control-character", "a pile of combining marks", "only the first ones are kept", ""))
    return normalize("NFC", text), tuple(faults)


def _without_invisible(text: str) -> tuple[str, set[str]]:
    removed: set[str] = set()

    def replace(match: re.Match[str]) -> str:
        character = match[0]
        if character in _JOINERS and _joins(text, match.start()):
            return character
        removed.add(character)
        return ""

    def separate(match: re.Match[str]) -> str:
        removed.add(match[0])
        return " "

    return _INVISIBLE.sub(replace, _BLANK_CONTROLS.sub(separate, text)), removed


def _joins(text: str, at: int) -> bool:
    """Return whether the joiner at ``at`` stands between letters that need it, or within an emoji."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if _JOINED_SCRIPTS.match(before):
        return True
    return text[at] == "\u200d" and bool(_EMOJI.match(before) and _EMOJI.match(after))
