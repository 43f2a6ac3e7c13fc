"""What is asked, by kind: of each shader check, dis, asm, info, translate, eval, run and jit; words and programs of
Maxwell code; scripts; lookups to the texture unit; hostile inputs; the tables; golden files as they stand."""
import csv
import glob
import json
import os
import re

import ask
import inputs

KINDS = ('check', 'dis', 'asm', 'info', 'translate', 'eval', 'run', 'jit', 'maxwell', 'script', 'sample', 'fuzz', 'table', 'file')
TABLES = ('opcodes', 'semantics', 'properties', 'formats', 'targets', 'files', 'maxwell', 'headers', 'decisions', 'errors', 'limits', 'd3d')
CHUNK = 40          # files of one check
BOUNDS = ('--threads', '1', '--budget', '300', '--work', '40000')
CODE = ('--engine', 'jit', '--cache', 'none')
PICTURE = ('--size', '40x12')
LOOKUPS = 60        # of each format
PROGRAM = 12        # instructions of a program of Maxwell code
PROGRAMS = 40       # of a table of words
LANES = 32


def listed(setting, root, *patterns):
    """Names from `root`/..., sorted."""
    folder = getattr(setting, root)
    found = {path for pattern in patterns for path in glob.glob(os.path.join(folder, pattern), recursive=True)}
    return sorted(f'{root}/{os.path.relpath(path, folder)}' for path in found if os.path.isfile(path))


def texts(setting):
    return listed(setting, 'shared', 'corpus/tgsi/*/*.tgsi', 'corpus/repro/*.tgsi') + listed(
        setting, 'repository', 'bench/peers/*.tgsi', 'examples/shaders/*.tgsi', 'tests/golden/**/*.tgsi', 'tests/fuzz/corpus/execute/*.tgsi')


def containers(setting):
    return listed(setting, 'shared', 'corpus/dxbc/*/*.dxbc', 'corpus/repro/*.dxbc') + listed(setting, 'repository', 'tests/fuzz/corpus/dxbc/*.dxbc')


def listings(setting):
    return listed(setting, 'shared', 'corpus/dxbc/*/*.asm') + listed(setting, 'repository', 'tests/golden/**/*.asm', 'tests/fuzz/corpus/d3d_asm/*.asm')


def cubins(setting):
    return listed(setting, 'shared', 'corpus/maxwell/kernels/*.cubin')


# ---- shaders ---------------------------------------------------------------------------------------------------------


def check(place, names):
    """The reports of each file, and their text where there are some."""
    done = place.ask('check', 'check', '-Wpedantic', '--json', *names)
    try:
        reports = json.loads(done.out)['files']
    except ValueError:
        reports = []
    if [report['file'] for report in reports] != names:
        yield done._replace(name=f'check {names[0]} and {len(names) - 1} more')
        return
    for report in reports:
        if report['diagnostics']:
            yield place.ask(f'check {report["file"]}', 'check', '-Wpedantic', report['file'])
        yield ask.made(f'check-json {report["file"]}', json.dumps(report, sort_keys=True).encode())


def one(place, kind, name, *arguments, **more):
    """The answer in a list if its kind is wanted."""
    return [place.ask(f'{kind} {name}', *arguments, **more)] if kind.split('-')[0] in place.setting.wanted else []


def tgsi(place, name, compiled):
    for floats in ('hex', 'dec'):
        yield from one(place, f'dis-{floats}', name, 'dis', f'--floats={floats}', name)
    yield from one(place, 'asm', name, 'asm', '--words', name)
    yield from one(place, 'translate-maxwell', name, 'translate', '--to', 'maxwell', name)
    yield from one(place, 'translate-d3d-asm', name, 'translate', '--to', 'd3d-asm', name)
    yield from execute(place, name, place.read(name), compiled)


def container(place, name, compiled):
    for style in ('isa', 'fxc', 'vkd3d'):
        yield from one(place, f'dis-{style}', name, 'dis', f'--style={style}', name)
    yield from d3d(place, name, compiled)


