#!/usr/bin/env python3
"""Every form that is written of every shader of the corpora, through plain `dis`, `check` and `info`: each is taken for what
it is, however its bytes fall, and none for another kind. Of the corpora beside the repository (CONTRIBUTING.md) a part;
all with --all."""
import json
import os
import re
import shutil
import sys

import command as c
import tap

ALL = '--all' in sys.argv
CORPORA = [os.path.join(tap.SOURCE, 'tests', 'corpus'), os.path.join(os.path.dirname(tap.SOURCE), 'shared', 'corpus')]
MOST = 40  # files of a kind of the other corpora, unless all are asked for
AT_ONCE = 400
FOREIGN = re.compile(r'^scheelite: (\S+) is (.*), which is not read as a shader; ', re.M)
RAW, HEX = 'perhaps raw Maxwell code', 'words in hexadecimal'


def corpus(*endings):
    """The files of these endings: all of ours, of the others every n-th."""
    found = []
    for number, root in enumerate(CORPORA):
        names = sorted(os.path.join(at, name) for at, _, files in os.walk(root) for name in files if name.endswith(endings))
        # Small inputs of faults are partly damaged or of other kinds; tests of those kinds have their own.
        names = [name for name in names if f'{os.sep}found{os.sep}' not in name]
        found += names if ALL or not number else names[::1 + len(names) // MOST]
    return found


def batches(names):
    return [names[i:i + AT_ONCE] for i in range(0, len(names), AT_ONCE)]


def valid(names):
    """Those that can be read: what is damaged or unknown has no other form."""
    good = []
    for part in batches(names):
        report = json.loads(c.run('check', '--json', *part).stdout)
        good += sorted({one['file'] for one in report['files'] if one['valid'] and 'shader' not in one})
    return good


def written(folder, names, *arguments):
    """The files that the verb makes of the files, one each, by the name of the source. Copies give each a name of its own."""
    source, target = c.path(f'{folder}-from'), c.path(folder)
    os.makedirs(source)
    made = {}
    for n, name in enumerate(names):
        shutil.copy(name, os.path.join(source, f'{n:05d}{os.path.splitext(name)[1]}'))
    done = c.run(*arguments, '-r', source, '-o', target + '/')
    for at in os.listdir(target) if os.path.isdir(target) else []:
        made[names[int(at[:5])]] = os.path.join(target, at)
    return made, done.stderr.decode(errors='replace')


def kinds_of(names):
    """What info says that each is: its "kind", or what it is named as where it is not read."""
    kinds = {}
    for part in batches(names):
        done = c.run('info', '--json', *part)
        told = json.loads(done.stdout) if len(part) > 1 else [json.loads(done.stdout or 'null')]
        foreign = dict(FOREIGN.findall(done.stderr.decode(errors='replace')))
        for name, one in zip(part, told):
            kinds[name] = foreign.get(name) or (one or {}).get('kind')
    return kinds


def taken_for(names, kind, what, valid_too=True):
    """Findings where `info` does not say the kind, or `check` and `dis` name another one or find nothing valid."""
    findings = []
    for name, told in kinds_of(names).items():
        if told != kind:
            findings.append(f'info: {what} {name} is taken for {told}')
    for part in batches(names):
        for verb in ('check', 'dis'):
            done = c.run(verb, '-q', *part)
            foreign = dict(FOREIGN.findall(done.stderr.decode(errors='replace')))
            for name in part:
                if foreign.get(name, kind) != kind or (not valid_too and name not in foreign):
                    findings.append(f'{verb}: {what} {name} is taken for {foreign.get(name)}')
            if valid_too and done.returncode not in (c.YES, c.NO if verb == 'check' else c.YES):
                findings.append(f'{verb} of {what}: exit {done.returncode}: {done.stderr.decode()[:300]}')
    return findings


def listings(names):
    """What dis prints of them, without their names."""
    titles = {b'# ' + os.fsencode(name) for name in names}
    return [line for line in c.run('dis', '-q', *names).stdout.split(b'\n') if line not in titles]


def same_listing(made, what):
    """The listing of a form is that of its source."""
    findings, names = [], sorted(made)
    for part in batches(names):
        if listings(part) == listings([made[name] for name in part]):
            continue
        for name in part:
            if listings([name]) != listings([made[name]]):
                findings.append(f'{what} of {name} has another listing')
    return findings


def tgsi():
    sources = valid(corpus('.tgsi'))
    findings = [] if len(sources) >= 100 else [f'{len(sources)} texts']
    findings += taken_for(sources, 'tgsi', 'the text')
    tokens, told = written('tokens', sources, 'asm')
    if len(tokens) < 0.9 * len(sources):
        findings.append(f'tokens of {len(tokens)} of {len(sources)}: {told[:300]}')
    findings += taken_for(sorted(tokens.values()), 'tgsi', 'the tokens') + same_listing(tokens, 'the tokens')
    bare, hexadecimal = [], []
    for name, path in sorted(tokens.items()):
        words = c.read(path)[24:]
        bare.append(c.write(f'bare-{len(bare):05d}', words))
        text = '\n'.join(words[at:at + 4][::-1].hex() for at in range(0, len(words), 4)) + '\n'
        hexadecimal.append(c.write(f'words-{len(hexadecimal):05d}.txt', text))
    return findings + taken_for(bare, 'tgsi', 'the bare tokens') + taken_for(hexadecimal, HEX, 'the words', valid_too=False)


def d3d():
    containers, texts = valid(corpus('.dxbc')), valid(corpus('.asm'))
    findings = [] if len(texts) >= 50 else [f'{len(texts)} texts']
    findings += taken_for(containers, 'd3d', 'the container') + taken_for(texts, 'd3d', 'the text')
    made, told = written('dxbc', texts, 'asm')
    if len(made) < 0.9 * len(texts):
        findings.append(f'containers of {len(made)} of {len(texts)}: {told[:300]}')
    findings += taken_for(sorted(made.values()), 'd3d', 'the container') + same_listing(made, 'the container')
    listed, _ = written('listed', containers, 'dis')
    findings += taken_for(sorted(listed.values()), 'd3d', 'the listing') + same_listing(listed, 'the listing')
    for style in ('fxc', 'vkd3d'):
        styled, told = written(style, containers, 'dis', f'--style={style}')
        if len(styled) < len(containers):
            findings.append(f'listings of {style} of {len(styled)} of {len(containers)}: {told[:300]}')
        findings += taken_for(sorted(styled.values()), 'd3d', f'the listing of {style}')
    return findings


def maxwell():
    """Raw code has no mark: it is named, and read where -x says so."""
    texts, cubins = valid(corpus('.sass', '.lanes')), valid(corpus('.cubin'))
    findings = [] if texts else ['no text']
    listed, told = written('code', cubins, 'dis')
    if len(listed) < len(cubins):
        findings.append(f'listings of {len(listed)} of {len(cubins)}: {told[:300]}')
    texts += valid(sorted(listed.values()))
    findings += taken_for(texts, 'maxwell text', 'the text') + taken_for(cubins, 'cubin', 'the object file')
    raw, told = written('raw', texts, 'asm')
    if len(raw) < len(texts):
        findings.append(f'raw code of {len(raw)} of {len(texts)}: {told[:300]}')
    findings += taken_for(sorted(raw.values()), RAW, 'raw code', valid_too=False)
    hexadecimal = []
    for path in sorted(raw.values()):
        words = c.read(path)
        hexadecimal.append(c.write(f'hex-{len(hexadecimal):05d}.txt', '\n'.join(words[at:at + 8][::-1].hex() for at in range(0, len(words), 8)) + '\n'))
    return findings + taken_for(hexadecimal, HEX, 'the words', valid_too=False)


def others():
    """What the command only names: each by its name."""
    findings = []
    for ending, kind in (('.ptx', 'PTX'), ('.shader_test', 'a shader_test script')):
        findings += taken_for(corpus(ending), kind, 'the file', valid_too=False)
    listings = [name for name in corpus('.sass') if b'.headerflags' in c.read(name)]
    return findings + taken_for(listings, 'a listing of nvdisasm or cuobjdump', 'the listing', valid_too=False)


tap.run([('TGSI: texts, containers of tokens, bare tokens, words', tgsi), ('Direct3D: texts, listings, containers', d3d),
         ('Maxwell: texts, object files, raw code, words', maxwell), ('kinds that are only named', others)])
