"""What the documentation is built with."""
