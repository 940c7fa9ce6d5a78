"""What LaTeX's text commands mean: tables, and accents.

Command names enter; styles, characters and composed letters leave.
"""

import unicodedata
from typing import Literal, TypeAlias

from generator.markup.tree import Style

TextStyle: TypeAlias = Style | Literal["code"] | None
"""What a command does to words; None for nothing that matters here."""

STYLE_COMMANDS: dict[str, TextStyle] = {
    "textbf": "strong", "textit": "emphasis", "textsl": "emphasis", "emph": "emphasis", "textsc": "smallcaps",
    "underline": "underline", "uline": "underline", "ul": "underline", "textsuperscript": "superscript",
    "textsubscript": "subscript", "mathtt": "code", "bm": "strong", "boldsymbol": "strong",
    **dict.fromkeys(
        ["textrm", "textsf", "textnormal", "textup", "textmd", "textin", "text", "mbox", "hbox", "fbox", "makebox",
         "lowercase", "uppercase", "MakeUppercase", "MakeLowercase", "gls", "Gls", "glspl", "acrshort", "acrlong",
         "acrfull", "ac", "acs", "acl", "acp", "num", "section", "paragraph",
         "subsection", "title", "hl", "st", "sout", "uwave", "smash",
         "path", "thanks", "term", "todo", "pmb"]
    ),
}  # fmt: skip
"""Commands with one argument whose words are kept, and the style they give."""

OLD_STYLE_COMMANDS: dict[str, TextStyle] = {
    "bf": "strong", "bfseries": "strong", "it": "emphasis", "itshape": "emphasis", "em": "emphasis", "sl": "emphasis",
    "slshape": "emphasis", "sc": "smallcaps", "scshape": "smallcaps", "tt": "code", "ttfamily": "code",
    **dict.fromkeys(
        ["rm", "sf", "sffamily", "rmfamily", "mdseries", "upshape", "normalfont", "selectfont", "tiny", "scriptsize",
         "footnotesize", "small", "normalsize", "large", "Large", "LARGE", "huge", "Huge", "centering", "raggedright"]
    ),
}  # fmt: skip
"""Commands that style the rest of their group, as in ``{\\bf these words}``."""

AROUND = {"footnote": (" (", ")"), "footnotetext": (" (", ")"), "enquote": ("“", "”"), "say": ("“", "”"),
          "eqref": ("(", ")"), "ref": ("", ""), "autoref": ("", ""), "cref": ("", ""), "Cref": ("", ""),
          "pageref": ("", ""), "nameref": ("", "")}  # fmt: skip
"""Commands with one argument, and what stands before and after it instead."""

CITATIONS = frozenset(
    {"cite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear", "citeyearpar", "parencite", "textcite",
     "autocite", "footcite", "Citet", "Citep", "citenum", "shortcite", "newcite", "citeA", "fullcite"}
)  # fmt: skip

DROPPED_ARGUMENTS = {
    "textcolor": 1, "color": 1, "colorbox": 1, "fcolorbox": 2, "label": 1, "nocite": 1, "hyphenation": 1,
    "phantom": 1, "hphantom": 1, "vphantom": 1, "footnotemark": 1, "fontsize": 2, "raisebox": 1, "resizebox": 2,
    "scalebox": 1, "setlength": 2, "pagestyle": 1, "thispagestyle": 1, "index": 1, "bibliographystyle": 1,
    "bibliography": 1, "usepackage": 1, "documentclass": 1, "rotatebox": 1, "parbox": 1, "multicolumn": 2,
}  # fmt: skip
"""Commands whose first arguments are no words, and how many; words that follow in braces are kept."""

SILENT = frozenset(
    {"noindent", "xspace", "indent", "maketitle", "smallskip", "medskip", "bigskip", "newpage",
     "clearpage", "pagebreak", "linebreak", "nolinebreak", "hfill", "vfill", "sloppy", "fussy", "relax", "ignorespaces",
     "protect", "unskip", "allowbreak", "nobreak", "left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr",
     "displaystyle", "textstyle", "limits", "nolimits", "strut", "null", "leavevmode", "balance", "onecolumn",
     "twocolumn", "nonumber", "looseness", "ldelim", "hline", "toprule", "midrule", "bottomrule",
     "boldmath", "unboldmath", "endinput", "itemsep", "parskip", "parsep",
     "topsep", "parindent", "baselineskip", "itemindent", "begingroup", "endgroup", "bgroup", "egroup"}
)  # fmt: skip
"""Commands about spacing and layout: no word is lost with them."""

LETTERS = {
    "ss": "ß", "SS": "ẞ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "ng": "ŋ", "NG": "Ŋ",
}  # fmt: skip
"""Special letters; the blank that ends such a command belongs to it."""

