"""Install the wheel in dist/ with some extras, on any system: python scripts/install_wheel.py [EXTRA …]."""

import subprocess
import sys
from pathlib import Path

(wheel,) = (Path(__file__).parents[1] / "dist").glob("*.whl")
extras = f"[{','.join(sys.argv[1:])}]" if sys.argv[1:] else ""
subprocess.run([sys.executable, "-m", "pip", "install", f"{wheel}{extras}"], check=True)
