"""The pharmacist's desk: what there is to mend in the knowledge, who stands for it, and what a change of it changes."""
