"""The dashboard in a real Chromium: `make browser`. Of it, only the smoke test is in the suite."""
