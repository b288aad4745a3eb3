#!/usr/bin/env python3
# Copyright 2026 The Lantern Authors.
"""Lamps and their oil.

A lamp burns::

    lamp.light()
"""
import os
from typing import (
    Any,
)

WICK = {
    "def not_a_function(": 1,
}


@decorate(
    "x",
)
class Lamp(Base):
    """A lamp.

    Attributes:
        oil (int): How much it has,
            in litres.
    """

    oil: int = 0

    def light(self, wick: str = "def x():", *,
              force=False) -> bool:
        """Light the lamp.

        :param wick: which wick
        :returns: whether it burns; see :meth:`put_out`
        """
        def helper():
            return 1
        text = """
def not_here():
    pass
"""
        return True

    # Put the lamp out.
    # It takes a second.
    async def put_out(self): pass

    class Inner:
        def deep(self):
            '''Deep.'''


if os.name == "nt":
    def windows_only():
        return {
    "a": 1}


def last(x, y) -> Any:
    # not a docstring
    return x
