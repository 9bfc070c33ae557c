"""The pages, by what they are about: each takes a visit and answers it."""