def listing(place, name, compiled, alone):
    """`alone`: there is no container of the same program beside it, which would run, too."""
    yield from one(place, 'asm', name, 'asm', name, '-o', 'out.dxbc', files=['out.dxbc'])
    yield from one(place, 'dis-isa', name, 'dis', name)
    if alone:
        yield from d3d(place, name, compiled)


def d3d(place, name, compiled):
    yield from one(place, 'translate-maxwell', name, 'translate', '--to', 'maxwell', name)
    lowered = place.ask(f'translate-tgsi {name}', 'translate', '--to', 'tgsi', name)
    if 'translate' in place.setting.wanted:
        yield lowered
    yield from execute(place, name, lowered.out, compiled)


def execute(place, name, text, compiled):
    """info; eval or, of compute shaders, run; run of fragment shaders; the same as machine code if `compiled`, and by
    Maxwell code where a shader looks textures up."""
    described = place.ask(f'info {name}', 'info', '--json', name)
    if 'info' in place.setting.wanted:
        yield described
    if not {'eval', 'run', 'jit'} & place.setting.wanted:
        return
    shader, files = inputs.Shader(name, text, inputs.read_info(described)), []
    bound = [*shader.bindings(place, files), '-Wno-pedantic', *BOUNDS]
    engine = ['--engine', 'interp', '--width', shader.draw.choice(('4', '8', '16'))]
    fixed, constants = shader.constant_options() if shader.spaces else [], shader.constant_options()
    compute = shader.stage == 'compute'
    lines = b'' if compute else shader.vectors()
    quads = ['--quads'] if shader.stage == 'fragment' else []
    block = [] if shader.property('CS_FIXED_BLOCK_WIDTH', '') else ['--block', '8,4,1']
    picture = files + ['out.png']

    def ways(kind, *how):
        if not compute:
            yield from one(place, f'{kind}', name, 'eval', name, '--vectors', '-', *quads, *bound, *fixed, *how, stdin=lines, files=files)
        else:
            yield from one(place, f'{kind}', name, 'run', name, '--grid', '3,2,1', *block, *bound, *constants, *how, files=files)
    yield from ways('eval', *engine)
    if compiled:
        yield from ways('jit-eval', *CODE)
    if b'SAMP[' in text and not compute:
        yield from ways('eval-maxwell', '--engine', 'maxwell')
    if shader.stage == 'fragment':
        yield from one(place, 'run', name, 'run', name, '-o', 'out.png', *PICTURE, *bound, *constants, *engine, files=picture)
        if compiled:
            yield from one(place, 'jit-run', name, 'run', name, '-o', 'out.png', *PICTURE, *bound, *constants, *CODE, files=picture)
        if compiled and b'SAMP[' in text:
            yield from one(place, 'run-heat', name, 'run', name, '-o', 'out.png', *PICTURE, *bound, *constants, '--heat', 'texels', files=picture)


def instructions(place, number, row):
    """A row of the table of single instructions: constants in, the expected word is not looked at."""
    name = f'shared/corpus/dxbc/fxc/{row["program"]}.dxbc'
    constants = [word for n in range(3) for word in ('--const', f'0:{n}=' + ','.join(f'0x{w}' for w in row[f'cb0_{n}'].split(',')))]
    yield place.ask(f'eval-instruction {number} {row["program"]}', 'eval', name, '--vectors', '-', *constants, stdin=b'\n')


def probe(place, number, text):
    """One of the short texts about grammar, and its words."""
    text = text.replace('\\n', '\n').encode()
    yield from one(place, 'check-grammar', str(number), 'check', '-Wpedantic', '-x', 'tgsi', '-', stdin=text)
    yield from one(place, 'dis-grammar', str(number), 'dis', '-x', 'tgsi', '-', stdin=text)


def tokens(place, name, words):
    yield place.ask(f'dis-words {name}', 'dis', '-x', 'tgsi-bin', '--words', '-', stdin=words.encode())


# ---- Maxwell code ----------------------------------------------------------------------------------------------------

