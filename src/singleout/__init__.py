"""singleout: how many people in your data could be re-identified, who, why, and what would protect them.

The one rule: *an attack is a statistic, a similarity and a matching; everything else measures it, protects against it,
or reports it.* Names are listed in ``__init__.pyi``, in the order of the path, and loaded when they are first used.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
