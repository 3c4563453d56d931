"""Error analysis: at which stage of an agent an answer went wrong."""
