"""Unanswerable twins: questions whose context lost the lines that decide them."""
