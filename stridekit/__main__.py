"""`python -m stridekit` is the `stridekit` command."""

import sys

from stridekit.command import main

sys.exit(main())
