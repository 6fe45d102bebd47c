"""
What ONNX Runtime and the `tokenizers` library for Python make of some texts: `test/unit/models/fixtures/golden.json`.

    python3 -m venv venv && venv/bin/pip install -r tools/encoder/requirements.txt
    venv/bin/python tools/encoder/golden.py node_modules/.cache/agidb-models/minilm-int8.onnx
"""

import base64
import json
import sys
from pathlib import Path

import numpy
import onnxruntime
from tokenizers import Tokenizer

MAX_TOKENS = 128
TEXTS = [
    "The rent is due on Monday.",
    "When do I have to pay for my flat?",
    "Sarah: I recommended Bawri, a thai place in Bandra — it's great!",
    "Houston, we've had a problem. Main B Bus undervolt.",
    "Die Sauerstoffversorgung ist ausgefallen; José kommt später.",
    "東京で会いましょう 😀",
    "a",
    "…!?",
    "snake_case camelCase http://example.com/a?b=c 3.14159 1,000,000",
    "Cafe\u0301 de\u0301ja\u0300 vu \u00a0 non-breaking\tand\ttabs",
    " ".join(f"Sentence number {i} of a text that is longer than the model reads." for i in range(40)),
    "Antidisestablishmentarianism" * 8,
]

fixtures = Path(__file__).resolve().parents[2] / "test/unit/models/fixtures"
tokenizer = Tokenizer.from_file(str(fixtures / "tokenizer.json"))
tokenizer.no_padding()
tokenizer.enable_truncation(MAX_TOKENS)
session = onnxruntime.InferenceSession(sys.argv[1])


def golden(text: str) -> dict:
    encoding = tokenizer.encode(text)
    feeds = {
        "input_ids": numpy.array([encoding.ids], dtype=numpy.int64),
        "attention_mask": numpy.array([encoding.attention_mask], dtype=numpy.int64),
        "token_type_ids": numpy.array([encoding.type_ids], dtype=numpy.int64),
    }
    mean = session.run(["last_hidden_state"], feeds)[0][0].mean(axis=0)
    latent = (mean / numpy.linalg.norm(mean)).astype("<f4")
    return {"text": text, "tokens": len(encoding.ids), "latent": base64.b64encode(latent.tobytes()).decode()}


(fixtures / "golden.json").write_text(json.dumps([golden(text) for text in TEXTS], ensure_ascii=False, indent=1) + "\n")
