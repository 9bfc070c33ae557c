"""Who stands where: records, criteria, the list (rules.md 4.1-4.4)."""
