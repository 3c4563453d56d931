"""Questions about trips."""

from modules.offline.analysis import Analysis
from modules.offline.reading import Reading


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a question about a trip."""
    del analysis
    return []
