"""Makes the math font while the package is built, for wheels and editable installs alike.

The font STIX Two Math of the package `ziamath` enters, which is needed for the build alone; a smaller one for browsers
leaves, with its licence beside it. Same versions of `ziamath`, `fonttools` and `brotli`, same bytes.
"""

import importlib.util
import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

FOLDER = Path("site_templates", "theme", "assets", "papershelf")
FONT = FOLDER / "stix-two-math.woff2"
LICENCE = FOLDER / "OFL-STIX.txt"
MAX_BYTES = 150_000
"""More would be felt by a reader whose page waits for it."""


def _ranges(*bounds: tuple[int, int]) -> frozenset[int]:
    return frozenset(character for first, last in bounds for character in range(first, last + 1))


TEXT = _ranges(
    (0x20, 0x7E),
    (0xA0, 0xFF),
    (0x131, 0x131),  # ı and ȷ, to put accents on
    (0x237, 0x237),
    (0x391, 0x3C9),  # Greek
    (0x3D1, 0x3D6),
    (0x3DC, 0x3DD),
    (0x3F0, 0x3F6),
    (0x2000, 0x2027),  # spaces, dashes, quotes, dots
    (0x2030, 0x2037),  # primes
    (0x2044, 0x2044),
    (0x2057, 0x2064),  # fourfold prime, invisible operators
)
ACCENTS = _ranges((0x2C6, 0x2DD), (0x300, 0x30C), (0x311, 0x311), (0x323, 0x338), (0x20D0, 0x20F0))
SYMBOL_ACCENTS = _ranges((0x20D0, 0x20DC), (0x20E1, 0x20E1))
SIGNS = _ranges(
    (0x2100, 0x214F),  # letter-like: ℝ, ℒ, ℓ, ℏ, ℵ
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # operators
    (0x2308, 0x230B),  # floor and ceiling
    (0x231C, 0x2323),  # corners, frown, smile
    (0x2329, 0x232A),
    (0x23B0, 0x23B7),  # moustaches, wide brackets, the radical's foot
    (0x23DC, 0x23E1),  # wide parentheses and braces
    (0x25A0, 0x25A1),  # shapes
    (0x25AA, 0x25AB),
    (0x25B2, 0x25BF),
    (0x25C0, 0x25C7),
    (0x25CA, 0x25CB),
    (0x25CF, 0x25CF),
    (0x25E6, 0x25E6),
    (0x25EF, 0x25EF),
    (0x25FB, 0x25FC),
    (0x2605, 0x2606),
    (0x2660, 0x2663),
    (0x266D, 0x266F),
    (0x2713, 0x2713),
    (0x27C2, 0x27C2),
    (0x27CB, 0x27CB),
    (0x27CD, 0x27CD),
    (0x27E6, 0x27EF),  # angle and double brackets
    (0x27F0, 0x27FF),  # long arrows
    (0x2983, 0x2998),
    (0x29EB, 0x29EB),
    (0x2A00, 0x2A0D),  # big operators
    (0x2A0F, 0x2A0F),
    (0x2A1D, 0x2A1D),
    (0x2A3F, 0x2A3F),
    (0x2A5E, 0x2A5E),
    (0x2A74, 0x2A75),
    (0x2A7D, 0x2A7E),  # slanted and doubled relations
    (0x2A85, 0x2A8C),
    (0x2A95, 0x2A96),
    (0x2AAF, 0x2AB0),
    (0x2AB5, 0x2ABA),
    (0x2AC5, 0x2AC6),
    (0x2ACB, 0x2ACC),
)
# Of the mathematical alphanumerics these went, to be small enough; the system's fonts show them: bold script, bold
# fraktur, bold and slanted sans-serif with its Greek, digits in bold sans-serif. Of the shapes, and of the
# operators beyond U+2A0D, only those with a common name in LaTeX stayed.
LETTERS = _ranges(
    (0x1D400, 0x1D4CF),  # bold, italic, bold italic, script
    (0x1D504, 0x1D56B),  # fraktur, double-struck
    (0x1D5A0, 0x1D5D3),  # sans-serif
    (0x1D670, 0x1D6A3),  # typewriter
    (0x1D6A4, 0x1D6A5),  # italic ı and ȷ
    (0x1D6A8, 0x1D755),  # Greek in bold, italic, bold italic
    (0x1D7CA, 0x1D7CB),
    (0x1D7CE, 0x1D7EB),  # digits in bold, double-struck, sans-serif
    (0x1D7F6, 0x1D7FF),  # and typewriter
)
WITHOUT_SCRIPT_STYLE = _ranges((0x1D400, 0x1D433), (0x1D49C, 0x1D4CF), (0x1D504, 0x1D56B)) | set(
    map(ord, "ℂℊℋℌℍℐℑℒℕℙℚℛℜℝℤℨℬℭℯℰℱℳℴ")
)
"""Bold, script, fraktur and double-struck letters have no second drawing for superscripts; each would cost a letter."""

