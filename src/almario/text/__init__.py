"""What a text says: its words, times, wishes, quotes and secrets; pure."""
