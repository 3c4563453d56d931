"""Other map engines, as `evals.bench.map_engine.asking` asks them; in an environment of their own."""
