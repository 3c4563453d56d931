"""The solution generator: evidence → solution (MapAgent paper, section 3.3)."""
