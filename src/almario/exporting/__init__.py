"""An agent goes out: its folder as a zip, or its memories as lines of JSON."""
