"""2 SUMMARISE: what is known about each person: histograms, networks, groups of records."""
