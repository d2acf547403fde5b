"""The rules of upkeep: values in, values out."""
