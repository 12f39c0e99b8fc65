"""What `?` says about each pane: markdown, a page at most."""

from __future__ import annotations

RANKS = """\
## Ranks

A cell per rank, a row per node. Glyph and colour say what the rank was doing when the job died:

- `◆` never entered the collective the others wait in · `▼` behind · `▲` ahead · `△` queued ahead
- `■` waiting inside the collective · `✖` crashed · `†` killed · `□` exited · `●` healthy
- `·` silent: no line of this rank was found · `▣` blamed by the verdict, though others are in the same state

Below the cells: the numbers that decide about the rank under the cursor against those of the others, and its last
words: the last line it wrote before watchdogs spoke for it.

**enter** the line that proves the rank's state · **/** `57` or `node007` goes there; anything else is searched for in
the file · **n** / **N** next and previous odd rank · **p** / **P** process groups

**v** / **V** modes: status · enqueued − completed (digits; `▼` `▲` who has enqueued less or more than the group) ·
last words (the taller, the longer silent) · step time · errors · exit (`S` SIGSEGV, `K` SIGKILL, `A` SIGABRT, `!` a
code) · dump

**s** nodes with odd ranks first · **F** identical ranks folded into a row · **L** by node, or by tensor, pipeline,
data parallel group where logs or dumps tell them
"""

TIMELINE = """\
## Timeline

A lane per source: all lines that logtui knows. The height of a column is its severity first and their number second:
`▁▂▃` plain, `▃▄▅` warnings, `▆▇█` errors. `┄ 31 min ┄` nothing known was written for so long; `·` before the first
and after the last line of a source. Of a case file the lanes show its events only. `├── 30 min ──┤` is a collective
that hung, from the moment its ranks began to wait (timeout minus limit) to the timeout.

Lane `marks`: `A` an attempt begins · `R` restart · `C` checkpoint · `L` resumed from a checkpoint. Where the storage
daemons' clock differs from the workers', both stand along the top.
Lane `step time`: how long steps took, the longest the highest; coloured where they took at least 1.8 times the best.

**up** / **down** events · **left** / **right** the time cursor · **+** / **-** zoom · **0** all of the run, and
back · **t** to a time, from any pane: `15:42`, `15:42:03`, `02-24 15:42`, `-10m`, `+1h` · **enter** opens the event's
line · **,** / **.** previous and next event, from any pane · **z** the pane alone, with all lanes
"""

RAW = """\
## Raw lines

The file as it is on disk. `▸` marks lines the diagnosis cites, `▶` is the cursor; the title says what for.

- **/** regular expression, **n** / **N** next and previous match; case counts once a capital letter is typed
- **:** a line number, or a word: `q`, `rank 57`, `node007`, `time 15:42`, `report` ·
  **g** / **G** first and last line · **left** / **right** to the side · **0** back
- **w** wraps long lines · **&** shows only lines that match, **& !…** hides them; the same again takes the rule away
- **R** fades the lines of other ranks, then hides them; the foot of the pane says how many
- `*` the same search in all files · `|` this rank beside another one, aligned by time
- **m** marks the line, with a note for the report · **u** / **U** next and previous mark, from any pane
- **enter** the whole line · **y** copy `file:line` · **o** open in `$EDITOR` at this line

A cited line under the cursor is shown whole. Underlined: what the citation rests on.
Coloured: what the declared formats read.
"""

FINDINGS = """\
## Findings

The verdict with the lines it rests on; the chain from the trigger to the crash; the verdicts that lost and why;
what to do; what would settle an open question; loud lines that are not the cause.

**up** / **down** walk, and the other panes follow · **enter** opens the line · **c** / **e** along the cause
chain, from any pane · **r** exports all of it as markdown
"""

FILES = """\
## Files

Every file below the given paths with its kind, size and number of lines. `✖`: not read, or not to its end, and
why. What was not read is also counted in the head line.

**enter** opens the file · **f** finds one by a few letters of its name
"""

DAEMONS = """\
## Daemon files

A row per AIStore daemon, `◆` before those that the verdict names, and a bar per log file on the workers' clock.
Below them every file of the daemon under the cursor, with its first and last time and what they derive from.

- `█` the file that covers the time cursor · `▄` other files, `▗` where one begins · `╎` a new process
- `╱` rotated away · `╲` not collected · `┄` the daemon was down · `░` the failure, where no file covers it

**left** / **right** move the time cursor · **up** / **down** daemons, and their line at that time is shown ·
**enter** opens it · **f** only files that cover the failure, and back · **+** / **-** / **0** zoom ·
**tab** to the list of files

**s** counters and disks of the daemon instead of its files, and back: sparklines (`·` where no line speaks, `+` grew
meanwhile), errors and waits first, with their growth in the failure window and their rate before → in it, per request
where there were any; a heat strip per disk, `░` 15 `▒` 40 `▓` 70 `█` 95 % busy. **n** / **N** another daemon ·
**enter** opens the stats or disk line at the time cursor

**M** on a worker's line, then **M** on the daemon's line of the same event (or the other way round) sets the daemons'
clock by them; **M** on either takes it back
"""

DUMPS = """\
## Flight recorder

A row per rank, a column per operation of one process group, aligned by its sequence number: what every rank's
recorder held when the job died.

- `◆` not launched · `■` launched, not finished · `▶` running on the device · `─` finished
- `≠` another operation than most ranks called · `×` no dump · `?` the ring no longer holds it

`▼` and the shaded column are the front: the lowest number that somebody has launched and somebody has not finished.
`▸` marks odd ranks. Sends and receives are numbered by each rank for itself.

**arrows** move · **enter** all that was recorded, with the stacks of all ranks, and from there the log line ·
**p** / **P** process groups, those that hang first · **n** / **N** odd ranks · **s** odd ranks first ·
**0** to the front
"""

ODD_LINES = """\
## Odd lines

Lines of all ranks with their numbers, paths and addresses masked, compared with each other and against time. No rule
stands behind them: they help where a failure is one that nobody declared.

- **said by few**: what one rank said that no other did, what speaks of trouble (`✖`) and comes late first
- **fell silent**: the last words of every rank, who fell silent first first, and for how long until the end
- **stopped saying**: lines that a rank stopped saying before the others did, or never said
- **not in …**: with `--baseline DIR`, what a healthy run does not say, the rarest first

Of large files beginnings, ends and what leads to the first sign of trouble are compared; the last line says how much.

**tab** sections · **enter** the line · **y** copy `file:line` · **b** or **escape** back
"""