CHANCERY, ROUNDHAND = 0xFE00, 0xFE01
"""The variation selectors that math-core writes after a letter of ``\\mathcal`` and of ``\\mathscr``."""

FEATURES = ("ccmp", "dtls", "rtlm", "ssty")
"""What mathematics needs: composed accents, letters without their dot under an accent, mirrored operators, and
drawings for superscripts. Which glyphs stretch, and of what parts, is in the table MATH, which stays whole."""


class FontNotMadeError(Exception):
    """The font cannot be made; says why."""


def make_font(source: Path) -> tuple[bytes, str]:
    """Return the smaller font in WOFF2, and its copyright line.

    Raises:
        FontNotMadeError: it is not the font that this is written for, or does not get small enough.
    """
    from fontTools import subset
    from fontTools.ttLib import TTFont

    # The dates in the font stay as they are: the time of the build must not be in it.
    font = TTFont(source, recalcTimestamp=False)
    check_source(font)
    copyright_line = str(font["name"].getDebugName(0))
    _add_roundhand(font)
    _mend_assemblies(font)
    _centre_accents(font)
    _lift_radicals(font)
    _thin_script_styles(font)
    _offer_to_all_scripts(font, "ssty", "dtls")

    options = subset.Options()
    options.layout_features = list(FEATURES)
    options.drop_tables += ["GPOS", "DSIG"]  # kerning of text, and a signature that no longer holds
    options.hinting = False
    options.glyph_names = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]  # copyright and licence among them
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*TEXT, *ACCENTS, *SIGNS, *LETTERS, CHANCERY, ROUNDHAND])
    subsetter.subset(font)
    font.flavor = "woff2"
    made = io.BytesIO()
    font.save(made)
    if made.tell() > MAX_BYTES:
        raise FontNotMadeError(f"it has {made.tell():,} bytes, more than {MAX_BYTES:,}")
    return made.getvalue(), copyright_line


def check_source(font: "TTFont") -> None:
    """Make sure of the tables that are changed below.

    Raises:
        FontNotMadeError: one is missing.
    """
    missing = [table for table in ("GSUB", "MATH", "cmap", "glyf") if table not in font]
    if missing:
        raise FontNotMadeError(f"the font in ziamath is no math font of the kind expected: no {', '.join(missing)}")


def _add_roundhand(font: "TTFont") -> None:
    """Let the variation selector lead to the font's second set of script capitals; the first is chancery."""
    capitals = {*range(0x1D49C, 0x1D4B6), *map(ord, "ℋℐℒℛℬℰℱℳ")}
    names = font.getBestCmap()
    glyphs = set(font.getGlyphOrder())
    for table in font["cmap"].tables:
        if table.format == 14:
            table.uvsDict[ROUNDHAND] = [
                (c, f"{names[c]}.ss01") for c in sorted(capitals) if f"{names.get(c)}.ss01" in glyphs
            ]


def _mend_assemblies(font: "TTFont") -> None:
    """Turn around the connectors of end parts that have theirs on the outer side, as arrows of the version 2.11 do.

    Chromium does not stretch a glyph whose parts cannot overlap.
    """
    variants = font["MATH"].table.MathVariants
    for construction in (*variants.HorizGlyphConstruction, *variants.VertGlyphConstruction):
        parts = construction.GlyphAssembly.PartRecords if construction.GlyphAssembly else []
        if len(parts) > 1:
            first, last = parts[0], parts[-1]
            if first.EndConnectorLength == 0:
                first.StartConnectorLength, first.EndConnectorLength = 0, first.StartConnectorLength
            if last.StartConnectorLength == 0:
                last.StartConnectorLength, last.EndConnectorLength = last.EndConnectorLength, 0


