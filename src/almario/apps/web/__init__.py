"""The agents of a home over HTTP: `create_app` makes the app, `almario serve` runs it."""
