"""
Makes a small pair of towers for `dualEncoder`, with a byte BPE tokenizer like CLIP's, and golden files. No weights are
downloaded: the tokenizer is trained on captions of shapes, the text tower adds the vectors of colours and shapes, and
the last layer of the picture tower is fitted to it by ridge regression on drawn shapes.

    python3 -m venv venv && venv/bin/pip install -r tools/senses/requirements.txt
    venv/bin/python tools/senses/two_towers.py test/unit/models/dual/fixtures

Writes `text.onnx` (`input_ids`, `attention_mask` int64 [1, tokens] to `text_embeds` [1, 32]; like CLIP's, an output
`last_hidden_state` stands beside it), `image.onnx` (`pixel_values` float32 [1, 3, 48, 48] to `image_embeds` [1, 32]),
`tokenizer.json` and `golden.json`: token ids by `tokenizers`, embeddings by ONNX Runtime for Python.
"""

import base64
import json
import sys
from pathlib import Path

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

SIZE, WIDTH = 48, 32
COLOURS = {"red": (220, 40, 40), "green": (40, 170, 60), "blue": (50, 70, 220), "yellow": (235, 210, 40)}
SHAPES = ("square", "circle", "triangle")
MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)  # those of CLIP
START, END = "<|startoftext|>", "<|endoftext|>"
# The pattern of CLIP: contractions, letters, single digits, and what is left.
SPLIT = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
TEXTS = ["a red square", "A  Blue CIRCLE!", "the yellow triangle's corner", "7 green circles, 42 dots", "naïve 東京 😀", ""]


def tokenizer():
    made = Tokenizer(models.BPE(unk_token=END, continuing_subword_prefix="", end_of_word_suffix="</w>"))
    made.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(SPLIT), "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    captions = [f"{a} {colour} {shape}" for a in ("a", "the") for colour in COLOURS for shape in SHAPES]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=4_000,
        special_tokens=[START, END],
        initial_alphabet=alphabet,
        end_of_word_suffix="</w>",
        show_progress=False,
    )
    made.train_from_iterator(captions + sorted(alphabet), trainer)
    # A letter may end a word without having done so in a caption.
    state = json.loads(made.to_str())
    vocabulary = state["model"]["vocab"]
    for letter in sorted(alphabet):
        vocabulary.setdefault(letter + "</w>", len(vocabulary))
    made = Tokenizer.from_str(json.dumps(state))
    end, start = made.token_to_id(END), made.token_to_id(START)
    made.post_processor = processors.RobertaProcessing((END, end), (START, start), False, False)
    made.enable_truncation(24)
    return made


def drawn(colour, shape, random):
    """A shape of four samples a side of a pixel, somewhere on grey; pixels from 0 to 255."""
    r = random.uniform(0.18, 0.34) * SIZE
    x, y = random.uniform(r, SIZE - r, 2)
    at = (numpy.arange(4 * SIZE) + 0.5) / 4
    dx, dy = at[None, :] - x, at[:, None] - y
    inside = {
        "square": numpy.maximum(abs(dx), abs(dy)) < 0.85 * r,
        "circle": dx**2 + dy**2 < r**2,
        "triangle": (dy < 0.7 * r) & (dy > 2 * abs(dx) - 1.1 * r),
    }[shape]
    share = inside.reshape(SIZE, 4, SIZE, 4).mean(axis=(1, 3))[..., None]
    ground = random.uniform(150, 245)
    ink = numpy.clip(numpy.array(COLOURS[colour]) + random.uniform(-15, 15, 3), 0, 255)
    return numpy.rint(share * ink + (1 - share) * ground).astype(numpy.uint8)


def prepared(picture):
    return ((picture / 255 - MEAN) / STD).astype(numpy.float32).transpose(2, 0, 1)[None]


def saved(path, nodes, inputs, outputs, tensors):
    made = helper.make_graph(nodes, path.stem, inputs, outputs, tensors)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString(deterministic=True))
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


def text_tower(path, made, directions):
    """The mean of the vectors of the tokens that the mask keeps."""
    table = numpy.zeros((made.get_vocab_size(), WIDTH), numpy.float32)
    for word, direction in directions.items():
        ids = made.encode(word, add_special_tokens=False).ids
        table[ids[-1]] = direction
    table[made.token_to_id(END)] = 0.01
    tensors = [numpy_helper.from_array(table, "table"), numpy_helper.from_array(numpy.array([2]), "last")]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
        helper.make_node("Mul", ["last_hidden_state", "wide"], ["taken"]),
        helper.make_node("ReduceMean", ["taken"], ["text_embeds"], axes=[1], keepdims=0),
    ]
    ids = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in ("input_ids", "attention_mask")]
    outputs = [
        helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [1, "n", WIDTH]),
        helper.make_tensor_value_info("text_embeds", TensorProto.FLOAT, [1, WIDTH]),
    ]
    return saved(path, nodes, ids, outputs, tensors)


