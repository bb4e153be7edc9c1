"""7 TELL: results as plain data, files and tables for people to look at."""
