"""Writes the fixtures of test/unit/models/gliner: tiny GLiNER models with random weights, and what the Python package
makes of some texts with them: tensors, logits and decoded spans. And the same models with weights of 8 bits.

    python -m venv VENV && VENV/bin/pip install torch gliner==0.2.27 "transformers<5" onnx onnxruntime sympy
    VENV/bin/python tools/gliner/make-fixtures.py test/unit/models/gliner/fixtures
"""

import json
import re
import sys
from pathlib import Path

import numpy
import onnx
import onnxruntime
import torch
from gliner import GLiNER
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

OUT = Path(sys.argv[1])
LABELS = ["person", "place", "organisation", "date"]
TEXTS = [
    "Sarah recommended Bawri, a thai place in Bandra.",
    "José Škoda-Auto 😀 東京",
    "x_y-z--w",
    "नमस्ते दुनिया",
    "a\u200bb \u0085 c \ufeff d \x1c e",
    "Tom works at Initech in Lisbon since May 2019 and his sister Ann moved from Oslo to the old town of Graz last week.",
    "Yes.",
]
WORD = re.compile(r"\w+(?:[-_]\w+)*|\S")  # WhitespaceTokenSplitter of the package
THRESHOLDS = {"span": 0.4, "token": 0.5}


def tokenizer(folder):
    """A WordPiece tokenizer of few pieces, so that words have several."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    made.train_from_iterator(TEXTS + LABELS, trainers.WordPieceTrainer(vocab_size=160, special_tokens=special))
    cls, sep = made.token_to_id("[CLS]"), made.token_to_id("[SEP]")
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", cls), ("[SEP]", sep)]
    )
    named = dict(unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")
    PreTrainedTokenizerFast(tokenizer_object=made, **named).save_pretrained(folder)


def model(kind, folder):
    torch.manual_seed(17)
    tokenizer(folder)
    config = dict(
        model_type="gliner_uni_encoder_token" if kind == "token" else "gliner_uni_encoder_span",
        model_name=str(folder),
        span_mode="token_level" if kind == "token" else "markerV0",
        hidden_size=32,
        max_width=12,
        max_len=24,
        num_rnn_layers=1,
        dropout=0.0,
        vocab_size=-1,
        encoder_config=dict(
            model_type="bert",
            vocab_size=200,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=256,
        ),
    )
    made = GLiNER.from_config(config, backbone_from_pretrained=False, _attn_implementation="eager")
    # Random weights of the usual size give logits that are all alike; larger ones give scores that are all 1.
    with torch.no_grad():
        for name, weight in made.model.named_parameters():
            if weight.dim() > 1:
                weight.mul_(3.0 if kind == "token" else 2.2)
    return made.eval()


def words_of(text, tokenizer):
    """The words of a text that have a token, by UTF-16 offsets."""
    to16 = lambda at: len(text[:at].encode("utf-16-le")) // 2
    found = [(match.group(), to16(match.start()), to16(match.end())) for match in WORD.finditer(text)]
    return [word for word in found if tokenizer(word[0], add_special_tokens=False)["input_ids"]]


def decoded(made, words, classes, logits, batch, threshold):
    answers = {}
    for name, flat, multi in [("flat", True, False), ("nested", False, False), ("multi", True, True)]:
        options = dict(flat_ner=flat, threshold=threshold, multi_label=multi)
        if "span_idx" in batch:
            options.update(model_input=batch)
        spans = made.decoder.decode([[word for word, _, _ in words]], classes, logits, **options)[0]
        answers[name] = [[words[s.start][1], words[s.end][2], s.entity_type, round(s.score, 5)] for s in spans]
    return answers


def case(made, text, labels, session, threshold):
    transformer = made.data_processor.transformer_tokenizer
    words = words_of(text, transformer)
    collator = made.data_collator_class(
        made.config,
        data_processor=made.data_processor,
        return_tokens=True,
        return_entities=True,
        return_id_to_classes=True,
        prepare_labels=False,
    )
    batch = collator(made.prepare_base_input([[word for word, _, _ in words]]), entity_types=labels)
    names = [one.name for one in session.get_inputs()]
    feeds = {name: batch[name].numpy() for name in names}
    logits = session.run(None, feeds)[0]
    tensors = {name: dict(dims=list(value.shape), data=value.astype(int).flatten().tolist()) for name, value in feeds.items()}
    return dict(
        text=text,
        labels=labels,
        threshold=threshold,
        words=words,
        tensors=tensors,
        logits=dict(dims=list(logits.shape), data=[round(float(one), 5) for one in logits.flatten()]),
        spans=decoded(made, words, batch["id_to_classes"], torch.from_numpy(logits), batch, threshold),
    )


def old_layout(path, out):
    """The same model with the output of versions up to 0.2.17: [3, B, L, C]."""
    graph = onnx.load(str(path))
    output = graph.graph.output[0]
    for node in graph.graph.node:
        for i, name in enumerate(node.output):
            if name == output.name:
                node.output[i] = "logits_last"
    graph.graph.node.append(onnx.helper.make_node("Transpose", ["logits_last"], [output.name], perm=[3, 0, 1, 2]))
    del graph.graph.output[:]
    shape = [3, "batch", "words", "classes"]
    graph.graph.output.append(onnx.helper.make_tensor_value_info(output.name, onnx.TensorProto.FLOAT, shape))
    onnx.checker.check_model(graph)
    onnx.save(graph, str(out))


def mean_spans(golden):
    """Spans of a token model as versions up to 0.2.16 scored them: by the mean of the inside scores; not overlapping."""
    dims, least = golden["logits"]["dims"], golden["threshold"]
    scores = 1 / (1 + numpy.exp(-numpy.array(golden["logits"]["data"], dtype=numpy.float32).reshape(dims)[0]))
    found = []
    for c in range(dims[2]):
        for s in range(dims[1]):
            for e in range(s, dims[1]):
                inside = scores[s : e + 1, c, 2]
                if scores[s, c, 0] > least and scores[e, c, 1] > least and not (inside < least).any():
                    found.append((s, e, c, float(inside.mean())))
    found.sort(key=lambda one: (one[0], one[2], one[1]))
    kept = []
    for one in sorted(found, key=lambda one: -one[3]):
        if all(one[0] > other[1] or other[0] > one[1] for other in kept):
            kept.append(one)
    words = golden["words"]
    return [[words[s][1], words[e][2], golden["labels"][c], round(score, 5)] for s, e, c, score in sorted(kept)]


def main():
    for kind in ["span", "token"]:
        folder = OUT / kind
        folder.mkdir(parents=True, exist_ok=True)
        made = model(kind, folder)
        made.export_to_onnx(folder, opset=17)
        quantize_dynamic(folder / "model.onnx", folder / "model-quantised.onnx", weight_type=QuantType.QInt8)
        session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
        cases = [case(made, text, LABELS, session, THRESHOLDS[kind]) for text in TEXTS]
        cases.append(case(made, TEXTS[0], ["person"], session, THRESHOLDS[kind]))
        if kind == "token":
            for one in cases:
                one["spans"]["mean"] = mean_spans(one)
            old_layout(folder / "model.onnx", folder / "model-leading.onnx")
        (folder / "golden.json").write_text(json.dumps(cases, ensure_ascii=True))
        for unused in ["tokenizer_config.json", "special_tokens_map.json"]:
            (folder / unused).unlink(missing_ok=True)
        sizes = {one.name: one.stat().st_size for one in folder.iterdir()}
        print(kind, sizes, [len(one["spans"]["flat"]) for one in cases])


main()
