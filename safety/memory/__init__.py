"""One patient over time: what was told when, what then held, and what a narrative says beside a record."""