def _centre_accents(font: "TTFont") -> None:
    """Put the arrows and dots that combine with a symbol on both sides of their origin.

    They have no width and stand left of it, for the letter before them. In MathML they stand by themselves, above the
    middle of what they accent; Firefox moves them there by the font's attachment points, Chromium does not.
    """
    glyphs, widths, names = font["glyf"], font["hmtx"], font.getBestCmap()
    attachment = font["MATH"].table.MathGlyphInfo.MathTopAccentAttachment
    points = dict(zip(attachment.TopAccentCoverage.glyphs, attachment.TopAccentAttachment, strict=True))
    accents = [names[character] for character in SYMBOL_ACCENTS if character in names]
    for name in [*accents, *(f"{name}.ssty" for name in accents)]:
        if name not in widths.metrics or widths[name][0] or glyphs[name].isComposite():
            continue
        glyph = glyphs[name]
        shift = -round((glyph.xMin + glyph.xMax) / 2)
        glyph.coordinates.translate((shift, 0))
        glyph.recalcBounds(glyphs)
        widths[name] = (0, glyph.xMin)
        if name in points:
            points[name].Value += shift


def _lift_radicals(font: "TTFont") -> None:
    """Leave as much room below the bar of a root in a line as in a formula of its own.

    TeX shares out what the sign is too tall by; Chromium does not, and its bar touches the letter at some sizes.
    """
    constants = font["MATH"].table.MathConstants
    constants.RadicalVerticalGap.Value = constants.RadicalDisplayStyleVerticalGap.Value


def _thin_script_styles(font: "TTFont") -> None:
    """Keep one drawing for superscripts of all depths, and none for letters that are seldom in one."""
    names = font.getBestCmap()
    without = {names[c] for c in WITHOUT_SCRIPT_STYLE if c in names}
    table = font["GSUB"].table
    for number in _lookups(font, "ssty"):
        for part in table.LookupList.Lookup[number].SubTable:
            part.alternates = {
                name: [drawings[0]] * len(drawings) for name, drawings in part.alternates.items() if name not in without
            }


def _offer_to_all_scripts(font: "TTFont", *tags: str) -> None:
    """Let letters of all scripts have a feature that the font offers to the script "math" alone.

    Chromium takes the letters of a formula for Latin or Greek.
    """
    table = font["GSUB"].table
    numbers = [number for number, record in enumerate(table.FeatureList.FeatureRecord) if record.FeatureTag in tags]
    for record in table.ScriptList.ScriptRecord:
        systems = [record.Script.DefaultLangSys, *(one.LangSys for one in record.Script.LangSysRecord)]
        for system in filter(None, systems):
            system.FeatureIndex = sorted({*system.FeatureIndex, *numbers})
            system.FeatureCount = len(system.FeatureIndex)


def _lookups(font: "TTFont", tag: str) -> Iterable[int]:
    records = font["GSUB"].table.FeatureList.FeatureRecord
    return sorted({number for one in records if one.FeatureTag == tag for number in one.Feature.LookupListIndex})


def find_source() -> Path:
    """Return the font in `ziamath`, without importing that.

    Raises:
        FontNotMadeError: it is not there.
    """
    package = importlib.util.find_spec("ziamath")
    if package is None or not package.submodule_search_locations:
        raise FontNotMadeError("the package ziamath, which holds STIX Two Math, is not installed for the build")
    source = Path(package.submodule_search_locations[0], "fonts", "STIXTwoMath-Regular.ttf")
    if not source.is_file():
        raise FontNotMadeError(f"ziamath has no {source.name}; another version of it may")
    return source


def write_files(root: Path) -> None:
    """Write the font and its licence below ``root``, whole or not at all.

    Raises:
        FontNotMadeError: they could not be made or written.
    """
    try:
        font, copyright_line = make_font(find_source())
        for path, content in ((root / FONT, font), (root / LICENCE, OFL.format(copyright_line).encode())):
            if path.is_file() and path.read_bytes() == content:
                continue
            scratch = path.with_name(f".{path.name}.{os.getpid()}")
            scratch.write_bytes(content)
            scratch.replace(path)
    except FontNotMadeError:
        raise
    except Exception as error:  # whatever fonttools meets, the reader of the message wants one sentence
        raise FontNotMadeError(f"{type(error).__name__}: {error}") from error


