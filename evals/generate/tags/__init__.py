"""Words for a kind and its qualities, the tags they mean, and the features that have them, over any map."""
