"""The sequencer: puts evidence in order and derives what follows from it (MapAgent paper, section 3.3)."""
