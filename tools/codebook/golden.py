"""Writes test/golden/wordpiece.json: texts and the pieces that the `tokenizers` library cuts them into.

    /tmp/codebook/bin/python tools/codebook/golden.py
"""
import json
import random
from pathlib import Path

from minilm import tokenizer, vocabulary

OUT = Path(__file__).parents[2] / "test" / "golden" / "wordpiece.json"

WRITTEN = [
    "", " ", "\t\n\r", "a", "A", "I'm sure they've gone; haven't you?", "unaffable antidisestablishmentarianism", "[CLS] [SEP] [UNK] ##ing",
    "Sarah recommended Bawri, a Thai place in Bandra.", "3.14, 1,000,000 and 10:30 on 2023-05-07", "C++ a_b x-y e-mail@example.org #tag $5 100%",
    "https://example.org/a?b=c&d=%20#e", "don’t “quote” — dash… ‹x› «y»", "naïve café Ångström Škoda-Auto Żółć", "e\u0301 o\u0308 \u1e69 \u00df \ufb01ne \u0132",
    "İstanbul ISPARTA ıspanak I\u0307", "ΣΊΣΥΦΟΣ ΟΔΟΣ. Καλημέρα κόσμε", "Привет, КАК дела? Ёлка Йод", "我喜欢茶。東京タワー 㐀 豈 𠀀 abc東京def", "안녕하세요 세계", "ｱｲｳ カタカナ ひらがな が",
    "हिन्दी में किताब नमस्ते", "ภาษาไทยไม่มีช่องว่าง", "தமிழ் বাংলা ગુજરાતી", "مرحبا بالعالم، كَيْفَ؟ שָׁלוֹם", "Tiếng Việt có dấu", "zu\u0308rich Zürich ZÜRICH Straße",
    "😀🎉 👨\u200d👩\u200d👧 🇩🇪 👍🏽 ❤\ufe0f 1\ufe0f\u20e3", "a\u200bb a\u200cb a\u200db a\ufeffb a\u00adb", "a\u0000b a\u0001b a\u007fb a\u0085b a\u2028b a\u2029b", "a\u00a0b a\u3000b a\u2003b a\u202fb a\u1680b",
    "\ufffd x\ufffdy", "\ue000 private \U000f0000", "Ｆｕｌｌ　ｗｉｄｔｈ！", "½ ² ① Ⅷ ℃ № ™", "𝒳 𝔘 𝟙", "a" * 100, "a" * 101, "é" * 100, "é" * 101, "x " * 50, "ab" * 60 + " end", "😀" * 40, "😀" * 101,
    "中" * 120, "....!!!???", "--- === ~~~ ^^^ ``` |||", "¡Hola! ¿Qué tal?", "\u05be \u060c \u0964 \u3002 \u30fb \uff0c \u2e3a", "don't", "rock'n'roll", "U.S.A.", "O'Brien's", "supercalifragilisticexpialidocious",
    "x\ud7ffy", "ǅ ǆ Ǆ ȺȾ Ⱥ", "ſ K Å Ω", "\u1e9e STRASSE", "a\u0300\u0301\u0302\u0303b", "\u0300\u0301", "\u202eabc\u202c", "ok\u0007bell", "\x1b[31mred\x1b[0m",
]
ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ  .,!?'\"-", "0123456789.,:/- ", "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžĞğİıŞş ", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя ",
    "αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώΣΆ ", "日本語中文字汉語が を 、。", "अआइईउऊकखगघचछजझटठडढ ािीुूेैोौ्", "กขคงจฉชซดตถทนบปผพฟมยรลวสหอะาิีุเแโใไ่้ ", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي ًٌٍَُِّْ",
    "😀😁😂🎉🚀❤👍🏽\u200d\ufe0f ", "\u0000\u0001\t\n\r \u00a0\u200b\u200d\ufeff\u00adab",
]


def texts() -> list[str]:
    random.seed(20261121)
    made = list(WRITTEN)
    pieces = [piece.removeprefix("##") for piece in vocabulary() if not piece.startswith("[")]
    for alphabet in ALPHABETS:
        made += ["".join(random.choices(alphabet, k=random.randint(1, 40))) for _ in range(10)]
    for _ in range(150):
        parts = random.choices(pieces, k=random.randint(1, 8))
        joined = "".join(part + random.choice(["", " ", " ", ", ", "-", "\u200b"]) for part in parts)
        made.append(random.choice([joined, joined.title(), joined.upper()]))
    return made


if __name__ == "__main__":
    reference = tokenizer(vocabulary())
    cases = [[text, reference.encode(text, add_special_tokens=False).ids] for text in texts()]
    lines = ",\n".join(json.dumps(case, ensure_ascii=True, separators=(",", ":")) for case in cases)
    OUT.write_text(f"[\n{lines}\n]\n")
    print(len(cases), "texts", OUT)
