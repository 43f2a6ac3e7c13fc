"""The package with a library of another version."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def test_other_library(tmp_path: Path) -> None:
    """An older library, without a function that the package needs, is named when the package is imported."""
    compiler = shutil.which('cc')
    if not compiler:
        pytest.skip('no cc')
    source = tmp_path / 'older.c'
    source.write_text('const char *sch_version(void) { return "0.0.1"; }\n')
    for name in ('libscheelite', 'libscheelite-files'):
        subprocess.run([compiler, '-shared', '-fPIC', '-o', str(tmp_path / f'{name}.so.1'), f'-Wl,-soname,{name}.so.1', str(source)], check=True)
    done = subprocess.run([sys.executable, '-c', 'import scheelite'], capture_output=True, text=True, check=False,
                          env=dict(os.environ, LD_LIBRARY_PATH=str(tmp_path)))
    if done.returncode == 0:
        pytest.skip('the module has its library by a path of its own')
    last = done.stderr.splitlines()[-1]
    assert last.startswith('ImportError: ') and 'install both of one version' in last
