"""How strongly each claim stands: all numbers by which rules compete, on one page.

Strength is 0 to 100: how directly the lines show *this* cause. The rungs stand from the strongest to the weakest, each
with a word on why there. A line that states its cause by itself has the weight of its pattern, or of its row in the
table of exceptions, on the same scale; a rule takes a rung of this page, or `declared` with the weight of its line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from logtui.diagnosis.model.report import HIGH, LOW, MEDIUM


@dataclass(frozen=True, slots=True)
class Rung:
    """A place in the order of claims."""

    strength: int
    at_most: str = HIGH
    """Cap on the confidence, for evidence that several causes would leave alike."""

    def capped(self, at_most: str) -> Rung:
        """The same place with another cap."""
        return replace(self, at_most=at_most)

    def below(self, discount: int) -> Rung:
        """So much weaker, under the same cap."""
        return replace(self, strength=self.strength - discount)


def declared(weight: int) -> Rung:
    """The place of a line that states its cause, by the weight of what declares it."""
    return Rung(weight)


# Said outright: by the job, or by lines that admit of one reading.
COMPLETED = Rung(90)  # nothing is louder than the end on purpose
CHECKED_FINGERPRINTS = Rung(88)  # every rank states what it runs; above the exception that quotes it, 85
CHECKED_BARRIER = Rung(86, MEDIUM)  # who did not come is said, why is not
DIFFERENT_MODELS = Rung(86)  # counted, rank by rank; above the exception that says so, 85
DIFFERENT_OPERATIONS = Rung(82)  # two ranks in two operations at one number: one of them is wrong
SHARED_GPU = Rung(82)  # above `out of memory`, 80, which it explains
STORAGE_SURE = Rung(82)  # the daemons' own failure, felt by a client
DIFFERENT_CALLS = Rung(80)  # stacks, not descriptions: the frames of the dying
STORAGE_GAVE_UP = Rung(80)  # above any exception that passes the failed request on
KILLED_TOGETHER = Rung(80, LOW)  # must overtake SIGKILL, which it explains; who killed them is not said

# Measured or counted: one step of reasoning away from the line.
MISSING_CLIENTS = Rung(77, MEDIUM)  # above the store's own complaint, 75, which names nobody
NODE_CHECK = Rung(76)  # a measurement, of nodes, before training
LOADING_STALL = Rung(76)  # never entered, was told so, and its last words are of loading data
DUMPS_SURE = Rung(74)  # all dumps there, every operation compared; just below logs that say why
LATE_START = Rung(72, MEDIUM)  # above the others' timeouts, which it explains
LOADING_STALL_UNTOLD = Rung(68)  # the same, but no rank told it of the hang: silence takes part
STORAGE_LIKELY = Rung(68)
DESYNC_REPORT = Rung(66)  # PyTorch's bookkeeping, which errs where several groups hang
DUMPS_LIKELY = Rung(66)  # some dumps are missing
STUCK_GPU = Rung(66)  # behind with work enqueued: the process runs, its GPU does not
DUMPS_SURE_NO_CLASS = DUMPS_SURE.below(10)  # of dumps that tell where and not why: logs that tell why go first
BACKGROUND_THREAD = Rung(64)  # above the lone caller, which it explains
BEGAN_LATE = Rung(64)  # by two clocks
STILL_PREPARES = Rung(63, MEDIUM)  # a bar that moved while the others waited; whose, by exclusion
NEVER_ENTERED = Rung(62)  # by comparison of all ranks, and what it did instead is not said
TRANSPORT_SETTING = Rung(62)  # set, and hanging from the start: the setting is the likely one, not the proven one
BEHIND = Rung(60)
GAVE_UP_ON = Rung(60)  # late by what it did not say
INIT_INCOMPLETE = Rung(60, MEDIUM)  # who began and who finished, counted; why is not said
FELL_SILENT_LOADING = Rung(60, MEDIUM)  # stopped alone, and its last words are of loading data
SIGKILL = Rung(60, LOW)  # for want of memory, or by somebody's hand
SIGSEGV = SIGBUS = Rung(60)
SIGFPE = SIGILL = Rung(58)
DIVERGED = Rung(58)  # waits in different collectives, nobody in the majority
WEDGED = Rung(58)  # the monitor of a few ranks of many
UNDELIVERED = Rung(57, LOW)  # in several groups alike; what lies between them says nothing itself
NEVER_CAME = Rung(57, MEDIUM)  # the complement of those that gave up waiting: by exclusion
DUMPS_LIKELY_NO_CLASS = DUMPS_LIKELY.below(10)
STEPS_SLOW = Rung(56)  # at the level of NO_FAILURE: the earlier of them wins, and that is the slow step
NO_FAILURE = Rung(56)  # steps to the end of what was read

# Read out of the whole: nothing contradicts it, little proves it.
NEVER_ENTERED_UNTOLD = NEVER_ENTERED.below(8)  # not told, not heard of since: silence takes part
LONE_CALLER = Rung(54, LOW)  # all others idle and well
STARTED_ANEW_SAID = Rung(54, MEDIUM)  # the program says that it found no checkpoint
RAS_COUNTS = Rung(52)  # a snapshot; ranks move on
NONE_FINISHED = Rung(52, LOW)  # all there, nothing moves: fabric, switch, GPU or driver leave the same lines
FELL_SILENT = Rung(50, LOW)  # stopped alone; what it did is not said
LOSS_SPIKE = RESUMED_UNTRAINED = Rung(50, MEDIUM)  # numbers that several mistakes would leave
SHELL_KILLED = Rung(50)  # below any launcher's line about the same death
SLOW_BAR = Rung(50, LOW)  # whole seconds of a bar's own clock
STORAGE_POSSIBLE = Rung(50)
DUMPS_WEAK = Rung(48)
SHELL_SEGV = Rung(48)
STARTED_ANEW = Rung(48, LOW)
WAIT_CYCLE = Rung(48, LOW)  # nobody is left to wait for: by exclusion
EXIT_CODE = Rung(46)  # that it ended first, and not why
SIGABRT = Rung(46, LOW)  # by its own code, or by whatever watched over it
SHELL_CRASHED = Rung(46)
STOPPED_FROM_OUTSIDE = Rung(46)  # below a failure of any kind that stands before the signal
WEDGED_AMONG_MANY = Rung(46)  # where most monitors speak, it is the hang of all
DUMPS_AT_REST = Rung(45, LOW)  # of dumps alone: how the job ended is not in them
AT_WORK = LEFT_QUIETLY = Rung(45, LOW)  # below anything that failed
SOME_ABSENT_UNHEARD = Rung(45)  # of the absent, some have no line at all in the files
EXIT_CODE_1 = Rung(44)  # what Python ends with after any exception
SHELL_STOPPED = Rung(44)
LAST_LINE = Rung(44, LOW)  # its words alone: no traceback, no exit code
INTERRUPTED = Rung(43, LOW)  # who presses Ctrl-C may have seen what the files do not show
PEER_LOST = Rung(42, LOW)  # for what is left where nothing else speaks
ODD_LINE = Rung(40)  # just enough to be said
NOBODY_COMPLAINS = Rung(40, LOW)  # nothing is shown but silence about any failure
STEPS_WERE_SLOW = Rung(40)  # fast again: refuted, kept as a runner-up

# Kept as runners-up only: below what is enough to claim anything.
DUMPS_WEAK_NO_CLASS = DUMPS_WEAK.below(10)
WEDGED_ALONE = Rung(36)  # most logs are missing: in a hang of all, one monitor speaks first as well
STORAGE_UNDECIDED = Rung(36, LOW)  # daemons in trouble, and nobody who felt it
ALL_ABSENT_UNHEARD = Rung(35)  # whose log is missing may have entered

# How claims compete.
ENOUGH = 40
"""Below this strength nothing is claimed: the verdict is undecided."""
MENTIONED = 20
"""From this strength on a claim that lost is told as a runner-up."""
OVERTAKES = 18
"""A later claim beats an earlier one only when it is this much stronger: a specific cause beats the noise before it;
an echo, as loud as its cause or a little louder, does not."""

# How sure a winner is.
SURE = 75
"""High confidence needs this strength, a line that states the cause, and no rival."""
LIKELY = 55
"""Medium confidence needs this strength."""
LIKELY_AMONG_RIVALS = 65
"""And this one where a rival of another class comes near."""
NEAR = 5
"""A rival this much weaker than the winner comes near."""
BY_MATURITY = {"stable": HIGH, "tried": MEDIUM, "experimental": LOW}
"""Cap on the confidence by what a rule has been right on."""

# What weights of declared lines mean below the rules.
SPECIFIC = 70
"""A line of this weight is taken at its word: the cause itself, a failure even after training has ended."""
WEIGHTY = 60
"""A line of this weight ends the rank that writes it, and dates the failure."""
TELLING = 40
"""A line of this weight is a cause of its own: where one stands, a peer that is gone or an unsure ending needs no other
explanation."""
BARE_DISCOUNT = 8
"""What an exception is weaker by where no traceback stands above it: a cut log, a quotation, another language's."""
HUNG_FIRST = 12
"""What a time limit is weaker by as a cause where nothing had moved for long before it: the hang is the cause."""
