import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.sources.encoding import Decoded, UndecodableError, decode, find_encoding

SENTENCES = (
    "We study how a network of small agents shares one memory and forgets what nobody asks for.",
    "The method splits each task into steps, and a verifier scores every step before the next begins.",
    "On four public sets the error falls by 12.5% while the cost stays below that of the baseline (p < 0.05).",
    "Our proof needs only that the loss is convex near its minimum; no bound on the gradient is assumed.",
    "Code and data are available, and the appendix lists all settings of the experiments.",
    "A second experiment asks whether the gain remains when labels are noisy, and it does for most classes.",
)
SPECIAL_WORDS = (
    *("naïve", "Poincaré", "Schrödinger", "Müller", "café", "Gödel", "coöperative", "Fréchet", "Señor", "São Paulo"),
    *("Hölder’s inequality", "the model’s memory", "“wider is better”", "2019–2024", "a trade-off—often hidden—"),
    *("±0.3", "0.5±0.1", "20 °C", "5 µm", "Ångström", "n×m", "Bézier", "§3", "don’t", "‘soft’", "…and so on", "Itô"),
    *("Kähler", "Lévy", "résumé", "façade", "El Niño", "10 €", "vis-à-vis", "Übung", "Strauß", "P²Net"),
)
FRENCH = "Nous étudions une méthode d’apprentissage où chaque étape est vérifiée. L’erreur décroît, même lentement."
GERMAN = "Wir untersuchen, wie künstliche neuronale Netze größere Datenmengen verarbeiten können."
SPANISH = "Estudiamos cómo una red pequeña comparte su memoria según la tarea. ¿Qué ocurre después?"
POLISH = "Badamy, w jaki sposób mała sieć uczy się z niewielu przykładów. Metoda mierzy błąd każdej próby."
CZECH = "Zkoumáme, jak se malá síť učí z několika příkladů. Metoda měří chybu každého vzorku."
HUNGARIAN = "Azt vizsgáljuk, hogyan tanul egy kis hálózat kevés példából, és szólunk a bővülő körök időigényéről is."
TURKISH = "Küçük bir ağın az sayıda örnekten nasıl öğrendiğini inceliyoruz. Şimdilik üç açık soru kalıyor."
RUSSIAN = "Мы изучаем, как небольшая сеть учится на немногих примерах. Метод измеряет ошибку каждого шага."
GREEK = "Μελετούμε πώς ένα μικρό δίκτυο μαθαίνει από λίγα παραδείγματα."
SIMPLIFIED = "我们研究一个小型网络如何从少量样本中学习。该方法在每一步之前都进行验证，因此误差会稳定下降。"
TRADITIONAL = "我們研究一個小型網路如何從少量樣本中學習。該方法在每一步之前都進行驗證，因此誤差會穩定下降。"
JAPANESE = "本研究では、小さなネットワークが少数の例からどのように学習するかを調べる。"
KOREAN = "우리는 작은 신경망이 적은 수의 예제로부터 어떻게 학습하는지 연구한다."
ENGLISH = "\n\n".join(SENTENCES)


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16-le"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32-le"),
        ("utf-32-be", "utf-32-be"),
    ],
)
@pytest.mark.parametrize("text", [ENGLISH, f"ICML 2025 论文列表\n\n{SIMPLIFIED}\n", "é x", "🙂 and 𝒪(n)"])
def test_unicode_encodings_are_recognised_with_and_without_mark(codec: str, name: str, text: str) -> None:
    assert decode(text.encode(codec)) == Decoded(text, name)


@pytest.mark.parametrize(
    ("mark", "codec"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\x00\x00\xfe\xff", "utf-32-be")]
)
def test_marks_of_byte_order_are_no_text(mark: bytes, codec: str) -> None:
    assert decode(mark + "Größe".encode(codec)) == Decoded("Größe", codec)
    assert decode(mark) == Decoded("", codec)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (FRENCH, "cp1252"),
        (GERMAN, "cp1252"),
        (SPANISH, "cp1252"),
        (POLISH, "cp1250"),
        (CZECH, "cp1250"),
        (CZECH, "iso8859_2"),
        (HUNGARIAN, "cp1250"),
        (TURKISH, "cp1254"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "cp866"),
        (RUSSIAN, "iso8859_5"),
        (GREEK, "cp1253"),
        (SIMPLIFIED, "gbk"),
        (SIMPLIFIED, "gb18030"),
        (TRADITIONAL, "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (KOREAN, "euc_kr"),
        ("It’s a “new” — and better — way of reading, isn’t it", "mac_roman"),
        ("It’s a “new” way of reading, isn’t it? So the authors say.", "gb18030"),
    ],
)
@pytest.mark.parametrize("around", ["{}", f"{SENTENCES[0]}\n\n{{}}\n\n{SENTENCES[1]}"])
def test_legacy_encodings_are_guessed_alone_and_among_english(text: str, codec: str, around: str) -> None:
    whole = around.format(text)

    assert decode(whole.encode(codec)).text == whole


