"""What kind of failure an exception is where no declared kind knows it: by the code it holds, the family of libraries that
raised it, and the program's own lines that led there.

`classification` asks the declared kinds first, `clues` reads and weighs; families, answers and hints are tables.
"""
