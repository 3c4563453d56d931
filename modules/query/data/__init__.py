"""What models and people are told of the language: the frame of the operator card, worked examples."""
