"""Language models behind one small port: any server that speaks OpenAI's Chat Completions."""
