"""Fits latents of pieces so that their sum over a text points where the encoder points."""
import numpy as np
import scipy.sparse as sparse

# Smooth inverse frequency (Arora, Liang and Ma 2017): where a piece of unknown use starts from.
SIF = 1e-3
# How much a piece stays where it was, in texts: a piece that is seen less often moves less. 0.3 to 3 differ by less than .004.
INERTIA = 3.0
ROUNDS, STEPS = 2, 12


def bags(texts: list[list[int]], count: int) -> sparse.csr_matrix:
    """How often each piece occurs in each text."""
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    pieces = np.concatenate([np.array(text, np.int64) for text in texts])
    return sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, pieces)), shape=(len(texts), count))


def rarity(counts: sparse.csr_matrix) -> np.ndarray:
    """A weight from 0 (in every text) to 1 (never seen) for each piece."""
    seen = np.asarray(counts.sum(0)).ravel() + 0.1
    return (SIF / (SIF + seen / seen.sum())).astype(np.float32)


def fit(counts: sparse.csr_matrix, targets: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Ridge regression around `start`, by conjugate gradients, of the targets on the pieces.

    Only the direction of a sum counts, so that each text has a length of its own: it is fitted in turn with the latents.
    """
    lengths = np.asarray(counts.sum(1)).ravel()
    texts = (sparse.diags(1 / np.sqrt(np.maximum(lengths, 1))) @ counts).tocsr().astype(np.float32)
    scale = best_scale(texts @ start, targets)
    typical = np.median(scale[scale > 0])
    latents = start * typical
    origin = latents.copy()
    scale = np.ones(len(lengths), np.float32)
    for _ in range(ROUNDS):
        scaled = (sparse.diags(scale) @ texts).tocsr()
        back = scaled.T.tocsr()
        residual = back @ (targets - scaled @ latents) + INERTIA * (origin - latents)
        direction = residual.copy()
        size = (residual**2).sum(0)
        for _ in range(STEPS):
            change = back @ (scaled @ direction) + INERTIA * direction
            step = size / ((direction * change).sum(0) + 1e-12)
            latents += step * direction
            residual -= step * change
            new = (residual**2).sum(0)
            direction = residual + new / (size + 1e-20) * direction
            size = new
        scale = best_scale(texts @ latents, targets).clip(0.3, 3).astype(np.float32)
    return latents


def best_scale(sums: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """By which number each sum comes nearest to its target."""
    return (sums * targets).sum(1) / ((sums**2).sum(1) + 1e-6)
