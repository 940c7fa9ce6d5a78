"""What LaTeX's text commands mean: tables, and accents.

Command names enter; styles, characters and composed letters leave.
"""

import unicodedata

from generator.markup.tree import Style

STYLE_COMMANDS: dict[str, Style | None] = {
    "textbf": "strong", "textit": "emphasis", "textsl": "emphasis", "emph": "emphasis", "textsc": "smallcaps",
    "underline": "underline", "uline": "underline", "textsuperscript": "superscript", "textsubscript": "subscript",
    "textrm": None, "textsf": None, "textnormal": None, "textup": None, "textmd": None, "text": None, "mbox": None,
    "hbox": None,
}  # fmt: skip
"""Commands with one argument whose words are kept, and the style they give; None for none that matters here."""

OLD_STYLE_COMMANDS: dict[str, Style | None] = {
    "bf": "strong", "bfseries": "strong", "it": "emphasis", "itshape": "emphasis", "em": "emphasis", "sl": "emphasis",
    "slshape": "emphasis", "sc": "smallcaps", "scshape": "smallcaps", "tt": None, "ttfamily": None, "rm": None,
    "sf": None, "sffamily": None, "small": None, "footnotesize": None, "large": None, "normalsize": None,
}  # fmt: skip
"""Commands that style the rest of their group, as in ``{\\bf these words}``."""

CITATIONS = frozenset(
    {"cite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear", "parencite", "textcite", "autocite"}
)

LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ",
}  # fmt: skip
"""Special letters; the blank that ends such a command belongs to it."""

SYMBOLS = {
    "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—", "textbackslash": "\\",
    "textasciitilde": "~", "textasciicircum": "^", "textunderscore": "_", "textquotesingle": "'", "textbar": "|",
    "textquotedblleft": "“", "textquotedblright": "”", "textquoteleft": "‘", "textquoteright": "’",
    "textless": "<", "textgreater": ">", "textregistered": "®", "texttrademark": "™", "copyright": "©",
    "textcopyright": "©", "textdegree": "°", "textmu": "µ", "textpm": "±", "texttimes": "×", "textbullet": "•",
    "textdollar": "$", "pounds": "£", "texteuro": "€", "euro": "€", "LaTeX": "LaTeX", "TeX": "TeX", "S": "§",
    "P": "¶", "dag": "†", "ddag": "‡", "quad": " ", "qquad": " ", "newline": "\n", "par": "\n\n", "noindent": "",
    "xspace": "", "slash": "/", "and": " ",
}  # fmt: skip
"""Commands without an argument that stand for characters."""

_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "H": "\u030b", "c": "\u0327", "k": "\u0328", "v": "\u030c", "u": "\u0306", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
ACCENT_LETTERS = frozenset(accent for accent in _ACCENTS if accent.isalpha())
ACCENT_MARKS = frozenset(_ACCENTS) - ACCENT_LETTERS


def accented(accent: str, letter: str) -> str | None:
    """Return the letter with a TeX accent such as ``'`` or ``H``; None when Unicode has no such letter."""
    letter = {"\\i": "i", "\\j": "j", "ı": "i"}.get(letter, letter)
    composed = unicodedata.normalize("NFC", letter + _ACCENTS[accent])
    return composed if len(composed) == 1 else None
