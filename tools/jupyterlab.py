"""JupyterLab, started in this folder, opens on the chapters and calls nobody."""

c = get_config()  # noqa: F821  JupyterLab brings it
c.LabApp.default_url = "/lab/tree/chapters"
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"  # else asks PyPI at each start
c.LabApp.news_url = None
c.LabApp.extension_manager = "readonly"  # else lists PyPI's extensions
