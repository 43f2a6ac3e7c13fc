# The extension module that ffi_build.py makes of the headers: what they declare is checked by the compiler, not here.
from typing import Any

ffi: Any
lib: Any
