"""What kind of failure a Python exception is: kinds declared as data, by family, each with samples.

`table` holds their order and finds the kind of an exception. A new module with one `KIND` is found by itself.
"""
