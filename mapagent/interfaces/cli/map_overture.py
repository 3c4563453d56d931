"""`mapagent map add --overture PLACES.parquet`: places of Overture Maps beside those of OpenStreetMap."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import UsageError

if TYPE_CHECKING:
    from map_tools.overture.info import OvertureInfo
    from map_tools.overture.joining import OvertureChoice

_LEFT_OUT = {
    "unsure": "below confidence {confidence:g}",
    "closed": "closed for good",
    "kindless": "of a kind that the map does not know",
    "repeated": "repeated",
    "unreadable": "without id, name or position",
    "outside": "outside the map",
}


def take_places(parser: ArgumentParser) -> None:
    """Declares the file of places, and what it is good enough for."""
    parser.add_argument(
        "--overture",
        type=Path,
        metavar="PLACES.parquet",
        help="places of Overture Maps to unite with those of OpenStreetMap (needs mapagent[sql])",
    )
    parser.add_argument(
        "--overture-confidence",
        type=float,
        metavar="SHARE",
        help="leave out places that Overture is less sure of, 0 to 1 (default: 0.5)",
    )


def check(given: Namespace) -> None:
    """What goes with the file of places, and what does not.

    Raises:
        UsageError: A confidence without file, or that is no share; or a map in a database.
    """
    sure = given.overture_confidence
    if given.overture is None:
        if sure is not None:
            raise UsageError("--overture-confidence is for places of Overture Maps.", "Give --overture too.")
        return
    if given.to:
        raise UsageError("A database keeps no places of Overture Maps.", "Leave out --to, or --overture.")
    if sure is not None and not 0 <= sure <= 1:
        raise UsageError(f"--overture-confidence {sure} is no number from 0 to 1.", "Give a share, like 0.5.")


def chosen(given: Namespace) -> "OvertureChoice | None":
    """The places that are asked for; None if there are none to be.

    Raises:
        InputFileError: The file is none of places.
        ConfigError: What reads it is not installed.
    """
    if given.overture is None:
        return None
    from map_tools.overture.joining import OvertureChoice
    from map_tools.overture.source import OvertureFile

    file, sure = OvertureFile(given.overture), given.overture_confidence
    return OvertureChoice(file) if sure is None else OvertureChoice(file, sure)


def tell(info: "OvertureInfo") -> None:
    """Says what has become of the places."""
    counts = info.counts
    print(f"Overture Maps: {counts['united']} places united with OpenStreetMap's, {counts['added']} added.")
    left_out = [
        f"{counts[why]} {words.format(confidence=info.confidence)}"
        for why, words in _LEFT_OUT.items()
        if counts[why]
    ]
    if left_out:
        print(f"Left out: {', '.join(left_out)}.")
    if not info.held:
        print("No place of the file has come to the map; is it of another area?", file=sys.stderr)
