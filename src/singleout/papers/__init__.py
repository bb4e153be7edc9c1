"""The papers' tables and figures, reproduced with nothing but the public interface."""
