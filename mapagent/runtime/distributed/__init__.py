"""Many questions at once: seats and money of a run, in this process or over the workers of a cluster."""
