"""Declared rules: one small module each, holding one `RULE`.

A new module in this folder is found by itself; nothing else has to be touched.
"""
