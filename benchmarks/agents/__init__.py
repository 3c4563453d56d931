"""The agents benchmark: the same tasks, the same scripted model and the same map for every agent."""
