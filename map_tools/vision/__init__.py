"""Maps as pictures: labels read by OCR, and the frame that makes them agree with a map."""
