"""The agent and its map tools as a server of the Model Context Protocol."""
