"""For `jupyter nbconvert --to html --config jupyter_nbconvert_config.py LESSON`.

Pages fold what JupyterLab folds; questions and explorers have the form that needs no kernel.
"""

c = get_config()  # noqa: F821 - traitlets puts it here

c.HTMLExporter.preprocessors = ["stridekit_course.exporting.for_a_page"]
