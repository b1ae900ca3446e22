"""What a learner has done of the course: kept in one hidden file, and told by a widget."""