class MathFontHook(BuildHookInterface[Any]):
    """Hatchling's way to us."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - the base class's names
        """Make the files before they are packed. A source archive holds none: its wheel makes them."""
        if self.target_name != "wheel":
            return
        try:
            write_files(Path(self.root))
        except FontNotMadeError as error:
            self.app.abort(f"Papershelf's math font could not be made: {error}.")


OFL = """\
{}

This Font Software is licensed under the SIL Open Font License, Version 1.1.
This license is copied below, and is also available with a FAQ at:
https://openfontlicense.org

stix-two-math.woff2 is a Modified Version: fewer glyphs, no hinting, no kerning.


-----------------------------------------------------------
SIL OPEN FONT LICENSE Version 1.1 - 26 February 2007
-----------------------------------------------------------

PREAMBLE
The goals of the Open Font License (OFL) are to stimulate worldwide development of collaborative
font projects, to support the font creation efforts of academic and linguistic communities, and to
provide a free and open framework in which fonts may be shared and improved in partnership with
others.

The OFL allows the licensed fonts to be used, studied, modified and redistributed freely as long as
they are not sold by themselves. The fonts, including any derivative works, can be bundled,
embedded, redistributed and/or sold with any software provided that any reserved names are not used
by derivative works. The fonts and derivatives, however, cannot be released under any other type of
license. The requirement for fonts to remain under this license does not apply to any document
created using the fonts or their derivatives.

DEFINITIONS
"Font Software" refers to the set of files released by the Copyright Holder(s) under this license
and clearly marked as such. This may include source files, build scripts and documentation.

"Reserved Font Name" refers to any names specified as such after the copyright statement(s).

"Original Version" refers to the collection of Font Software components as distributed by the
Copyright Holder(s).

"Modified Version" refers to any derivative made by adding to, deleting, or substituting -- in part
or in whole -- any of the components of the Original Version, by changing formats or by porting the
Font Software to a new environment.

"Author" refers to any designer, engineer, programmer, technical writer or other person who
contributed to the Font Software.

PERMISSION & CONDITIONS
Permission is hereby granted, free of charge, to any person obtaining a copy of the Font Software,
to use, study, copy, merge, embed, modify, redistribute, and sell modified and unmodified copies of
the Font Software, subject to the following conditions:

1) Neither the Font Software nor any of its individual components, in Original or Modified Versions,
may be sold by itself.

2) Original or Modified Versions of the Font Software may be bundled, redistributed and/or sold with
any software, provided that each copy contains the above copyright notice and this license. These
can be included either as stand-alone text files, human-readable headers or in the appropriate
machine-readable metadata fields within text or binary files as long as those fields can be easily
viewed by the user.

3) No Modified Version of the Font Software may use the Reserved Font Name(s) unless explicit
written permission is granted by the corresponding Copyright Holder. This restriction only applies
to the primary font name as presented to the users.

4) The name(s) of the Copyright Holder(s) or the Author(s) of the Font Software shall not be used to
promote, endorse or advertise any Modified Version, except to acknowledge the contribution(s) of the
Copyright Holder(s) and the Author(s) or with their explicit written permission.

5) The Font Software, modified or unmodified, in part or in whole, must be distributed entirely
under this license, and must not be distributed under any other license. The requirement for fonts
to remain under this license does not apply to any document created using the Font Software.

TERMINATION
This license becomes null and void if any of the above conditions are not met.

DISCLAIMER
THE FONT SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING
BUT NOT LIMITED TO ANY WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT OF COPYRIGHT, PATENT, TRADEMARK, OR OTHER RIGHT. IN NO EVENT SHALL THE COPYRIGHT
HOLDER BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, INCLUDING ANY GENERAL, SPECIAL,
INDIRECT, INCIDENTAL, OR CONSEQUENTIAL DAMAGES, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF THE USE OR INABILITY TO USE THE FONT SOFTWARE OR FROM OTHER DEALINGS IN THE
FONT SOFTWARE.
"""
