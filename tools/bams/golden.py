"""
What rsatoolbox and SciPy make of random patterns: `test/unit/bams/golden.json`.

    python3 -m venv venv && venv/bin/pip install -r tools/bams/requirements.txt
    venv/bin/python tools/bams/golden.py
"""

import io
import itertools
import json
import base64
import warnings
from pathlib import Path

import numpy
import scipy.optimize
import scipy.spatial.distance
import scipy.stats
from rsatoolbox.data import Dataset
from rsatoolbox.inference.noise_ceiling import boot_noise_ceiling
from rsatoolbox.rdm import RDMs, calc_rdm, compare

warnings.filterwarnings("ignore")
METHODS = {"spearman": "spearman", "tau-a": "tau-a", "tau-b": "kendall", "pearson": "corr", "cosine": "cosine"}
random = numpy.random.default_rng(20)


def vectors(rdms):
    return rdms.get_vectors().tolist()


def of_patterns(patterns):
    return {
        "correlation": vectors(calc_rdm(Dataset(patterns), method="correlation"))[0],
        "euclidean": vectors(calc_rdm(Dataset(patterns), method="euclidean"))[0],
        "cosine": scipy.spatial.distance.pdist(patterns, "cosine").tolist(),
    }


def explained(predictors, outcome):
    """The share of variance that a regression with an intercept explains."""
    design = numpy.column_stack([numpy.ones(len(outcome)), *predictors])
    weights = numpy.linalg.lstsq(design, outcome, rcond=None)[0]
    return 1 - numpy.sum((outcome - design @ weights) ** 2) / numpy.sum((outcome - outcome.mean()) ** 2)


def attribution(components, subjects):
    ranked = [scipy.stats.rankdata(one) for one in components]
    outcomes = [scipy.stats.rankdata(one) for one in subjects]
    share = lambda predictors: float(numpy.mean([explained(predictors, one) for one in outcomes]))
    total = share(ranked)
    unique = [total - share(ranked[:i] + ranked[i + 1 :]) for i in range(len(ranked))]
    return {"total": total, "unique": unique, "alone": [share([one]) for one in ranked]}


def exact_p(model, subjects, stimuli, method):
    """Of all orders of the stimuli of the model, the share that agrees with the subjects at least as well."""
    square = scipy.spatial.distance.squareform(model)
    agree = lambda vector: float(numpy.mean(compare(RDMs(vector[None]), RDMs(subjects), method)))
    observed = agree(model) - 1e-12
    orders = [list(order) for order in itertools.permutations(range(stimuli))]
    shuffled = [scipy.spatial.distance.squareform(square[numpy.ix_(order, order)], checks=False) for order in orders]
    return float(numpy.mean([agree(one) >= observed for one in shuffled]))


def without_pairs_of_one(vector, drawn):
    """As rsatoolbox leaves pairs of a stimulus with itself out."""
    square = scipy.spatial.distance.squareform(vector)[numpy.ix_(drawn, drawn)]
    upper = numpy.triu_indices(len(drawn), 1)
    different = numpy.asarray(drawn)[upper[0]] != numpy.asarray(drawn)[upper[1]]
    return square[upper][different]


def npy(array, version=None):
    file = io.BytesIO()
    numpy.lib.format.write_array(file, array, version)
    return {"file": base64.b64encode(file.getvalue()).decode(), "shape": list(array.shape), "values": array.ravel("C").tolist()}


def case(stimuli, units, subjects, rounded):
    shape = (stimuli, units)
    base = random.normal(size=shape)
    patterns = base + random.normal(size=shape)
    measured = [base + random.normal(size=shape) for _ in range(subjects)]
    model = numpy.array(of_patterns(patterns)["correlation"])
    other = numpy.array(of_patterns(random.normal(size=shape) + 0.3 * base)["euclidean"])
    responses = numpy.array([of_patterns(one)["correlation"] for one in measured])
    if rounded:
        model, other, responses = numpy.round(model, 1), numpy.round(other, 1), numpy.round(responses, 1)
    drawn = random.integers(0, stimuli, stimuli).tolist()
    drawn_model = without_pairs_of_one(model, drawn)
    drawn_responses = numpy.array([without_pairs_of_one(one, drawn) for one in responses])
    # compare() of rsatoolbox takes vectors of whole matrices only; its functions of two vectors take any.
    pair = {
        "spearman": lambda a, b: scipy.stats.spearmanr(a, b)[0],
        "pearson": lambda a, b: scipy.stats.pearsonr(a, b)[0],
        "cosine": lambda a, b: a @ b / numpy.sqrt(a @ a * (b @ b)),
        "tau-b": lambda a, b: scipy.stats.kendalltau(a, b)[0],
    }
    result = {
        "stimuli": stimuli,
        "patterns": patterns.tolist(),
        "dissimilarities": of_patterns(patterns),
        "model": model.tolist(),
        "other": other.tolist(),
        "responses": responses.tolist(),
        "drawn": drawn,
        "comparisons": {},
        "attribution": attribution([model, other], responses),
    }
    for name, method in METHODS.items():
        lower, upper = boot_noise_ceiling(RDMs(responses), method)
        result["comparisons"][name] = {
            "similarity": float(numpy.mean(compare(RDMs(model[None]), RDMs(responses), method))),
            "ceiling": {"lower": float(lower), "upper": float(upper)},
            **({"p": exact_p(model, responses, stimuli, method)} if stimuli <= 6 else {}),
            **(
                {"drawn": float(numpy.mean([pair[name](drawn_model, one) for one in drawn_responses]))}
                if name in pair
                else {}
            ),
        }
    return result


signatures = random.integers(0, 256, (6, 32), dtype=numpy.uint8)
bits = numpy.unpackbits(signatures, axis=1)
surprises = random.uniform(size=(40, 3))
external = 2 + surprises @ [0.7, 0.2, -0.4] + random.normal(scale=0.1, size=40)
centred = surprises - surprises.mean(0)
grid = numpy.arange(24, dtype=float).reshape(2, 3, 4) - 7.5
golden = {
    "cases": [case(6, 9, 3, False), case(6, 5, 4, True), case(13, 20, 5, False), case(17, 4, 2, True)],
    "signatures": signatures.tolist(),
    "hamming": scipy.spatial.distance.pdist(bits, "hamming").tolist(),
    "surprises": surprises.tolist(),
    "external": external.tolist(),
    "weights": scipy.optimize.nnls(centred, external - external.mean())[0].tolist(),
    "files": [
        npy(grid.astype(kind), version)
        for kind, version in [("<f4", (1, 0)), (">f4", (2, 0)), ("<f8", (3, 0)), (">f8", None)]
    ]
    + [npy(numpy.asfortranarray(grid.astype("<f8"))), npy(numpy.asfortranarray(grid[0].astype(">f4")))]
    + [npy(numpy.array([[-3, 100], [7, 0]], kind)) for kind in ("i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8")]
    + [npy(numpy.array([3, 200], kind)) for kind in ("u1", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8")]
    + [npy(numpy.array(2.5)), npy(numpy.zeros((0, 3)))],
}
target = Path(__file__).resolve().parents[2] / "test/unit/bams/golden.json"
target.write_text(json.dumps(golden) + "\n")
