"""Stage *finish*: a rendered site in; the same site with its search index and data file out."""
