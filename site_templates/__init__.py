"""Data only: the Jinja2 templates of pages (``pages/``) and of the theme (``theme/``)."""
