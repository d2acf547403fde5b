"""The commands that let programs and other people's chats in."""
