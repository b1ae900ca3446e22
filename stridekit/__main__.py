"""`python -m stridekit` is the `stridekit` command."""

import sys

from stridekit.cli import main

sys.exit(main())
