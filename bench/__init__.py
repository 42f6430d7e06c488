"""Performance comparisons. They print ratios measured in a single run, and are not tests."""
