"""libclang's Python module, which Debian keeps for its own Python only. Holds no code of ours."""
import sys

try:
    import clang.cindex as clang
except ImportError:
    sys.path.append('/usr/lib/python3/dist-packages')
    try:
        import clang.cindex as clang
    except ImportError:
        sys.exit('mutate: needs libclang for Python (Debian package python3-clang-19)')

Kind = clang.CursorKind
