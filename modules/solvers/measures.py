"""Measures as people read them."""


def measure_words(measure: float, unit: str) -> str:
    """A measure in words ("1.2 km", "14 min", "4.6")."""
    from map_tools.compute.quantities import format_distance, format_duration

    if unit == "m":
        return format_distance(measure)
    if unit in {"s", "open_s"}:
        return format_duration(measure)
    if unit == "minutes_of_day":
        return f"{int(measure) // 60 % 24:02d}:{int(measure) % 60:02d}"
    if unit == "deg":
        return f"{measure:.5f}°"
    return f"{measure:.2f}".rstrip("0").rstrip(".")
