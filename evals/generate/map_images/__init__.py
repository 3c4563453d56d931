"""Pictures of real maps with exactly known frames, and questions about them."""
