"""5 MEASURE: how often an attack is right, with an interval and what chance would achieve."""
