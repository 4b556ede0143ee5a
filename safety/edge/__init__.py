"""The edge: records and text that others wrote, turned into the patient model; what could not be read is listed."""
