"""
Makes a small pair of towers of texts and sounds for `dualEncoder`, and golden files. No weights are downloaded: the
tokenizer is that of `two_towers.py`, the text tower adds the vectors of three words, and the last layer of the sound
tower is fitted to it by ridge regression on tones and noise.

    venv/bin/python tools/senses/sound_towers.py test/unit/models/dual/fixtures

Reads `tokenizer.json`. Writes `words.onnx` (`input_ids` int64 [1, 16] to `pooler_output` [1, 32]; like SigLIP's, it
takes 16 tokens and no fewer, takes no mask, and what fills a text up counts), `audio.onnx` (`input_values` float32 [1, 1024]
to `audio_embeds` [1, 32]) and `golden-sounds.json`: embeddings by ONNX Runtime for Python.
"""

import base64
import json
import sys
from pathlib import Path

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

RATE, WINDOW, TOKENS, WIDTH, FILTERS = 8_000, 1_024, 16, 32, 24
TEXTS = ("a low tone", "a high tone", "a hiss")
WORDS = ("low", "high", "hiss")
FILLING = 3


def sound(kind, random):
    """A sound of a window, as loud as chance says, in whole numbers of 16 bits."""
    low, high = {"low": (150, 400), "high": (1_500, 3_000), "hiss": (0, 0)}[kind]
    turns = random.uniform(low, high) * numpy.arange(WINDOW) / RATE + random.uniform()
    wave = random.normal(size=WINDOW) / 3 if kind == "hiss" else numpy.sin(2 * numpy.pi * turns)
    noisy = random.uniform(0.2, 0.9) * (wave + 0.02 * random.normal(size=WINDOW))
    return numpy.rint(32_767 * numpy.clip(noisy, -1, 1)).astype("<i2")


def samples(whole):
    return (whole / 32_768).astype(numpy.float32)[None]


def saved(path, nodes, given, taken, tensors):
    made = helper.make_graph(nodes, path.stem, [given], [taken], tensors)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString(deterministic=True))
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


def floats(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def text_tower(path, tokenizer, directions, filling, other):
    """The mean of the vectors of all tokens."""
    table = numpy.zeros((tokenizer.get_vocab_size(), WIDTH), numpy.float32)
    for word, direction in directions.items():
        table[tokenizer.encode(word, add_special_tokens=False).ids[-1]] = direction
    table[FILLING], table[FILLING + 1] = 0.02 * filling, 0.02 * other
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["vectors"]),
        helper.make_node("ReduceMean", ["vectors"], ["pooler_output"], axes=[1], keepdims=0),
    ]
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, TOKENS])
    return saved(path, nodes, ids, floats("pooler_output", 1, WIDTH), [numpy_helper.from_array(table, "table")])


def sound_tower(path, filters, last, bias):
    """Random filters, the mean and the greatest of each, and a fitted last layer."""
    nodes = [
        helper.make_node("Unsqueeze", ["input_values", "axis"], ["channel"]),
        helper.make_node("Conv", ["channel", "filters"], ["filtered"], strides=[4]),
        helper.make_node("Relu", ["filtered"], ["positive"]),
        helper.make_node("GlobalAveragePool", ["positive"], ["mean"]),
        helper.make_node("GlobalMaxPool", ["positive"], ["most"]),
        helper.make_node("Concat", ["mean", "most"], ["both"], axis=1),
        helper.make_node("Flatten", ["both"], ["flat"]),
        helper.make_node("Gemm", ["flat", "last", "bias"], ["audio_embeds"]),
    ]
    tensors = {"axis": numpy.array([1]), "filters": filters, "last": last, "bias": bias}
    stored = [numpy_helper.from_array(value, name) for name, value in tensors.items()]
    return saved(path, nodes, floats("input_values", 1, WINDOW), floats("audio_embeds", 1, last.shape[1]), stored)


def main(folder):
    folder = Path(folder)
    random = numpy.random.default_rng(11)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    axes = numpy.linalg.qr(random.normal(size=(WIDTH, WIDTH)))[0].astype(numpy.float32)
    directions = dict(zip(WORDS, axes))
    text = text_tower(folder / "words.onnx", tokenizer, directions, *axes[len(WORDS) :][:2])
    filters = (random.normal(size=(FILTERS, 1, 48)) / 7).astype(numpy.float32)
    wide = 2 * FILTERS
    body = sound_tower(folder / "audio.onnx", filters, numpy.eye(wide, dtype="f4"), numpy.zeros(wide, "f4"))
    run = lambda session, value: session.run(None, {session.get_inputs()[0].name: value})[0]
    train = [(word, sound(word, random)) for word in WORDS for _ in range(200)]
    x = numpy.concatenate([run(body, samples(whole)) for _, whole in train])
    y = numpy.stack([directions[word] for word, _ in train])
    centre = x.mean(0)
    last = numpy.linalg.solve((x - centre).T @ (x - centre) + 1e-2 * numpy.eye(wide), (x - centre).T @ (y - y.mean(0)))
    bias = y.mean(0) - centre @ last
    audio = sound_tower(folder / "audio.onnx", filters, last.astype("f4"), bias.astype("f4"))
    unit = lambda v: v / numpy.linalg.norm(v)
    of_sound = lambda whole: unit(run(audio, samples(whole))[0])

    def of_text(words):
        ids = tokenizer.encode(words).ids
        return unit(run(text, numpy.array([ids + [FILLING] * (TOKENS - len(ids))]))[0])

    words = numpy.stack([of_text(words) for words in TEXTS])
    tests = [(word, sound(word, random)) for word in WORDS for _ in range(100)]
    right = sum(WORDS[int((words @ of_sound(whole)).argmax())] == word for word, whole in tests)
    print(f"of {len(tests)} new sounds {right} are nearest to their words")
    packed = lambda v: base64.b64encode(numpy.ascontiguousarray(v).tobytes()).decode()
    golden = []
    for text_of, word in zip(TEXTS, WORDS):
        whole = sound(word, random)
        latents = {"ofText": of_text(text_of), "ofSound": of_sound(whole)}
        packed_latents = {name: packed(value.astype("<f4")) for name, value in latents.items()}
        golden.append({"words": text_of, "int16": packed(whole), **packed_latents})
    (folder / "golden-sounds.json").write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")
    for name in ("words.onnx", "audio.onnx", "golden-sounds.json"):
        print(name, (folder / name).stat().st_size)


main(*sys.argv[1:])
