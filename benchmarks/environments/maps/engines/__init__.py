"""Other map engines, as `benchmarks.map_engine.asking` asks them; in an environment of their own."""
