"""What a guess does to what was said: sentences by others, who had seen neither the code nor its lists."""
