"""The planner of models: a conversation in which the model writes programs."""
