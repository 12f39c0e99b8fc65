"""Declared log formats: one small module each, holding one `FORMAT`.

A new module in this folder is found by itself; nothing else has to be touched.
"""
