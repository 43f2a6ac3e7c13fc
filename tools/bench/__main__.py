#!/usr/bin/env python3
"""Measurements of the workloads of bench/peers.def, and of glmark2: `./dev bench NAME`. Each name is a module."""
import importlib
import sys

NAMES = ('peers', 'gate', 'code', 'capture', 'glmark2')

if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
    sys.exit(f'usage: bench {"|".join(NAMES)} [OPTIONS]')
importlib.import_module(sys.argv[1]).main(sys.argv[2:])
