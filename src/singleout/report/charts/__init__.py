"""Charts as Vega-Lite."""
