"""The Answer-Generator module: matches options by meaning, verifies, and gives the answer or says why not."""
