"""YAML that people write → typed shapes → one frozen library → a DuckDB snapshot."""
