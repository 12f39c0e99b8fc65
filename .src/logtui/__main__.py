"""Run logtui as `python -m logtui`."""

from logtui.tui.cli import main

raise SystemExit(main())