SYMBOLS = {
    "ldots": "…", "dots": "…", "cdots": "⋯", "textellipsis": "…", "textendash": "–", "textemdash": "—",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textunderscore": "_", "textquotesingle": "'",
    "textbar": "|", "textquotedblleft": "“", "textquotedblright": "”", "textquotedbl": '"', "textquoteleft": "‘",
    "textquoteright": "’", "lq": "‘", "rq": "’", "guillemotleft": "«", "guillemotright": "»", "textasciigrave": "`",
    "textless": "<", "textgreater": ">", "textregistered": "®", "texttrademark": "™", "copyright": "©",
    "textcopyright": "©", "textdegree": "°", "textmu": "µ", "textpm": "±", "texttimes": "×", "textdiv": "÷",
    "textbullet": "•", "textperiodcentered": "·", "textdollar": "$", "textpercent": "%", "textperthousand": "‰",
    "textampersand": "&", "textnumbersign": "#", "textsection": "§", "textparagraph": "¶", "textdagger": "†",
    "textdaggerdbl": "‡", "textasteriskcentered": "*", "textbraceleft": "{", "textbraceright": "}",
    "textlangle": "⟨", "textrangle": "⟩", "textonehalf": "½", "textonequarter": "¼", "textthreequarters": "¾",
    "textonesuperior": "¹", "texttwosuperior": "²", "textthreesuperior": "³", "textrightarrow": "→",
    "textleftarrow": "←", "textuparrow": "↑", "textdownarrow": "↓", "textmusicalnote": "♪", "textvisiblespace": "␣",
    "textordfeminine": "ª", "textordmasculine": "º", "textquestiondown": "¿", "textexclamdown": "¡", "textcent": "¢",
    "textyen": "¥", "textsterling": "£", "pounds": "£", "texteuro": "€", "euro": "€", "EUR": "€", "degree": "°",
    "percent": "%", "LaTeX": "LaTeX", "TeX": "TeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "S": "§", "P": "¶",
    "dag": "†", "ddag": "‡", "checkmark": "✓", "cmark": "✓", "xmark": "✗", "quad": " ", "qquad": " ", "space": " ",
    "enspace": " ", "thinspace": "\u2009", "nobreakspace": "\u00a0", "newline": "\n", "par": "\n\n", "slash": "/",
    "and": " ", "break": "\n",
}  # fmt: skip
"""Commands without an argument that stand for characters."""

TIGHT = frozenset(
    {"textasciitilde", "textemdash", "textendash", "textunderscore", "textbackslash", "textquoteleft",
     "textquotedblleft", "textless", "lq", "textdollar", "pounds", "slash", "textdegree", "degree", "textmu",
     "guillemotleft", "textquotedbl", "textpercent", "percent"}
)  # fmt: skip
"""Symbols that touch the word after them; the blank that ends such a command belongs to it."""

SHORTHANDS = {
    "eg": "e.g.", "Eg": "E.g.", "ie": "i.e.", "Ie": "I.e.", "etal": "et al.", "etc": "etc.", "cf": "cf.", "Cf": "Cf.",
    "vs": "vs.", "wrt": "w.r.t.", "aka": "a.k.a.", "iid": "i.i.d.", "viz": "viz.", "dof": "d.o.f.",
}  # fmt: skip
"""Macros that half of all style files define; a full stop that follows is not doubled."""

DINGBATS = {"51": "✓", "52": "✔", "55": "✗", "56": "✘", "72": "★", "108": "●"}
"""Numbers of pifont's ``\\ding``."""

LIST_ENVIRONMENTS = {
    "itemize": False, "enumerate": True, "description": False, "compactitem": False, "compactenum": True,
    "inparaenum": True, "itemize*": False, "enumerate*": True,
}  # fmt: skip
"""Environments of items, and whether their order is numbered."""

TEXT_ENVIRONMENTS = frozenset(
    {"abstract", "center", "quote", "quotation", "flushleft", "flushright", "document", "small", "footnotesize",
     "minipage", "figure", "figure*", "table", "table*", "keywords", "IEEEkeywords", "sloppypar", "spacing", "verse",
     "tabular", "tabular*", "wrapfigure", "multicols"}
)  # fmt: skip
"""Environments that only lay their words out."""

ENVIRONMENT_ARGUMENTS = {
    "tabular": 1, "tabular*": 2, "tabularx": 2, "minipage": 1, "wrapfigure": 2, "multicols": 1, "spacing": 1,
    "adjustbox": 1,
}  # fmt: skip
"""How many arguments of an environment are no words."""

_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "H": "\u030b", "c": "\u0327", "k": "\u0328", "v": "\u030c", "u": "\u0306", "r": "\u030a", "d": "\u0323",
    "b": "\u0331", "t": "\u0361", "G": "\u030f", "U": "\u030e", "f": "\u0311",
}  # fmt: skip
ACCENT_SIGNS = {"'": "´", "`": "`", "^": "^", '"': "¨", "~": "~", "=": "¯", ".": "˙"}
"""An accent over nothing, as in ``\\~{}``."""

ACCENT_LETTERS = frozenset(accent for accent in _ACCENTS if accent.isalpha())
ACCENT_MARKS = frozenset(_ACCENTS) - ACCENT_LETTERS


def accented(accent: str, letter: str) -> str | None:
    """Return the letter with a TeX accent such as ``'`` or ``H``; None when Unicode has no such letter."""
    letter = {"\\i": "i", "\\j": "j", "ı": "i"}.get(letter, letter)
    composed = unicodedata.normalize("NFC", letter + _ACCENTS[accent])
    return composed if len(composed) == 1 else None
