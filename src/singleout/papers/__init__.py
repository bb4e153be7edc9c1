"""The papers' tables and figures, run again with nothing but the public surface."""
