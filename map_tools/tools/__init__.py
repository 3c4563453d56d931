"""The four map tools of the MapAgent paper (section 3.4, appendix C): Nearby, PlaceInfo, Route, Trip."""
