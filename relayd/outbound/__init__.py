"""What follows the log outwards: each effect once, in order, however often it has to be tried."""
