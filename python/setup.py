"""Builds the extension module of the package (ffi_build.py). What the package is stands in pyproject.toml; its version
is the library's."""
import os
import sys

from setuptools import setup

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ffi_build  # noqa: E402

setup(version=ffi_build.version(), cffi_modules=['ffi_build.py:builder'])
