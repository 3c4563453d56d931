"""Map tools: types, providers, the four tools, and the computations every answer rests on."""
