"""What the project is built of: a bill of materials, and the licences of all of it."""
