-- Where a memory was told; what is derived is made anew, and fills it in.
ALTER TABLE memories ADD COLUMN place text NOT NULL DEFAULT '';
