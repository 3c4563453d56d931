"""What both generations of Google's map services share: place types, opening hours, prices, errors, terms."""
