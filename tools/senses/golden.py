"""
What Pillow and ONNX Runtime make of some pictures of this repository: `test/unit/models/image/fixtures/golden.json`.

    python3 -m venv venv && venv/bin/pip install numpy pillow onnxruntime
    venv/bin/python tools/senses/golden.py
"""

import base64
import json
from pathlib import Path

import numpy
import onnxruntime
from PIL import Image

root = Path(__file__).resolve().parents[2]
fixtures = root / "test/unit/models/image/fixtures"
session = onnxruntime.InferenceSession(fixtures / "efficientnet-lite0.onnx")


def golden(name: str) -> dict:
    picture = Image.open(root / name).convert("RGBA")
    white = Image.new("RGBA", picture.size, (255, 255, 255, 255))
    picture = Image.alpha_composite(white, picture).convert("RGB")
    width, height = picture.size
    side = min(width, height)
    box = ((width - side) / 2, (height - side) / 2, (width + side) / 2, (height + side) / 2)
    square = picture.resize((224, 224), Image.Resampling.BILINEAR, box=box)
    pixels = ((numpy.asarray(square, numpy.float32) - 127) / 128).transpose(2, 0, 1)[None]
    latent = session.run(["embedding"], {"pixels": pixels})[0][0]
    latent -= latent.mean()
    latent /= numpy.linalg.norm(latent)
    return {"picture": name, "latent": base64.b64encode(latent.astype("<f4").tobytes()).decode()}


pages = ["test/unit/models/image/fixtures/page.png", "test/unit/models/image/fixtures/panels.png"]
names = ["demo/public/icon-512.png", *pages]
(fixtures / "golden.json").write_text(json.dumps([golden(name) for name in names], indent=1) + "\n")
