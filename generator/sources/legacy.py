"""Enters: bytes of a text that is neither UTF-8 nor UTF-16 or UTF-32.

Leaves: the codec that they are most likely in, or None when none makes sense of them.

Charset-normalizer alone read a third of 1,170 invented samples wrongly, most of them short English abstracts: one
`é` in 400 bytes says little, and it knows 90 codecs, among them those of old home computers. So it gets
the scripts that it tells apart well, Latin texts are judged by where their special characters stand, and those of
East Asia by how many of their characters are common ones.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from charset_normalizer import from_bytes

# What the WHATWG calls legacy encodings, less those of Latin scripts: https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
_ALPHABETIC = (
    *("cp1251", "koi8_r", "koi8_u", "cp866", "iso8859_5", "cp1253", "iso8859_7"),
    *("cp1255", "iso8859_8", "cp1256", "iso8859_6", "cp874"),
)

# Letters beyond ASCII of the languages that are written in each codec, https://en.wikipedia.org/wiki/Windows_code_page
_WESTERN = (
    "àâæçéèêëîïôœùûü",  # French
    "äöüßé",  # German
    "áéíñóúü",  # Spanish, Irish
    "áâãàçéêíóôõúü",  # Portuguese
    "àèéìíòóùç",  # Italian, Catalan
    "æøåéö",  # Danish, Norwegian
    "åäöé",  # Swedish, Finnish
    "äõöüšž",  # Estonian
    "áðéíóúýþæö",  # Icelandic
    "ëéïöüó",  # Dutch
)
_CENTRAL = (
    "ąćęłńóśźż",  # Polish
    "áčďéěíňóřšťúůýž",  # Czech
    "áäčďéíĺľňóôŕšťúýž",  # Slovak
    "áéíóöőúüű",  # Hungarian
    "čćđšž",  # Croatian, Slovene, Serbian in Latin letters
    "ăâîşţ",  # Romanian
)
_TURKISH = ("çğıöşüâîû",)
_BALTIC = ("āčēģīķļņšūž", "ąčęėįšųūž")
# Each with what its fit has to be better by than that of cp1252, which is by far the commonest: one odd sign decides
# nothing. GB 18030 is here for English texts from Chinese systems, whose quotes and dashes are its.
_LATIN = (
    ("cp1252", _WESTERN, 0.0),
    ("cp1250", _CENTRAL, 0.05),
    ("iso8859_2", _CENTRAL, 0.05),
    ("cp1254", _TURKISH, 0.05),
    ("cp1257", _BALTIC, 0.05),
    ("gb18030", _WESTERN, 0.25),
    ("mac_roman", _WESTERN, 0.5),
    ("cp850", _WESTERN, 0.5),
)

# The bytes of each set's common characters and punctuation, and of those that its texts cannot do without: GB 2312
# and Big5 put their frequent characters first, as JIS X 0208 does; Japanese has kana, Korean has Hangul.
# Hangul and kana are common characters of other sets, so their sets come before those and win when both fit.
# https://encoding.spec.whatwg.org/#legacy-multi-byte-chinese-(simplified)-encodings
_EAST_ASIAN = (
    ("cp949", re.compile(rb"[\xa1-\xa3\xb0-\xc8][\xa1-\xfe]"), re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")),
    ("euc_jp", re.compile(rb"[\xa1-\xa5\xb0-\xcf][\xa1-\xfe]"), re.compile(rb"[\xa4\xa5][\xa1-\xfe]")),
    ("gb18030", re.compile(rb"[\xa1-\xa3\xa8\xb0-\xd7][\x40-\xfe]"), re.compile(rb"[\xb0-\xd7][\xa1-\xfe]")),
    ("big5", re.compile(rb"[\xa1-\xc6][\x40-\xfe]"), re.compile(rb"[\xa4-\xc6][\x40-\xfe]")),
    ("cp932", re.compile(rb"[\x81-\x83\x88-\x98][\x40-\xfc]"), re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]")),
)
_MOSTLY = 0.85
# In fewer characters, those of a Chinese heading may all be in the rows that Korean has its Hangul in.
_KOREAN_LENGTH = 8

# A Latin text has single special characters between ASCII letters; texts of other scripts have words of them.
_LATIN_RUN_LENGTH = 1.4
_LATIN_WORD_SHARE = 0.5
# Below this share of special letters, a text is English with names and quotes in it, of any languages at once.
_SPARSE = 0.02
_ENOUGH = 0.3
_RATHER = 0.7
_FEW_AMONG_ASCII = 0.2
# A byte or two that make no sense are damage; whoever writes another script writes a word of it.
_FEWEST_SPECIALS = 2
_FEWEST_LETTERS = 6
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_HIGH_WORD = re.compile(rb"[A-Za-z]*[\x80-\xff][A-Za-z\x80-\xff]*")
# In the code pages of one byte a character, letters stand here and signs below, but for a few.
_HIGH_LETTER = re.compile(rb"[\xc0-\xff]")
_LINE_WITH_HIGH = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")

_INNER_SIGNS = frozenset("’‘–—·×´\u00ad")
_OPENING_SIGNS = frozenset("“‘„‚¿¡‹")
_CLOSING_SIGNS = frozenset("”’“›…°²³¹™®©ªº‰")
# Often misplaced by their authors, and rarely what a letter of another codec looks like.
_FORGIVEN = frozenset("“”„‘‚‹›…™¹²³")
_FREE_SIGNS = frozenset("–—…•·×÷±§£¥©®µ°«»ˆ˜¬†‡¶\u00a0½¼¾≤≥≠∞π∆∑√∂∫≈Ω")


def guess_legacy_encoding(sample: bytes) -> str | None:
    """Return the codec that ``sample`` is most likely in, or None when none makes sense of it.

    The codec decodes all of ``sample`` but for the cut characters at its ends.
    """
    high = b"".join(_LINE_WITH_HIGH.findall(sample))
    runs = _HIGH_RUN.findall(high)
    if not runs:
        return None
    count = sum(map(len, runs))
    may_be_latin = count < _LATIN_RUN_LENGTH * len(runs) or count < _LATIN_WORD_SHARE * sum(
        map(len, _HIGH_WORD.findall(high))
    )
    if may_be_latin and (latin := _guess_latin(high, _ENOUGH)):
        return latin
    if east_asian := _guess_east_asian(high):
        return east_asian
    # In English with a few signs of two bytes each, such as the quotes of GB 18030, there is no word to judge.
    few = count < _FEW_AMONG_ASCII * len(high) or not _HIGH_LETTER.search(high)
    if few and (latin := _guess_latin(high, _RATHER)):
        return latin
    if count >= _FEWEST_LETTERS and not may_be_latin:
        best = from_bytes(high, cp_isolation=list(_ALPHABETIC)).best()
        if best is not None:
            return best.encoding
    return _guess_latin(high, _RATHER)


def _guess_east_asian(data: bytes) -> str | None:
    best, best_share = None, _MOSTLY
    for codec, common, needed in _EAST_ASIAN:
        try:
            characters = [char.encode(codec) for char in data.decode(codec) if not char.isascii()]
        except UnicodeError:
            continue
        share = sum(common.fullmatch(char) is not None for char in characters) / len(characters)
        typical = sum(needed.fullmatch(char) is not None for char in characters)
        if codec == "cp949" and typical < _KOREAN_LENGTH:
            continue
        if share > best_share and typical * 10 > len(characters):
            best, best_share = codec, share
    return best


def _guess_latin(data: bytes, enough: float) -> str | None:
    count = len(_HIGH_RUN.findall(data))
    best, best_fit = None, enough
    for codec, alphabets, handicap in _LATIN:
        if handicap > _ENOUGH and count < _FEWEST_SPECIALS:
            continue
        try:
            fit = _fit(data.decode(codec), alphabets) - handicap
        except UnicodeDecodeError:
            continue
        if fit > best_fit:
            best, best_fit = codec, fit
    return best


@dataclass(frozen=True, slots=True)
class _Special:
    """A character beyond ASCII and its neighbours; a blank stands for the ends of the text."""

    char: str
    before: str
    after: str

    def letter_stands_well(self) -> bool:
        """Return whether it is a small letter, or a capital that starts a word, continues one or stands alone."""
        if not self.char.isupper():
            return True
        return not self.before.islower() and (self.before.isalpha() or self.after.isalpha() or self.after.isspace())

    def sign_fits(self) -> float:
        """Return from 0 to 1 how well a sign stands where texts have it: most of all, not within a word."""
        if self.char in _INNER_SIGNS:
            return 1.0
        within = self.before.isalnum() and self.after.isalnum()
        if self.char in _FREE_SIGNS:
            return 0.5 if self.before.isalpha() and self.after.isalpha() else 1.0
        if self.char == "€":
            return 1.0 if not within and self.before.isascii() and self.after.isascii() else 0.0
        if self.char in _FORGIVEN and within:
            return 0.4
        if self.char in _OPENING_SIGNS and not self.before.isalnum():
            return 1.0
        if self.char in _CLOSING_SIGNS and not within and not self.before.isspace():
            return 1.0
        return 0.4 if self.char in _FORGIVEN else 0.0


def _specials(text: str) -> Iterator[_Special]:
    for match in re.finditer(r"[^\x00-\x7f]", text):
        at = match.start()
        yield _Special(match[0], text[at - 1 : at] or " ", text[at + 1 : at + 2] or " ")


def _is_letter(char: str) -> bool:
    return char.isalpha() and char not in "ªºµˆˇ"


def _fit(text: str, alphabets: tuple[str, ...]) -> float:
    """Return the share of special characters that make sense, from 0 to 1, in the language that suits best."""
    specials = list(_specials(text))
    letters = [special for special in specials if _is_letter(special.char)]
    signs = sum(special.sign_fits() for special in specials if not _is_letter(special.char))
    placed = [special.char.lower() for special in letters if special.letter_stands_well()]
    if len(letters) < _SPARSE * sum(map(str.isalpha, text)):
        alphabets = ("".join(alphabets),)
    known = max(sum(char in alphabet for char in placed) for alphabet in alphabets)
    return (known + signs) / len(specials)
