"""Whatever comes in from outside, made up at random: read right, or refused with a reason."""
