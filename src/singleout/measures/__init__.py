"""5 MEASURE: how often an attack is right, with an interval, beside what chance alone would do."""
