"""Performance comparisons. They print ratios measured in one run, and are not tests."""
