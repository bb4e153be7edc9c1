"""4 MATCH: who is who. Joint matching of everyone at once, or one by one; ties are counted as chance."""