TYPES = ('ONE_D', 'TWO_D', 'THREE_D', 'CUBEMAP', 'ONE_D_ARRAY', 'TWO_D_ARRAY', 'CUBEMAP_ARRAY', 'TWO_D_NO_MIPMAP')
COMPONENTS = ('A8B8G8R8', 'R8', 'A2B10G10R10', 'B5G6R5')
HEADERS = ''.join(f'header {n} BLOCKLINEAR {{\n  COMPONENTS = {COMPONENTS[n % 4]}\n  ADDRESS = {n << 9:#x}; WIDTH = {8 + n}; HEIGHT = {8 + n}\n'
                  f'  DEPTH = 6; MAX_MIP_LEVEL = 2; TEXTURE_TYPE = {TYPES[n % 8]}\n}}\n' for n in range(16))
SAMPLERS = ''.join(f'sampler {n} {{\n  MAG_FILTER = {"MAG_LINEAR" if n & 1 else "MAG_POINT"}\n  MIN_FILTER = {"MIN_LINEAR" if n & 2 else "MIN_POINT"}\n'
                   f'  MIP_FILTER = {"MIP_LINEAR" if n & 4 else "MIP_POINT"}\n}}\n' for n in range(8))
BANK = b''.join((n % 16 | n % 8 << 20).to_bytes(4, 'little') for n in range(1 << 13))


NOT_EXECUTED = re.compile(r'^\?|INVALID|TXA|\.LBA|\.LLA|\.LC|TXQ.*, 0x1[0246], 0x')


def cubin(place, name):
    yield from one(place, 'dis', name, 'dis', name)
    yield from one(place, 'dis-isa', name, 'dis', '--style=isa', name)
    yield from one(place, 'info', name, 'info', '--json', name)


