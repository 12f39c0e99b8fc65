"""From paths to a report, in steps that can be shown and cancelled."""
