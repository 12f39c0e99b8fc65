"""How fast training went, where that changed, and what else changed then."""
