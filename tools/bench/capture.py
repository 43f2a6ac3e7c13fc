"""Writes the TGSI of the workloads' GLSL anew (bench/peers/NAME.tgsi): what Mesa's driver virpipe sends to `scheelite gl`
when bench/peers-gl draws them. That depends on the version of Mesa; the files are of Debian 12's, 22.3.6. With --check the
files are only compared."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import sides

# How `scheelite gl --shaders` names the files of a stage.
STAGES = {'vert': 'vertex', 'tesc': 'tess_ctrl', 'tese': 'tess_eval', 'geom': 'geometry', 'frag': 'fragment', 'comp': 'compute'}

NO_CACHE = {'MESA_SHADER_CACHE_DISABLE': '1'}  # what comes from there has its registers in another order


def text_of(folder, stage):
    """The text of the stage's last shader that drew (the first ones are of other programs), without the line that says
    when."""
    found = None
    for name in sorted(name for name in os.listdir(folder) if name.startswith(STAGES[stage] + '-')):
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            head, rest = file.read().split('\n', 1)
        if not head.endswith('no draw'):
            found = re.sub(' *#.*', '', head) + '\n' + rest
    return found


def captured(asked, programs):
    """By file of GLSL: its TGSI. Ends where one file has two."""
    texts = {}
    for work, (_, shaders, _) in sides.listed(programs[1]).items():
        with tempfile.TemporaryDirectory() as folder:
            command = [programs[0], 'gl', '--shaders', folder, '--', programs[1], '--shaders', sides.SHADERS, '--only', work,
                       '--repetitions', '0']
            done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **NO_CACHE})
            if done.returncode:
                sides.die(f'{work}: exit {done.returncode}: {done.stderr}')
            for shader in shaders:
                text = text_of(folder, shader.rsplit('.', 1)[1])
                if not text or texts.setdefault(shader, text) != text:
                    sides.die(f'{work}: {shader}: ' + ('another text than in a workload before' if text else 'it drew nothing'))
    return texts


def main(words):
    parser = argparse.ArgumentParser(prog='./dev bench capture', description=__doc__)
    parser.add_argument('--check', action='store_true', help='exit code 1 where a file is another one; write nothing')
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    texts = captured(asked, (os.path.join(asked.build, 'src', 'cli', 'scheelite'), sides.program(asked, 'peers-gl')))
    other = []
    for shader, text in texts.items():
        path = os.path.join(sides.SHADERS, shader + '.tgsi')
        try:
            with open(path, encoding='utf-8') as file:
                before = file.read()
        except FileNotFoundError:
            before = None
        if before != text:
            other.append(shader)
        if before != text and not asked.check:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
    print(f'{len(texts)} shaders; ' + ('others than before: ' + ' '.join(other) if other else 'all as before'))
    sys.exit(1 if other and asked.check else 0)
