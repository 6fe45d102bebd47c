"""
Makes two small models of clips for `videoEncoder`, with random weights, and golden files. They take four pictures of
48 × 48 pixels, as V-JEPA 2 takes its own: a convolution over time and space cuts them into tubes, a layer follows.

    python3 -m venv venv && venv/bin/pip install -r tools/senses/requirements.txt
    venv/bin/python tools/senses/clip_model.py test/unit/models/dual/fixtures test/unit/models/video/fixtures

Writes `tokens.onnx` (float32 [1, 4, 3, 48, 48] to a vector for each tube, [1, 18, 24]), `vector.onnx` (float32
[1, 3, 4, 48, 48] to [1, 24]) and `golden.json`: latents of clips by ONNX Runtime for Python, and the mean of pictures,
each by how long it is shown, by the picture tower of the first folder. Pictures are named by their place in the golden
file of that folder.
"""

import base64
import json
import sys
from pathlib import Path

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

PICTURES, SIZE, TUBE, WIDTH = 4, 48, 16, 24
MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)  # those of the picture tower
CLIPS = [[0, 1, 2, 3], [3, 2, 1, 0], [4, 4, 4, 4], [5, 9, 5, 9]]
SCENES = [[[0, 2_000], [5, 1_000]], [[7, 500]], [[1, 1_500], [6, 500], [11, 2_500]]]


def saved(path, nodes, shape, output, tensors):
    graph = helper.make_graph(
        nodes,
        path.stem,
        [helper.make_tensor_value_info("pixel_values_videos", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(*output)],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString(deterministic=True))
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


def main(towers, folder):
    towers, folder = Path(towers), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    random = numpy.random.default_rng(11)
    weights = random.normal(size=(WIDTH, 3, 2, TUBE, TUBE)) / numpy.sqrt(3 * 2 * TUBE**2)
    layer = random.normal(size=(WIDTH, WIDTH)) / numpy.sqrt(WIDTH)
    tensors = [
        numpy_helper.from_array(value.astype(numpy.float16).astype(numpy.float32), name)
        for name, value in (("tubes", weights), ("layer", layer))
    ]
    tubes = (PICTURES // 2) * (SIZE // TUBE) ** 2
    body = lambda source: [
        helper.make_node("Conv", [source, "tubes"], ["cut"], strides=[2, TUBE, TUBE]),
        helper.make_node("Tanh", ["cut"], ["bent"]),
        helper.make_node("Reshape", ["bent", "flat"], ["columns"]),
        helper.make_node("Transpose", ["columns"], ["rows"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["rows", "layer"], ["last_hidden_state"]),
    ]
    flat = numpy_helper.from_array(numpy.array([1, WIDTH, tubes]), "flat")
    turned = helper.make_node("Transpose", ["pixel_values_videos"], ["turned"], perm=[0, 2, 1, 3, 4])
    tokens = saved(
        folder / "tokens.onnx",
        [turned, *body("turned")],
        [1, PICTURES, 3, SIZE, SIZE],
        ("last_hidden_state", TensorProto.FLOAT, [1, tubes, WIDTH]),
        [*tensors, flat],
    )
    mean = helper.make_node("ReduceMean", ["last_hidden_state"], ["pooled"], axes=[1], keepdims=0)
    vector = saved(
        folder / "vector.onnx",
        [*body("pixel_values_videos"), mean],
        [1, 3, PICTURES, SIZE, SIZE],
        ("pooled", TensorProto.FLOAT, [1, WIDTH]),
        [*tensors, flat],
    )
    shown = json.loads((towers / "golden.json").read_text(encoding="utf-8"))["pictures"]
    rgb = [numpy.frombuffer(base64.b64decode(one["rgb"]), numpy.uint8).reshape(SIZE, SIZE, 3) for one in shown]
    prepared = [((one / 255 - MEAN) / STD).astype(numpy.float32).transpose(2, 0, 1) for one in rgb]
    image = onnxruntime.InferenceSession(str(towers / "image.onnx"), providers=["CPUExecutionProvider"])
    unit = lambda v: v / numpy.linalg.norm(v)
    packed = lambda v: base64.b64encode(v.astype("<f4").tobytes()).decode()

    def of_clip(clip):
        pictures = numpy.stack([prepared[i] for i in clip])[None]
        one = unit(tokens.run(None, {"pixel_values_videos": pictures})[0][0].mean(0))
        other = unit(vector.run(None, {"pixel_values_videos": pictures.transpose(0, 2, 1, 3, 4).copy()})[0][0])
        assert abs(one @ other - 1) < 1e-5
        return one

    def of_scenes(scenes):
        latents = [unit(image.run(None, {"pixel_values": prepared[i][None]})[0][0]) for i, _ in scenes]
        return unit(sum(lasts * latent for latent, (_, lasts) in zip(latents, scenes)))

    golden = {
        "clips": [{"pictures": clip, "latent": packed(of_clip(clip))} for clip in CLIPS],
        "scenes": [{"scenes": scenes, "latent": packed(of_scenes(scenes))} for scenes in SCENES],
    }
    (folder / "golden.json").write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")
    for file in sorted(folder.iterdir()):
        print(file.name, file.stat().st_size)


main(*sys.argv[1:])
