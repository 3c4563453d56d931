"""`python -m engines NAME FOLDER`: asks one engine the tasks in a folder; prints the figures as JSON."""

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.map_engine.asking import answer_to

name, folder = sys.argv[1], Path(sys.argv[2])
answer_to(import_module(f"engines.{name}").make(folder), folder)
