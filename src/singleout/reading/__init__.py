"""1 READ: files, frames and streams become lazy queries; DuckDB scans, grids and counts."""
