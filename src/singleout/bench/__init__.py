"""What ``singleout bench`` runs."""
