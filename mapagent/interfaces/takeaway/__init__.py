"""What is taken away of an answer: one list of features, and the file formats that are made of it."""
