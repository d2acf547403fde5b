"""Values and rules: no input or output, no clock."""
