"""Flight-recorder dumps of all ranks to who did not join, who called something else, and who only waited."""
