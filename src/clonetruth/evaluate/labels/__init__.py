"""What is known of labels, and what numbers become when some are wrong."""
