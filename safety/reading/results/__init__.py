"""Results as people and laboratories write them → typed values, each with where it stands."""
