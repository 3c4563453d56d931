"""Methods under test (`evals.ports.Method`), registered under the entry-point group `mapagent.methods`."""
