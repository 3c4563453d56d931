"""Names that the command line needs, apart from everything heavy: entry-point groups, executors."""

SUITES = "mapagent.suites"
METHODS = "mapagent.methods"
EXECUTORS = ("local", "ray")
