"""
A sound in each format that is read, and what SoX and ONNX Runtime make of it: `test/unit/models/audio/fixtures`.

    python3 -m venv venv && venv/bin/pip install numpy soundfile soxr onnxruntime
    venv/bin/python tools/senses/golden_sounds.py
"""

import base64
import json
from pathlib import Path

import numpy
import onnxruntime
import soundfile
import soxr

RATE, SECONDS, WINDOW, HOP, RANGE = 22_050, 2, 12_512, 6_256, 4
root = Path(__file__).resolve().parents[2]
fixtures = root / "test/unit/models/audio/fixtures"
models = root / "node_modules/.cache/agidb-models"
mel = onnxruntime.InferenceSession(models / "sound-mel.onnx")
embedding = onnxruntime.InferenceSession(models / "sound-embedding.onnx")


def voice(rate: int) -> numpy.ndarray:
    """Something like a voice: harmonics whose pitch and loudness move, under two formants, and some breath."""
    t = numpy.arange(rate * SECONDS) / rate
    phase = 2 * numpy.pi * numpy.cumsum(140 + 40 * numpy.sin(2 * numpy.pi * 1.3 * t)) / rate
    pitch = 140 + 40 * numpy.sin(2 * numpy.pi * 1.3 * t)
    sound = numpy.zeros_like(t)
    for n in range(1, 30):
        near = lambda f, width: numpy.exp(-(((n * pitch - f) / width) ** 2))
        formants = near(500 + 250 * numpy.sin(3 * t), 160) + 0.6 * near(1_500 + 600 * numpy.sin(5 * t), 220)
        sound += formants * numpy.sin(n * phase) / n**0.3
    sound *= 0.5 - 0.5 * numpy.cos(2 * numpy.pi * 2.5 * t)
    return 0.4 * sound / numpy.abs(sound).max() + 0.002 * numpy.random.default_rng(1).standard_normal(t.size)


def windows(sound: numpy.ndarray) -> list[numpy.ndarray]:
    sound = sound * (0.5 / numpy.abs(sound).max())
    sound = numpy.pad(sound, (0, max(0, WINDOW - sound.size)))
    last = sound.size - WINDOW
    starts = list(range(0, last, HOP)) + [last]
    heard = []
    for at in starts:
        samples = numpy.clip(sound[at : at + WINDOW], -1, 1).astype(numpy.float32)[None] * numpy.float32(32_767)
        heard.append(mel.run(None, {"input": samples})[0].reshape(1, 76, 32, 1) / 10 + 2)
    least = numpy.float32(numpy.max(heard) - RANGE)
    return [embedding.run(None, {"input_1": numpy.maximum(frames, least)})[0].reshape(96) for frames in heard]


def unit(vector: numpy.ndarray) -> numpy.ndarray:
    return vector / numpy.linalg.norm(vector)


def latent_of(sound: numpy.ndarray) -> numpy.ndarray:
    made = windows(sound)
    return unit(numpy.concatenate([unit(numpy.mean(made, 0)), unit(numpy.max(made, 0))]))


def recorded() -> numpy.ndarray:
    """The mean latent of every second recording of those that `npm run bench:senses` has fetched."""
    latents = []
    folder = root / "node_modules/.cache/agidb-bench/supersonic-scsynth-samples@0.84.2/samples"
    for path in sorted(folder.glob("*.flac"))[::2]:
        read, rate = soundfile.read(path, always_2d=True)
        latents.append(latent_of(soxr.resample(read[: 10 * rate].mean(1), rate, 16_000, "VHQ")))
    return numpy.mean(latents, 0)


fixtures.mkdir(parents=True, exist_ok=True)
centre = numpy.round(recorded(), 5)
(fixtures / "centre.json").write_text(json.dumps(centre.tolist()) + "\n")
sound = voice(RATE)
soundfile.write(fixtures / "voice.wav", sound, RATE, subtype="PCM_16")
soundfile.write(fixtures / "voice.flac", sound, RATE, subtype="PCM_16")
soundfile.write(fixtures / "voice.ogg", sound, RATE, format="OGG", subtype="VORBIS")
soundfile.write(fixtures / "voice.opus", soxr.resample(sound, RATE, 48_000, "VHQ"), 48_000, format="OGG", subtype="OPUS")
soundfile.write(fixtures / "voice.mp3", sound, RATE, format="MP3")
read, rate = soundfile.read(fixtures / "voice.wav", dtype="float64")
latent = unit(latent_of(soxr.resample(read, rate, 16_000, "VHQ")) - centre)
text = base64.b64encode(latent.astype("<f4").tobytes()).decode()
(fixtures / "golden.json").write_text(json.dumps({"sound": "voice.wav", "latent": text}, indent=1) + "\n")