def words(place, name):
    """A table of words and nvdisasm's texts: each read and printed, each text assembled, and programs of what is valid."""
    with open(os.path.join(place.path, name), encoding='utf-8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file][1:]
    for style in ('isa', 'nvdisasm'):
        if name.endswith('control.tsv'):
            lines = '\n'.join(' '.join(row[:3]) for row in rows) + '\n'
            yield place.ask(f'maxwell-control-{style} {name}', 'dis', '-x', 'maxwell', '--hex', '--control', f'--style={style}', '-', stdin=lines.encode())
        else:
            lines = '\n'.join(row[0] for row in rows) + '\n'
            printed = place.ask(f'maxwell-{style} {name}', 'dis', '-x', 'maxwell', '--hex', f'--style={style}', '-', stdin=lines.encode())
            yield printed
    yield place.ask(f'maxwell-asm {name}', 'asm', '-x', 'maxwell', '--hex', '-', stdin=('\n'.join(row[-1] for row in rows) + '\n').encode())
    if not name.endswith('control.tsv'):
        yield from programs(place, name, printed.out.decode())


def valid(place, lines):
    """The instructions that check has nothing against."""
    place.write('program.txt', '.arch sm_50\n' + ''.join(line + '\n' for line in lines))
    checked = place.ask('', 'check', '-x', 'maxwell', '--json', '--limit', 'diagnostics=100000', 'program.txt')
    bad = {report['line'] - 2 for file in json.loads(checked.out)['files'] for report in file['diagnostics'] if report['severity'] == 'error'}
    return [line for n, line in enumerate(lines) if n not in bad]


def programs(place, name, printed):
    usable = valid(place, [line for line in printed.splitlines() if not NOT_EXECUTED.search(line)])
    draw, bits = inputs.numbers(name), inputs.Words(name)
    for file, data in (('headers.txt', HEADERS), ('samplers.txt', SAMPLERS), ('bank.bin', BANK), ('memory.bin', bits.bytes(1 << 14))):
        place.write(file, data)
    for number in range(PROGRAMS if usable else 0):
        place.write('program.txt', '.arch sm_50\n' + ''.join(line + '\n' for line in draw.choices(usable, k=PROGRAM)))
        lines = '\n'.join('\t'.join([f'R[{n}]={word}' for n, word in enumerate(bits.take(254))] + [f'P[{n}]={draw.randrange(2)}' for n in range(7)])
                          for _ in range(LANES - number % 3))
        yield place.ask(f'maxwell-check {name} {number}', 'check', '-x', 'maxwell', 'program.txt')
        yield place.ask(f'maxwell-eval {name} {number}', 'eval', '-x', 'maxwell', 'program.txt', '--vectors', '-', '--headers', 'headers.txt', '--samplers', 'samplers.txt',
                        '--cbank', 'bank.bin', '--memory', 'memory.bin', '--quads', '--width', draw.choice(('4', '8', '16')), stdin=lines.encode())


# ---- the rest --------------------------------------------------------------------------------------------------------


def script(place, name):
    compiled = 'shared/corpus/dxbc/st'
    yield place.ask(f'script {name}', 'run', name, '--compiled', compiled, '--compiled-map', compiled + '_sections.tsv', '--json',
                    '--threads', '1', '--engine', 'interp')


OPERATIONS = {'sample': '--ddx {f},{f},{f} --ddy {f},{f},{f}', 'sample_l': '--lod {f}', 'sample_b': '--bias {f} --ddx {f},{f},{f} --ddy {f},{f},{f}',
              'sample_d': '--ddx {f},{f},{f} --ddy {f},{f},{f}', 'gather': '--component {c}', 'fetch': '--lod {l}', 'size': '--lod {l}',
              'lod': '--ddx {f},{f},{f} --ddy {f},{f},{f}'}
AXES = {'1D': 1, '2D': 2, '3D': 3, 'CUBE': 3, '1D_ARRAY': 2, '2D_ARRAY': 3, 'CUBE_ARRAY': 4, 'RECT': 2}
GATHERED = ('2D', '2D_ARRAY', 'CUBE', 'CUBE_ARRAY', 'RECT')
LAYERED = {'1D_ARRAY': ':layers=3', '2D_ARRAY': ':layers=3', 'CUBE_ARRAY': ':layers=12'}


def lookup(draw, form):
    target, operation = draw.choice(sorted(AXES)), draw.choice(sorted(OPERATIONS))
    if operation == 'gather' and target not in GATHERED or operation == 'fetch' and target == 'CUBE_ARRAY':
        operation = 'sample'
    size = {'1D': '21', '1D_ARRAY': '21', '3D': '9x7x5', 'CUBE': '8x8', 'CUBE_ARRAY': '8x8'}.get(target, '20x12')
    number = (lambda: str(draw.randrange(-1, 9))) if operation == 'fetch' else (lambda: f'{draw.uniform(-1.5, 1.5):.5f}')
    filters = ('nearest', 'linear')
    text = OPERATIONS[operation]
    while '{f}' in text:
        text = text.replace('{f}', f'{draw.uniform(-0.5, 0.5):.4f}', 1)
    text = text.format(c=draw.randrange(4), l=draw.randrange(3))
    line = f'--tex random:{form}:{size}:levels={1 if target == "RECT" else draw.randrange(1, 4)}{LAYERED.get(target, "")}:seed={draw.randrange(99)} '
    line += f'--target {target} --op {operation} {text} '
    line += '' if operation == 'size' else '--at ' + ','.join(number() for _ in range(AXES[target] + (operation == 'fetch' and target == 'CUBE'))) + ' '
    line += f'--wrap {draw.choice(inputs.WRAPS if target != "RECT" else ("clamp_to_edge", "clamp_to_border"))} --min {draw.choice(filters)} --mag {draw.choice(filters)} '
    line += f'--mip {"none" if target == "RECT" else draw.choice(("none", "nearest", "linear"))} --rules {draw.choice(("tgsi", "d3d", "maxwell"))} '
    return line + (f'--aniso {draw.choice((1, 2, 8))} ' if draw.randrange(3) == 0 else '') + f'--swizzle {draw.choice(("xyzw", "xyzw", "wzyx", "x01w"))}'


def sample(place, form):
    draw = inputs.numbers(form)
    lines = [lookup(draw, form) for _ in range(LOOKUPS)]
    yield place.ask(f'sample {form}', 'sample', '--batch', '-', stdin='\n'.join(lines).encode() + b'\n')
    yield place.ask(f'sample-explain {form}', 'sample', *lines[0].split(), '--explain')


FUZZED = {'text': 'tgsi', 'tokens': 'tgsi-bin', 'dxbc': 'dxbc', 'd3d_asm': 'd3d-asm', 'maxwell_program_text': 'maxwell', 'maxwell_program_raw': 'maxwell',
          'maxwell_cubin': 'cubin', 'execute': 'tgsi'}


def fuzz(place, name):
    kind = FUZZED[name.split('/')[-2]]
    yield place.ask(f'fuzz-check {name}', 'check', '-Wpedantic', '-x', kind, name)
    yield place.ask(f'fuzz-dis {name}', 'dis', '-x', kind, name)
    if kind in ('dxbc', 'd3d-asm'):
        yield place.ask(f'fuzz-lower {name}', 'translate', '-x', kind, '--to', 'tgsi', name)


def headers(place, name):
    yield place.ask(f'fuzz-headers {name}', 'headers', '--headers', name)
    yield place.ask(f'fuzz-samplers {name}', 'headers', '--samplers', name)


def table(place, name):
    shown = place.ask(f'table {name}', 'list', name)
    yield shown
    yield place.ask(f'table-json {name}', 'list', '--json', name)
    yield place.ask(f'table-explain {name}', 'explain', *sorted({line.split('\t')[0] for line in shown.out.decode().splitlines()}))


def golden(place, name):
    yield ask.made(f'file {name}', place.read(name))


def rows(setting, name, **how):
    """The rows of a table of the corpora, none where it is not there."""
    path = os.path.join(setting.shared, 'corpus', name)
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8', newline='') as file:
        return list(csv.DictReader((line for line in file if not line.startswith('#')), delimiter='\t', quoting=csv.QUOTE_NONE, **how))


def formats(setting):
    with open(os.path.join(setting.repository, 'src/isa/formats.def'), encoding='utf-8') as file:
        return re.findall(r'^FORMAT\((\w+)', file.read(), re.M)


def tasks(setting):
    """Everything, the longest first, so that no process is left alone with them."""
    made = []

    def add(kind, function, items):
        if {kind} & setting.wanted or (kind == 'shader' and set(KINDS[1:8]) & setting.wanted):
            made.extend(ask.Task(kind, function, item if isinstance(item, tuple) else (item,)) for item in items)

    def compiled(number):
        return bool(setting.compiled) and number % setting.compiled == 0
    both, programs_of = [*containers(setting), *listings(setting)], set(containers(setting))
    add('maxwell', words, listed(setting, 'shared', 'corpus/maxwell/t*.tsv', 'corpus/maxwell/control.tsv'))
    add('script', script, listed(setting, 'shared', 'corpus/dxbc/shader_test/*.shader_test') + listed(setting, 'repository', 'examples/scripts/*.shader_test'))
    add('shader', tgsi, [(name, compiled(n)) for n, name in enumerate(texts(setting))])
    add('shader', container, [(name, compiled(n)) for n, name in enumerate(containers(setting))])
    add('shader', listing, [(name, compiled(n), name[:-4] + '.dxbc' not in programs_of) for n, name in enumerate(listings(setting))])
    add('shader', cubin, cubins(setting))
    every = texts(setting) + both + cubins(setting)
    add('check', check, [(every[at:at + CHUNK],) for at in range(0, len(every), CHUNK)])
    add('eval', instructions, list(enumerate(rows(setting, 'dxbc/fxc/shader_instructions.tsv'), 1)))
    add('check', probe, [(n, row['text']) for n, row in enumerate(rows(setting, 'tgsi/grammar_cases.tsv'), 1)])
    add('dis', tokens, [(row['file'], row['hex_words']) for row in rows(setting, 'tgsi/tokens.tsv')])
    add('sample', sample, formats(setting))
    add('fuzz', fuzz, [name for name in listed(setting, 'repository', 'tests/fuzz/corpus/*/*') if name.split('/')[-2] in FUZZED])
    add('fuzz', headers, listed(setting, 'repository', 'tests/fuzz/corpus/headers/*'))
    add('table', table, TABLES)
    add('file', golden, listed(setting, 'repository', 'tests/golden/**/*', 'examples/**/*.png', 'docs/pictures/*.png'))
    return made
