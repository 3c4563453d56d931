"""Multiple-choice questions in MapEval's five categories over any map (`mapagent generate mapeval`)."""
