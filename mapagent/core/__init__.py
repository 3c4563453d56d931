"""The kernel: questions, programs, plans, evidence, answers, and the ports that everything else implements."""
