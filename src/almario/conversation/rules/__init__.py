"""The rules of talking: values in, values out."""
