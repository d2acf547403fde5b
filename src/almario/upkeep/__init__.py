"""Keeping the house: older layouts, health."""
