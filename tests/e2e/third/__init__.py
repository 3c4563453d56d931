"""A third set of end-to-end questions: everyday wordings, most of them with four options."""
