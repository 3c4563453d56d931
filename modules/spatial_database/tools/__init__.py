"""The eight concept tools of Geo-ReAct (section 4.1 and Table 1)."""
