"""4 MATCH: pair released with known people, jointly or one by one; ties count by probability."""
