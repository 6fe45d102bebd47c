"""Measures codebooks by what they find: cosine of sums of latents, alone and beside BM25 over word pieces.

    python tools/codebook/measure.py --conversations DIR [--transcript FILE --questions FILE] CODEBOOK...

DIR holds conversations in the form of LoCoMo. FILE are a transcript as JSON lines (`speaker`, `text`) and its questions
(`question`, `gold`: numbers of lines). For each codebook: pieces weighted in memories and in the question (by nothing, by the
codebook's weight, by inverse document frequency in the memory, by the product of the two), and fewer components.
"""
import argparse
import json
import re
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

import asset
from fit import bags
from minilm import UNKNOWN, tokenizer, vocabulary

BM25_K1, BM25_B = 0.9, 0.4
COLUMNS = ("R@10", "R@20", "MRR", "fused R@10", "fused MRR")
FAR_COLUMNS = ("hit@10", "hit@100", "fused hit@10", "fused hit@100")


class Memory:
    """Texts, questions and which texts answer them."""

    def __init__(self, said: list[str], asked: list[str], gold: list[list[int]]):
        pieces = vocabulary()
        cut = tokenizer(pieces)
        bag = lambda items: bags([[i for i in one.ids if i != UNKNOWN] for one in cut.encode_batch(items, add_special_tokens=False)], len(pieces))
        self.texts, self.questions, self.gold = bag(said), bag(asked), gold
        self.texts.sum_duplicates()
        frequency = np.asarray((self.texts > 0).sum(0)).ravel()
        self.idf = np.where(frequency > 0, np.log(1 + (len(said) - frequency + 0.5) / (frequency + 0.5)), 0)
        lengths = np.asarray(self.texts.sum(1)).ravel()
        counts = self.texts.tocoo()
        norm = BM25_K1 * (1 - BM25_B + BM25_B * lengths[counts.row] / lengths.mean())
        weighted = sparse.csr_matrix((counts.data * (BM25_K1 + 1) / (counts.data + norm), (counts.row, counts.col)), self.texts.shape)
        self.bm25 = ((self.questions > 0).multiply(self.idf) @ weighted.T).toarray()

    def cosines(self, rows: np.ndarray, in_text: np.ndarray, in_question: np.ndarray) -> np.ndarray:
        sums = [unit(bag.multiply(weights).tocsr() @ rows) for bag, weights in ((self.questions, in_question), (self.texts, in_text))]
        return sums[0] @ sums[1].T

    def positions(self, scores: np.ndarray) -> list[np.ndarray]:
        """For each question, at which places its answers come."""
        places = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
        return [np.sort(places[i, gold]) for i, gold in enumerate(self.gold)]

    def found(self, scores: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
        return self.positions(scores), self.positions(standard(scores) + standard(self.bm25))


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def standard(scores: np.ndarray) -> np.ndarray:
    return (scores - scores.mean(1, keepdims=True)) / (scores.std(1, keepdims=True) + 1e-9)


def conversation(file: Path) -> Memory:
    data = json.loads(file.read_text())
    data = data.get("conversation", {}) | data
    said, place = [], {}
    for session in range(1, 100):
        for turn in data.get(f"session_{session}") or []:
            place[turn["dia_id"]] = len(said)
            shared = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            said.append(f"{turn['speaker']}: {turn['text']}{shared}")
    evidence = [sorted({place[id] for text in q.get("evidence", []) for id in re.findall(r"D\d+:\d+", text) if id in place}) for q in data["qa"]]
    asked = [(q["question"], gold) for q, gold in zip(data["qa"], evidence) if gold]
    return Memory(said, [question for question, _ in asked], [gold for _, gold in asked])


def transcript(lines: Path, questions: Path) -> Memory:
    said = [json.loads(line) for line in lines.read_text().splitlines()]
    asked = [one for one in json.loads(questions.read_text()) if one["gold"]]
    texts = [f"{one['speaker']}: {one['text']}" if one.get("speaker") else one["text"] for one in said]
    return Memory(texts, [one["question"] for one in asked], [one["gold"] for one in asked])


def recall(places: list[np.ndarray], k: int) -> float:
    return float(np.mean([(one < k).mean() for one in places]))


def hit(places: list[np.ndarray], k: int) -> float:
    return float(np.mean([one[0] < k for one in places]))


def mrr(places: list[np.ndarray]) -> float:
    return float(np.mean([1 / (1 + one[0]) for one in places]))


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--conversations", type=Path, required=True)
    options.add_argument("--transcript", type=Path)
    options.add_argument("--questions", type=Path)
    options.add_argument("codebooks", type=Path, nargs="+")
    given = options.parse_args()
    memories = [conversation(file) for file in sorted(given.conversations.glob("*.json"))]
    far = transcript(given.transcript, given.questions) if given.transcript else None
    print("| codebook | dimension | memory, question | " + " | ".join(COLUMNS + (FAR_COLUMNS if far else ())) + " |")
    for file in given.codebooks:
        _, rows, weight = asset.read(file)
        kinds = {"none": lambda one: np.ones(len(weight)), "weight": lambda one: weight, "idf": lambda one: one.idf, "idf × weight": lambda one: one.idf * weight}
        schemes = [(in_text, in_question, 256) for in_text, in_question in (("idf", "idf"), ("none", "idf"), ("weight", "idf"), ("weight", "weight"), ("weight", "idf × weight"))]
        schemes += [("weight", "idf × weight", dimension) for dimension in (192, 128, 64)]
        for in_text, in_question, dimension in schemes:
            score = lambda one: one.found(one.cosines(rows[:, :dimension], kinds[in_text](one), kinds[in_question](one)))
            alone, fused = (sum(places, []) for places in zip(*map(score, memories)))
            figures = [recall(alone, 10), recall(alone, 20), mrr(alone), recall(fused, 10), mrr(fused)]
            if far:
                alone, fused = score(far)
                figures += [hit(alone, 10), hit(alone, 100), hit(fused, 10), hit(fused, 100)]
            print(f"| {file.stem} | {dimension} | {in_text}, {in_question} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |", flush=True)
