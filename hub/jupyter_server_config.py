"""Without a hub, too, a server begins with the course's first page."""

c = get_config()  # noqa: F821 - Jupyter puts it here
c.LabApp.default_url = "/lab/tree/course/index.ipynb"
