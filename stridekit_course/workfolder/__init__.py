"""A learner's working folder: copies of the course, kept up to date, and nothing ever lost."""
