"""Between tournaments and duel servers: what is seen there, what they report, what they are told to do."""
