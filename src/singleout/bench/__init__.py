"""The benchmarks of ``singleout bench``."""
