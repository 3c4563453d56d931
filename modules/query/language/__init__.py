"""Form of programs: grammar, tree, types, checks."""
