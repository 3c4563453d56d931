"""How answers to open questions are judged, and the figures of a run."""
