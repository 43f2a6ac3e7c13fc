"""Where the tests find the repository's examples and the command, whose answers are compared; shaders that several tests
use. The environment's SCHEELITE_COMMAND names the command; tests of it are skipped without."""
import os
import shutil
import subprocess
from importlib.metadata import entry_points
from pathlib import Path

import pytest

# An installed package brings its plugin itself.
INSTALLED = any(point.name == 'scheelite' for point in entry_points(group='pytest11'))
PLUGIN = [] if INSTALLED else ['-p', 'scheelite.pytest_plugin']
pytest_plugins = ['pytester', *([] if INSTALLED else ['scheelite.pytest_plugin'])]

ROOT = Path(__file__).resolve().parents[2]
SHADERS = ROOT / 'examples' / 'shaders'
PHOTO = ROOT / 'examples' / 'pictures' / 'photo.png'

VERTEX = 'VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n'
FRAGMENT = 'FRAG\nDCL IN[0], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n'
SQUARES = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], BLOCK_ID
DCL SV[1], THREAD_ID
DCL BUFFER[0]
DCL BUFFER[1]
DCL TEMP[0..1]
IMM[0] UINT32 {64, 4, 0, 0}
UMAD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx, SV[1].xxxx
UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx
MUL TEMP[1].x, TEMP[1].xxxx, TEMP[1].xxxx
STORE BUFFER[1].x, TEMP[0].xxxx, TEMP[1].xxxx
END
'''
# A loop that ends when the budget does.
ENDLESS = '''COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 1
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL TEMP[0]
BGNLOOP
  ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].xxxx
ENDLOOP
END
'''


@pytest.fixture
def command(tmp_path):
    """Runs the command; returns what it printed, as bytes."""
    path = os.environ.get('SCHEELITE_COMMAND') or shutil.which('scheelite')
    if not path:
        pytest.skip('no scheelite command (SCHEELITE_COMMAND)')

    def run(*arguments, **options):
        done = subprocess.run([path, *(str(one) for one in arguments)], capture_output=True, timeout=120, check=False,
                              env={**os.environ, 'XDG_CACHE_HOME': str(tmp_path)}, **options)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run
