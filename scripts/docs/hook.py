"""A hook of MkDocs (https://www.mkdocs.org/user-guide/configuration/#hooks): adds the generated pages."""

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.docs.reference import pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the reference to the pages that stand in the folder."""
    for name, text in pages().items():
        files.append(File.generated(config, f"reference/{name}", content=text))
    return files
