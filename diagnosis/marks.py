"""Lines a person marked, with notes."""

from logtui.diagnosis.findings import Mark as Mark
