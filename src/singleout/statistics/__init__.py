"""2 SUMMARISE: what is known of each person, without the order of events."""
