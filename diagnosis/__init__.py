"""Records to findings: job facts, collective state, rules, verification, report."""
