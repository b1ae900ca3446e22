"""nbgrader looks for its configuration here too, when it lists and submits what was fetched."""

load_subconfig("../nbgrader_config.py")  # noqa: F821 - traitlets puts it here
