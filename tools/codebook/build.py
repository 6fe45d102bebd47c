"""Builds src/codebook/built/minilm-256.bin: a latent for every word piece of all-MiniLM-L6-v2.

    python3 -m venv /tmp/codebook && /tmp/codebook/bin/pip install --no-deps -r tools/codebook/requirements.txt
    /tmp/codebook/bin/python tools/codebook/build.py [--dimension 256] [--out FILE]

Every piece goes through the model alone, between [CLS] and [SEP]; the mean of all pieces is taken off, and the principal
components are kept. The codebook is then a table: no model is needed where it is used.
"""
import argparse
import re
from pathlib import Path

import numpy as np

import asset
from minilm import Encoder, vocabulary

OUT = Path(__file__).parents[2] / "src" / "codebook" / "built" / "minilm-256.bin"
SPECIAL = re.compile(r"\[(PAD|UNK|CLS|SEP|MASK|unused\d+)\]")


def piece_vectors(pieces: list[str]) -> np.ndarray:
    """What the model makes of each piece alone, centred; zero for the pieces that no text has."""
    vectors = Encoder().encode([[i] for i in range(len(pieces))])
    real = np.array([not SPECIAL.fullmatch(piece) for piece in pieces])
    vectors -= vectors[real].mean(0)
    vectors[~real] = 0
    return vectors


def principal(vectors: np.ndarray, dimension: int) -> np.ndarray:
    """The vectors in their first principal components."""
    _, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    return (vectors @ axes[:, ::-1][:, :dimension]).astype(np.float32)


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--dimension", type=int, default=256)
    options.add_argument("--out", type=Path, default=OUT)
    given = options.parse_args()
    pieces = vocabulary()
    rows = principal(piece_vectors(pieces), given.dimension)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    print(asset.write(given.out, pieces, rows, np.ones(len(pieces), np.float32)), given.out)
