"""Answers handed to other programs: JSON Schemas, MCP, CDS Hooks over HTTP, FHIR. It maps, and decides nothing."""
