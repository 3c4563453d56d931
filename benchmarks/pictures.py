"""Time and memory of reading the text of many pictures: `python -m benchmarks.pictures FOLDER`."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.measure import peak_mb
from evals.metrics.statistics import quantile
from map_tools.vision.ocr import RapidLabelReader

TENTHS = 10
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp"})


def measure(pictures: list[Path], threads: int) -> dict[str, Any]:
    """Reads the pictures one after the other, in this process.

    Returns:
        Seconds a picture (the first opens the models and is left out), and the peak memory in MB after each
        tenth of the pictures.
    """
    reader = RapidLabelReader(threads)
    seconds: list[float] = []
    peaks_mb: list[float] = []
    step = max(1, len(pictures) // TENTHS)
    for number, picture in enumerate(pictures, start=1):
        start = perf_counter()
        reader.read_labels(picture.read_bytes())
        seconds.append(perf_counter() - start)
        if number % step == 0:
            peaks_mb.append(round(peak_mb(), 1))
    warm = seconds[1:] or seconds
    return {
        "pictures": len(pictures),
        "threads": threads,
        "median_s": round(quantile(warm, 0.5) or 0.0, 3),
        "p95_s": round(quantile(warm, 0.95) or 0.0, 3),
        "peaks_mb": peaks_mb,
    }


def main() -> None:
    """Measures a folder of pictures and prints JSON."""
    parser = ArgumentParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    given: Namespace = parser.parse_args()
    pictures = sorted(path for path in given.folder.iterdir() if path.suffix.lower() in SUFFIXES)
    if not pictures:
        parser.error(f"there are no pictures in {given.folder}")
    sys.stdout.write(json.dumps(measure(pictures[: given.limit], given.threads)) + "\n")


if __name__ == "__main__":
    main()