def image_tower(path, features, last, bias):
    """Two random convolutions, the mean and the greatest of each map, and a fitted last layer."""
    names = ("w1", "b1", "w2", "b2")
    tensors = [numpy_helper.from_array(value, name) for name, value in zip(names, features)]
    nodes = [
        helper.make_node("Conv", ["pixel_values", "w1", "b1"], ["c1"], pads=[3, 3, 3, 3], strides=[2, 2]),
        helper.make_node("Relu", ["c1"], ["r1"]),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], pads=[2, 2, 2, 2], strides=[2, 2]),
        helper.make_node("Relu", ["c2"], ["r2"]),
        helper.make_node("GlobalAveragePool", ["r2"], ["mean"]),
        helper.make_node("GlobalMaxPool", ["r2"], ["most"]),
        helper.make_node("Concat", ["mean", "most"], ["both"], axis=1),
        helper.make_node("Flatten", ["both"], ["flat"]),
    ]
    output = "flat"
    if last is not None:
        tensors += [numpy_helper.from_array(last, "last"), numpy_helper.from_array(bias, "bias")]
        nodes.append(helper.make_node("Gemm", ["flat", "last", "bias"], ["image_embeds"]))
        output = "image_embeds"
    wide = 2 * features[2].shape[0] if last is None else WIDTH
    pixels = helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, [1, 3, SIZE, SIZE])
    return saved(path, nodes, [pixels], [helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, wide])], tensors)


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(7)
    made = tokenizer()
    (folder / "tokenizer.json").write_text(made.to_str(pretty=False) + "\n", encoding="utf-8")
    axes = numpy.linalg.qr(random.normal(size=(WIDTH, WIDTH)))[0].astype(numpy.float32)
    directions = dict(zip([*COLOURS, *SHAPES], axes))
    text = text_tower(folder / "text.onnx", made, directions)
    he = lambda *shape: (random.normal(size=shape) * numpy.sqrt(2 / numpy.prod(shape[1:]))).astype(numpy.float32)
    small = lambda count: random.normal(scale=0.3, size=count).astype(numpy.float32)
    features = [he(32, 3, 7, 7), small(32), he(160, 32, 5, 5), small(160)]
    features = [value.astype(numpy.float16).astype(numpy.float32) for value in features]
    body = image_tower(folder / "image.onnx", features, None, None)
    pairs = [(colour, shape) for colour in COLOURS for shape in SHAPES]
    sample = lambda count: [(pair, drawn(*pair, random)) for pair in pairs for _ in range(count)]
    run = lambda pictures: numpy.concatenate([body.run(None, {"pixel_values": prepared(p)})[0] for p in pictures])
    train = sample(150)
    x = run([picture for _, picture in train])
    centre, spread = x.mean(0), x.std(0) + 1e-3
    x = (x - centre) / spread
    y = numpy.stack([directions[colour] + directions[shape] for (colour, shape), _ in train])
    z = numpy.linalg.solve(x.T @ x + 1.0 * numpy.eye(x.shape[1]), x.T @ (y - y.mean(0)))
    last = (z / spread[:, None]).astype(numpy.float32)
    bias = (y.mean(0) - (centre / spread) @ z).astype(numpy.float32)
    image = image_tower(folder / "image.onnx", features, last, bias)
    unit = lambda v: v / numpy.linalg.norm(v, axis=-1, keepdims=True)

    def of_text(words):
        ids = numpy.array([made.encode(words).ids])
        return unit(text.run(["text_embeds"], {"input_ids": ids, "attention_mask": numpy.ones_like(ids)})[0][0])

    of_image = lambda picture: unit(image.run(None, {"pixel_values": prepared(picture)})[0][0])
    words = numpy.stack([of_text(f"a {colour} {shape}") for colour, shape in pairs])
    tests = sample(40)
    right = sum(pairs[int((words @ of_image(p)).argmax())] == pair for pair, p in tests)
    print(f"of {len(tests)} new pictures {right} are nearest to their words")
    packed = lambda v: base64.b64encode(numpy.ascontiguousarray(v).tobytes()).decode()
    golden = {
        "texts": [
            {"text": t, "ids": made.encode(t).ids, "latent": packed(of_text(t).astype("<f4"))} for t in TEXTS
        ],
        "pictures": [
            {
                "words": f"a {colour} {shape}",
                "rgb": packed(p),
                "latent": packed(of_image(p).astype("<f4")),
            }
            for (colour, shape), p in sample(1)
        ],
    }
    (folder / "golden.json").write_text(json.dumps(golden, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for file in sorted(folder.iterdir()):
        print(file.name, file.stat().st_size)


main(*sys.argv[1:])
