"""An emulator of Google's map web services over any provider: for tests, demos and foreign agents."""
