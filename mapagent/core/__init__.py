"""The kernel: questions, programs and plans, evidence, answers, and the ports that all that runs them fills."""
