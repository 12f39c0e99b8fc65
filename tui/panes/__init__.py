"""The panes: each module here, or the `pane` module of each folder, declares one as `PANE`."""
