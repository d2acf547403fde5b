"""The rules of who the agent is: values in, values out."""
