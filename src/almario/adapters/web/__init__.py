"""What looks on the web: searches, and what fetches pages."""
