"""What any room may stand on: errors, notes, progress, whole files, tiles. Knows no room."""
