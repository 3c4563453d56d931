"""RapidOCR's two networks, run by OpenVINO in little memory (Apache-2.0).

Where the processor computes in bfloat16 it needs six tenths of the time that onnxruntime takes for them
(`docs/results/vision.md`). By itself it keeps what it prepared for every size of picture and line it saw.

https://docs.openvino.ai/2026/openvino-workflow/running-inference.html
"""

import ctypes
import sys
from typing import Any

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
