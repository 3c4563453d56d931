"""What works here, what does not, and what to do about it: the checks behind `mapagent doctor`."""
