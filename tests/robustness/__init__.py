"""What bad, broken and hostile input gets: a clear sentence, the right exit code, and nothing lost."""