@pytest.mark.parametrize(
    ("heading", "codec", "name"),
    [
        ("ICML 2025 论文列表", "gbk", "gb18030"),
        ("机器学习会议论文", "gbk", "gb18030"),
        ("ICML 2025 論文列表", "big5", "big5"),
        ("ICML 2025 論文のリスト", "shift_jis", "cp932"),
    ],
)
def test_a_short_heading_tells_the_encoding_of_english_abstracts(heading: str, codec: str, name: str) -> None:
    text = f"{heading}\n\n{ENGLISH}\n"

    assert decode(text.encode(codec)) == Decoded(text, name)


def test_short_english_abstracts_with_few_special_characters_are_cp1252() -> None:
    chance = random.Random(7)
    wrong = []
    for _ in range(300):
        words = " ".join(chance.choices(SENTENCES, k=chance.randint(2, 10))).split()
        for word in chance.sample(SPECIAL_WORDS, chance.choice([1, 1, 2, 3])):
            words.insert(chance.randrange(len(words) + 1), word)
        text = " ".join(words)
        if decode(text.encode("cp1252")) != Decoded(text, "cp1252"):
            wrong.append(text)

    assert wrong == []


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        ("naïve – “x”".encode()[:-1], 15),
        ("é".encode() * 20 + b"\xff" + "é".encode() * 20, 40),
        ("Müller and Gödel".encode().replace(b"del", b"d\xe9l"), 16),
        (b"don\xe2\x80t", 3),
        (b"plain text with a stray wo\xffrd", 26),
        (b"\xef\xbb\xbfabc\xff", 6),
        (b"\xff\xfea\x00b", 4),
        ("\ufeffa\ud800b".encode("utf-16-le", "surrogatepass"), 4),
        (ENGLISH.encode() * 4000 + "é".encode() * 5 + b"\x80", len(ENGLISH.encode()) * 4000 + 10),
    ],
)
def test_broken_bytes_are_an_error_with_their_place(data: bytes, offset: int) -> None:
    with pytest.raises(UndecodableError) as caught:
        decode(data)

    assert caught.value.offset == offset
    assert f"byte {offset:,}".replace(",", "") in str(caught.value)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"%PDF-1.7\n1 0 obj", "PDF"),
        (b"PK\x03\x04 and so on", "zip"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "office"),
        (b"text\x00\x01\x02 with NULs", "binary"),
        (bytes(range(1, 256)) * 8, "binary"),
        (b"\x01\x02\x03\x04" * 9, "binary"),
    ],
)
def test_what_is_no_text_is_refused_by_name(data: bytes, word: str) -> None:
    with pytest.raises(UndecodableError, match=word):
        decode(data)


def test_a_lost_glyph_among_much_text_stays_a_control_character() -> None:
    text = ENGLISH + "bene\x00ts and bene\x0cfits, off\x02line"

    assert decode(text.encode()) == Decoded(text, "utf-8")


def test_long_streams_are_read_in_pieces() -> None:
    text = "é" * 3_000_001

    assert find_encoding(io.BytesIO(b"x" + text.encode())).name == "utf-8"


def decode_or_fault(data: bytes) -> Decoded | UndecodableError:
    try:
        return decode(data)
    except UndecodableError as error:
        return error


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_an_error(data: bytes) -> None:
    result = decode_or_fault(data)

    if isinstance(result, UndecodableError):
        assert 0 <= result.offset <= len(data)
    else:
        assert "\ufffd" not in result.text or result.text.encode(result.encoding) in data


@given(st.text(max_size=200))
def test_any_utf8_text_is_read_as_it_is(text: str) -> None:
    result = decode_or_fault(text.encode())

    if isinstance(result, UndecodableError):
        assert any(ord(char) < 32 or char == "\x7f" for char in text)
    elif result.encoding == "utf-8":
        assert result.text == text.removeprefix("\ufeff")
    else:
        assert "\x00" in text or "\x1b" in text
