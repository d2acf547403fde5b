"""The rules of remembering: values in, values out."""
