"""What people and programs are shown of a tournament: plain data, made from its state and nothing else.

Moments are UTC milliseconds, or ``None`` where there is none. Nothing secret gets into a view unless its
function says so.
"""
