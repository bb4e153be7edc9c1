"""How alike two people are: histograms, networks, profiles."""
