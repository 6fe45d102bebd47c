"""The binary file of a codebook; docs/codebook.md describes it, src/codebook/parse.ts reads it."""
import hashlib
import struct
from pathlib import Path

import numpy as np

MAGIC = b"AGIDBCBK"
VERSION = 1


def write(path: Path, pieces: list[str], rows: np.ndarray, weights: np.ndarray) -> str:
    """Writes rows (count x dimension) as int8 with a scale each, and a weight each. Returns the id."""
    count, dimension = rows.shape
    scales = (np.abs(rows).max(1) / 127).astype("<f4")
    quantised = np.zeros((count, dimension), np.int8)
    used = scales > 0
    quantised[used] = np.rint(rows[used] / scales[used, None]).clip(-127, 127)
    text = "\n".join(pieces).encode()
    padding = b"\n" * (-len(text) % 4)
    body = b"".join([scales.tobytes(), weights.astype("<f4").tobytes(), text + padding, quantised.tobytes()])
    digest = hashlib.sha256(body).digest()[:8]
    head = MAGIC + struct.pack("<IIII", VERSION, dimension, count, len(text) + len(padding)) + digest
    path.write_bytes(head + body)
    return digest.hex()


def read(path: Path) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The pieces, the rows as float32, and the weights."""
    data = path.read_bytes()
    version, dimension, count, length = struct.unpack_from("<IIII", data, 8)
    assert data[:8] == MAGIC and version == VERSION
    scales = np.frombuffer(data, "<f4", count, 32)
    weights = np.frombuffer(data, "<f4", count, 32 + 4 * count)
    pieces = data[32 + 8 * count : 32 + 8 * count + length].decode().rstrip("\n").split("\n")
    rows = np.frombuffer(data, np.int8, count * dimension, 32 + 8 * count + length).reshape(count, dimension)
    return pieces, rows * scales[:, None], weights
