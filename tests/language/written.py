SENTENCES: dict[str, tuple[str, ...]] = {}
