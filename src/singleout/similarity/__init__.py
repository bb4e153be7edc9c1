"""3 COMPARE: how similar two people are, by histograms, networks or profiles."""
