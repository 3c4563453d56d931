"""The one wrapper of RapidOCR: PP-OCR models, which its wheel brings along (Apache-2.0), run by OpenVINO.

Where the processor computes in bfloat16 OpenVINO needs six tenths of the time that onnxruntime takes for the two
networks (`docs/results/vision.md`). By itself it keeps what it prepared for every size of picture and line it saw;
here they run in little memory.

https://rapidai.github.io/RapidOCRDocs/ ; the models: https://github.com/PaddlePaddle/PaddleOCR ;
https://docs.openvino.ai/2026/openvino-workflow/running-inference.html (Apache-2.0)
"""

import ctypes
import sys
import threading
from importlib.util import find_spec
from io import BytesIO
from math import atan2, degrees
from typing import Any

from map_tools.errors import ConfigError
from map_tools.vision.boxes import Box, Rgb

LEAST_SCORE = 0.6
"""Below this PP-OCR mostly reads icons and textures."""
UPRIGHT_DEG = 6.0
"""Lines turned by less are taken as level: the corners of short words are rough."""
DARK_GROUND = 330
"""Sum of red, green and blue below which the ground of a label is dark."""
STEEP = 1.5
"""A box so many times as high as wide holds text that runs up or down."""


def is_available() -> bool:
    """True if the packages of the extra `vision` are installed; nothing is imported."""
    return all(find_spec(name) is not None for name in ("rapidocr", "openvino", "cv2"))


class RapidLabelReader:
    """Reads labels offline (`map_tools.vision.boxes.LabelReader`).

    Args:
        threads: How many processors one picture may use. Two threads of one core are hardly faster than one.

    Raises:
        ConfigError: The packages are not installed.
    """

    def __init__(self, threads: int = 2) -> None:
        if not is_available():
            raise ConfigError(
                "Text in pictures cannot be read: the package rapidocr is not installed.",
                "Install it with: pip install 'mapagent[vision]'.",
            )
        self._threads = threads
        self._lock = threading.Lock()
        self._engine: Any = None

    def read_labels(self, picture: bytes) -> tuple[Box, ...]:
        """The lines of text, from top to bottom. One picture at a time: the engine holds 600 MB."""
        import numpy as np
        from PIL import Image

        with Image.open(BytesIO(picture)) as image:
            pixels = np.asarray(image.convert("RGB"))
        with self._lock:
            if self._engine is None:
                self._engine = _open_engine(self._threads)
            mirrored = pixels[:, :, ::-1].copy()  # RapidOCR takes OpenCV's order: blue, green, red
            found = self._engine(mirrored, use_det=True, use_rec=True)
            self._engine.text_rec.session.free()
        if found.boxes is None or found.txts is None:
            return ()
        boxes = (
            _box(text, corners, float(score), pixels)
            for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
            if score >= LEAST_SCORE and text.strip()
        )
        return tuple(sorted(boxes, key=lambda box: (box.y0, box.x0)))


def _open_engine(threads: int) -> Any:
    import numpy as np
    from rapidocr import EngineType, RapidOCR

    silence_openvino()
    engine: Any = RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,  # upside-down text does not occur on maps
            "Det.engine_type": EngineType.OPENVINO,
            "Rec.engine_type": EngineType.OPENVINO,
            "Rec.rec_batch_num": 1,  # padding lines to one another costs memory and saves no time
        }
    )
    blank = np.zeros((48, 48, 3), np.uint8)
    engine(blank, use_det=True, use_rec=False)  # opens the one network ...
    engine(blank, use_det=False, use_rec=True)  # ... and the other
    engine.text_det.session = Network(engine.text_det.session.model, threads, frees=True)
    engine.text_rec.session = Network(engine.text_rec.session.model, threads, frees=False)
    return engine


def _box(text: str, corners: Any, score: float, pixels: Any) -> Box:
    """Corners run clockwise from where the text begins at the top."""
    x0, y0 = (float(value) for value in corners.min(axis=0))
    x1, y1 = (float(value) for value in corners.max(axis=0))
    (ax, ay), (bx, by) = corners[0], corners[1]
    angle = degrees(atan2(float(ay - by), float(bx - ax)))
    if y1 - y0 > STEEP * (x1 - x0) and len(text) > 2:
        angle = angle if abs(angle) > UPRIGHT_DEG else 90.0
    return Box(
        text=" ".join(text.split()), x0=x0, y0=y0, x1=x1, y1=y1, score=score,
        angle_deg=0.0 if abs(angle) <= UPRIGHT_DEG else angle,
        color=letter_color(pixels[max(0, int(y0)) : int(y1) + 1, max(0, int(x0)) : int(x1) + 1]),
    )  # fmt: skip


def letter_color(patch: Any) -> Rgb | None:
    """The colour of the letters in a patch (height × width × RGB): the darkest tenth of its pixels.

    Labels stand out dark from a light halo, whatever is painted beneath them; on dark maps it is the other
    way round, so there the lightest tenth counts.
    """
    import numpy as np

    flat = patch.reshape(-1, 3).astype(np.float64)
    if not len(flat):
        return None
    light = flat.sum(axis=1)
    if np.median(light) < DARK_GROUND:
        letters = flat[light >= np.quantile(light, 0.9)]
    else:
        letters = flat[light <= np.quantile(light, 0.1)]
    red, green, blue = np.median(letters, axis=0)
    return int(red), int(green), int(blue)


SETTINGS = {
    "CPU_RUNTIME_CACHE_CAPACITY": "0",  # lines are seldom of one size again
    "ENABLE_CPU_PINNING": "NO",  # two threads tied to processors that others use wait for one another
    "PERFORMANCE_HINT": "LATENCY",
}


class Network:
    """A network in the place of a session of RapidOCR's.

    Args:
        model: The network as OpenVINO has read it.
        threads: How many processors it may use.
        frees: Give the memory of each run back when it has ended. It is much where whole pictures go in, and
            other work follows.
    """

    def __init__(self, model: Any, threads: int, *, frees: bool) -> None:
        from openvino import Core

        settings = {**SETTINGS, "INFERENCE_NUM_THREADS": str(threads)}
        self._compiled = Core().compile_model(model, "CPU", settings)
        self._request = self._compiled.create_infer_request()
        self._frees = frees

    def __call__(self, values: Any) -> Any:
        """The network's output for an array of batch × channels × height × width."""
        self._request.infer([values])
        output = self._request.get_output_tensor().data.copy()
        if self._frees:
            self.free()
        return output

    def free(self) -> None:
        """Gives back the memory that runs have left behind."""
        self._compiled.release_memory()
        trim_memory()


def silence_openvino() -> None:
    """Keeps OpenVINO, which is not imported yet, from reporting its import to its makers.

    It does without the package that reports where that is missing (`openvino/tools/ovc/telemetry_utils.py`),
    and a module entered as None is (https://docs.python.org/3/reference/import.html#the-module-cache).
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]


def trim_memory() -> None:
    """Has the C library give freed memory back to the system, where it keeps it for itself.

    Only glibc has to be told (https://man7.org/linux/man-pages/man3/malloc_trim.3.html).
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
