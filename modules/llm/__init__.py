"""The reasoner that a language model stands behind: it reads and chooses; everything it says is checked."""
