"""The same questions asked of a map and of Google's services emulated over that map."""
