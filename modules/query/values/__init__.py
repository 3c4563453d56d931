"""The values programs work with: places, amounts with units, moments, ways, lists, and what is not known."""
