"""The package's types hold, and programs that use it wrongly are seen. Skipped without mypy."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import scheelite

RIGHT = '''
import numpy as np
import pathlib
import scheelite

shader = scheelite.Shader(pathlib.Path('a.tgsi'))
picture = scheelite.run(shader, (4, 4), textures={0: np.zeros((4, 4, 4))}, threads=2, deadline=1.5)
found: list[scheelite.Diagnostic] = scheelite.check('FRAG')
text: str = scheelite.translate(shader, 'tgsi')
stage: str = shader.stage
same: bool = scheelite.compare(shader, 'FRAG', values='normal', textures={0: 'a.png'}, threads=2).equal
steps: tuple[scheelite.Step, ...] = scheelite.trace(shader, pixel=(1, 2), inputs=[1, 2, 3, 4]).steps
text = str(scheelite.diff(np.zeros((4, 4, 4)), pathlib.Path('a.png'), tolerance=1 / 255))
picture = scheelite.render(pathlib.Path('a.scene'), target='shown')
'''


WRONG = ("scheelite.run(shader, threads='two')", 'scheelite.run(shader, thread=2)', 'number: int = shader.stage',
         'scheelite.check(5)', "scheelite.Sampler(anisotropy='8')",
         "scheelite.compare(shader, shader, threads='two')", "scheelite.trace(shader, pixel='1,2')",
         "scheelite.diff(5, 'a.png')")


def test_the_package_and_programs_that_use_it(tmp_path):
    """mypy finds nothing in the package and in the lines that are right, and something in each line that is wrong."""
    if not shutil.which('mypy'):
        pytest.skip('no mypy')
    (tmp_path / 'program.py').write_text(RIGHT + '\n'.join(WRONG) + '\n')
    # mypy does not report what it finds in site-packages: the package is seen through a link elsewhere.
    (tmp_path / 'lib').mkdir()
    (tmp_path / 'lib' / 'scheelite').symlink_to(Path(scheelite.__file__).resolve().parent)
    done = subprocess.run(['mypy', '--strict', '--enable-incomplete-feature=Unpack', '--no-error-summary', 'program.py'],
                          capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
                          env={**os.environ, 'MYPYPATH': str(tmp_path / 'lib')})
    found = {line.rsplit(': error:', 1)[0] for line in done.stdout.splitlines() if ': error:' in line}
    first = RIGHT.count('\n') + 1
    assert found == {f'program.py:{first + number}' for number in range(len(WRONG))}, done.stdout + done.stderr
