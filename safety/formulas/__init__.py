"""Clinical arithmetic: named formulas over what was told; a missing input is named, an impossible one refused."""
