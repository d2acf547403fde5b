"""Reading times: the words of all languages, how they make a time, and the days it stands for."""
