"""Entry-point groups of the evaluation, apart from everything heavy."""

SUITES = "mapagent.suites"
METHODS = "mapagent.methods"
