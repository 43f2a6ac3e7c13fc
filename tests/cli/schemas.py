#!/usr/bin/env python3
"""What the verbs print as JSON is what docs/schemas says, and docs/json.md names every schema. The validator knows the
words of JSON Schema that those files use; an unknown one is a finding."""
import json
import os
import re

import command as c
import tap

DOCS = os.path.join(tap.SOURCE, 'docs')
TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None), 'number': (int, float), 'integer': int}
ABOUT = {'$schema', '$id', 'title'}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == 'boolean' or not isinstance(value, bool))


def violations(value, schema, at='$'):
    """What of `value` is not as the schema says."""
    found = []
    for word, wanted in schema.items():
        if word in ABOUT:
            continue
        if word == 'type':
            names = wanted if isinstance(wanted, list) else [wanted]
            if not any(is_type(value, name) for name in names):
                return [f'{at}: {value!r} is no {wanted}']
        elif word == 'const':
            found += [] if value == wanted else [f'{at}: {value!r}, not {wanted!r}']
        elif word == 'enum':
            found += [] if value in wanted else [f'{at}: {value!r} is none of {wanted}']
        elif word == 'pattern':
            found += [] if re.search(wanted, value) else [f'{at}: {value!r} does not match {wanted}']
        elif word == 'minimum':
            found += [] if value >= wanted else [f'{at}: {value!r} is below {wanted}']
        elif word == 'minItems':
            found += [] if len(value) >= wanted else [f'{at}: {len(value)} items']
        elif word == 'maxItems':
            found += [] if len(value) <= wanted else [f'{at}: {len(value)} items']
        elif word == 'items':
            for i, item in enumerate(value or []):
                found += violations(item, wanted, f'{at}[{i}]')
        elif word == 'required':
            found += [f'{at}: {name} is missing' for name in wanted if name not in value]
        elif word == 'properties':
            for name, inner in wanted.items():
                if name in value:
                    found += violations(value[name], inner, f'{at}.{name}')
        elif word == 'additionalProperties':
            for name in set(value) - set(schema.get('properties', {})):
                found += [f'{at}: {name} is not in the schema'] if wanted is False else violations(value[name], wanted, f'{at}.{name}')
        elif word == 'anyOf':
            tries = [violations(value, one, at) for one in wanted]
            found += [] if not all(tries) else [f'{at}: {value!r} is as none of the forms: {tries}']
        else:
            found.append(f'{at}: the validator does not know {word}')
    return found


def schemas():
    folder = os.path.join(DOCS, 'schemas')
    read = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            read[name[:-5]] = json.load(file)
    return read


SCHEMAS = schemas()


def no_number(text):
    raise ValueError(f'{text} is no JSON')


def strict(text):
    return json.loads(text, parse_constant=no_number)


def validator():
    """The validator sees what is wrong."""
    shape = {'type': 'object', 'properties': {'a': {'type': 'integer', 'minimum': 0}, 'b': {'type': 'array', 'items': {'enum': ['x']}, 'minItems': 1, 'maxItems': 2},
             'c': {'anyOf': [{'type': 'number'}, {'type': 'string', 'pattern': '^i'}]}, 'd': {'const': 1}}, 'required': ['a'], 'additionalProperties': False}
    good = [{'a': 0}, {'a': 1, 'b': ['x'], 'c': 1.5, 'd': 1}, {'a': 1, 'c': 'inf'}]
    bad = [[], {}, {'a': -1}, {'a': True}, {'a': 1.5}, {'a': '1'}, {'a': 1, 'b': []}, {'a': 1, 'b': ['x'] * 3}, {'a': 1, 'b': ['y']}, {'a': 1, 'c': 'x'}, {'a': 1, 'd': 2}, {'a': 1, 'e': 1}]
    return [f'{value} is refused' for value in good if violations(value, shape)] + [f'{value} passes' for value in bad if not violations(value, shape)] + \
        ([] if violations(1, {'maximum': 3}) else ['an unknown word passes'])


SCRIPT = '[pixel shader]\nfloat4 main() : SV_Target { return 1; }\n[test]\ndraw quad\nprobe (0, 0) rgba (1, 1, 1, 1)\n'


def calls():
    shader = c.write('plain.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SV[0], POSITION\nDCL CONST[0]\nDCL OUT[0], COLOR\nADD OUT[0], IN[0], CONST[0]\nEND\n')
    points = c.write('points.tgsi', 'GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 2\nDCL IN[][0], GENERIC[0]\n'
                     'DCL OUT[0], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n')
    control = c.write('control.tgsi', 'TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 2\nDCL IN[][0], GENERIC[0]\nDCL OUT[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\nDCL ADDR[0]\nUARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[0][0]\nEND\n')
    listing = c.write('plain.asm', 'ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v0.xyzw\nret\n')
    container = c.path('plain.dxbc')
    c.run('asm', listing, '-o', container)
    broken, two = c.write('broken.tgsi', 'FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], TEMP[0]\nEND\n'), c.write('two.txt', 'FRAG\nDCL OUT[0], COLOR\nEND\nFRAG\nEND\n')
    words = c.write('lookup.sass', 'TMML.LOD R4, R0, 0x0, 2D, 0x3\n')
    script = c.write('draw.shader_test', SCRIPT)
    special = 'IN[0]=inf,-inf,nan,nan(0x1)\tCONST[0]=0.\nIN[0]=-0.0,1e-45,3.4e38,-nan\n'
    yield 'eval', ('eval', shader, '--vectors', '-', '--json'), special
    yield 'eval', ('eval', points, '--vectors', '-', '--json'), 'IN[0][0]=1.5\n'
    yield 'eval', ('eval', control, '--vectors', '-', '--json'), 'IN[0][0]=1.5\n\n'
    yield 'eval', ('eval', shader, '--vectors', '-', '--json'), 'IN[9]=0x1\n'
    yield 'eval', ('eval', listing, '--vectors', '-', '--json'), '\n'
    fetch = c.write('fetch.sass', 'TLD.LZ R4, R8, 0x0, 2D, 0x3;\n')
    yield 'eval-maxwell', ('eval', '-x', 'maxwell', fetch, '--vectors', '-', '--tex', '0=random:R32_FLOAT:4x4', '--json'), 'R[8]=1i\nKILL\nOFF\n' + 40 * 'R[8]=0x3\n'
    yield 'eval-maxwell', ('eval', '-x', 'maxwell', fetch, '--vectors', '-', '--json'), 'R[8]=x\n'
    kernels = os.path.join(tap.SOURCE, 'tests', 'corpus', 'kernels')
    other = c.write('other.test', open(os.path.join(kernels, 'skipping.test')).read().replace('result out 64 init 0 compare exact\n0', 'result out 64 init 0 compare exact\n1'))
    for test in (os.path.join(kernels, 'histogram.test'), other):
        yield 'kernel-test', ('run', test, '--code', os.path.join(kernels, 'histogram.maxwell' if test != other else 'skipping.maxwell'), '--json'), None
    yield 'launch', ('run', '-x', 'maxwell', os.path.join(kernels, 'saxpy.maxwell'), '--grid', '1,1,1', '--param', 'zero:64', '--param', 'random:64', '--param', '1i', '--param', '2.0', '--json'), None
    yield 'run', ('run', shader, '--pixel', '3,4', '--json', '--const', '0:0=nan,inf,-inf,1'), None
    yield 'run', ('run', shader, '--pixel', '3,4', '--stats', '--json'), None
    yield 'run', ('run', shader, '-o', c.path('out.png'), '--stats', '--json'), None
    yield 'run', ('run', shader, *(text for kind in ('cost', 'divergence', 'lod', 'nan') for text in ('--heat', f'{kind}={c.path(kind + ".png")}')), '--stats', '--json'), None
    scene = os.path.join(c.EXAMPLES, 'scenes', 'triangle.scene')
    frames = os.path.join(tap.SOURCE, 'tests', 'fuzz', 'corpus', 'virgl', 'clear_and_draw')
    yield 'replay', ('replay', frames, '--draw', '1', '--heat', 'overdraw=' + c.path('heat.png'), '--heat', 'divergence=' + c.path('idle.png'), '--json'), None
    yield 'render', ('render', scene, '--heat', 'overdraw=' + c.path('heat.png'), '--heat', 'cost=' + c.path('cost.png'), '--json'), None
    expects = c.write('expects.scene', open(scene).read() + '\nexpect pixel picture 160 119 = 9 9 9 9\n')
    for more in (('--check',), ('--check', '--heat', 'overdraw=' + c.path('heat.png'))):
        yield 'render', ('render', expects, *more, '--json'), None
    bare, spotted = c.write('bare.ppm', b'P6 2 1 255\n' + bytes(6)), c.write('spotted.ppm', b'P6 2 1 255\n' + bytes((0, 0, 0, 9, 0, 255)))
    for other in (bare, spotted):
        yield 'diff', ('diff', bare, other, '--json'), None
    yield 'script', ('run', script, '--json'), None
    yield 'run', ('run', c.write('grid.tgsi', 'COMP\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nSTORE BUFFER[0].x, SV[0].xxxx, SV[0].xxxx\nEND\n'), '--grid', '2,2,2', '--block', '8,1,1', '--pixel', '9,1,0', '--buffer', '0=zero:64', '--stats', '--json'), None
    yield 'sample', ('sample', '--tex', 'random:R32_FLOAT:4x4', '--at', '0.5,0.5', '--json'), None
    yield 'sample', ('sample', '--tex', 'random:R32_UINT:4x4', '--batch', '-', '--json'), '--op fetch --at 1,1\n--op size\nx\n--op sample --at 0,0 --mag linear\n'
    yield 'sample', ('sample', '--tex', 'random:R8G8B8A8_UNORM:8x8:layers=6:levels=4', '--target', 'CUBE', '--at', '0.1,0.2,-0.9', '--min', 'linear', '--mip', 'linear', '--ddx', '0.3,0,0', '--op', 'sample_d', '--explain', '--json'), None
    yield 'sample', ('sample', '--tex', 'random:R8G8_SINT:8', '--target', '1D', '--at', '9', '--op', 'fetch', '--explain', '--json'), None
    yield 'sample', ('sample', '--tex', 'random:R8G8B8A8_UNORM:4x4', '--at', '-1,0', '--wrap', 'clamp_to_border', '--border', 'nan,1,2,3', '--explain', '--json'), None
    yield 'sample', ('sample', '--tex', 'none', '--at', '0,0', '--explain', '--json'), None
    looked = c.write('looked.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n')
    yield 'trace', ('trace', looked, '--pixel', '3,4', '--lanes', 'all', '--tex', '0=random:R32G32B32A32_FLOAT:4x4,filter=linear', '--json'), None
    yield 'trace', ('trace', shader, '--vectors', '-', '--json'), special
    yield 'trace', ('trace', c.write('endless.tgsi', 'FRAG\nDCL TEMP[0]\nBGNLOOP\nMOV TEMP[0].xz, TEMP[0]\nENDLOOP\nEND\n'), '--pixel', '3,4', '--budget', '3', '--json'), None
    yield 'trace', ('trace', listing, '--pixel', '3,4', '--json'), None
    yield 'trace', ('trace', listing, '--pixel', '3,4', '--lowered', '--json'), None
    yield 'explain', ('explain', '--json', 'LG2', 'TEX', '2040', 'sample', 'POSITION', 'R8G8B8A8_UNORM', '2D', '_SAT', 'IN', 'WIDTH'), None
    yield 'explain', ('explain', '--json', 'nothing-of-this-name'), None
    for table in ('opcodes', 'semantics', 'properties', 'formats', 'targets', 'files', 'd3d', 'maxwell', 'headers', 'decisions', 'errors', 'limits'):
        yield 'list', ('list', table, '--json'), None
    for subject in ((), ('tex',), ('d3d', container), ('stop',)) if not c.SANITIZED else ():
        yield 'bench', ('bench', '--json', *subject, *(() if subject and subject[0] != 'tex' else ('--width', '8')), *(('--milliseconds', '1') if subject != ('stop',) else ())), None
    for kind in ('--stats', '--ir', '--asm') if c.compiles() else ():
        yield 'jit', ('jit', kind, '--json', shader), None
    yield 'check', ('check', '--json', shader, broken, two, words, c.path('absent')), None
    for path in (shader, control, listing, container):
        yield 'info', ('info', '--json', path), None
    yield 'info-maxwell', ('info', '--json', words), None
    yield 'doctor', ('doctor', '--json'), None
    other = c.write('other.tgsi', 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL CONST[0]\nDCL OUT[0], COLOR\nMUL OUT[0], IN[0], CONST[0]\nEND\n')
    for a, b in ((shader, other), (shader, shader), (shader, points), (shader, listing)):
        yield 'compare', ('compare', '--json', a, b), None
    yield 'info-texture', ('info', '--json', c.PHOTO), None


def gl():
    """Both forms of gl: what was done, behind the messages on standard error, and the versions, where Mesa's driver is installed."""
    findings = []
    said = c.run('gl', '--stats', '--json', '--', 'sh', '-c', 'echo printed; exit 3')
    told = strict(said.stderr[said.stderr.index(b'{\n'):])
    findings += [f'gl --stats: {text}' for text in violations(told, SCHEMAS['gl'])]
    if said.stdout != b'printed\n' or said.returncode != 3 or (told['program'], told['exit'], told['stats']['clients']) != ('sh', 3, 0):
        findings.append(f'gl --stats: {said}')
    versions = c.run('gl', '--versions', '--json')
    if c.run('gl', '--versions').returncode == c.YES:
        told = strict(versions.stdout)
        findings += [f'gl --versions: {text}' for text in violations(told, SCHEMAS['gl'])]
        if [row['name'] for row in told['versions']] != ['mesa', 'scheelite']:
            findings.append(f'gl --versions: {told}')
    return findings + c.exit_is(c.USAGE, 'gl', '--json', 'true', err='--json goes with --stats or --versions')


def documents():
    findings, seen = [], set()
    for name, arguments, stdin in calls():
        done = c.run(*arguments, stdin=stdin)
        seen.add(name)
        try:
            told = strict(done.stdout)
        except ValueError as problem:
            findings.append(f'{arguments}: {problem}: {done.stdout[:200]} {done.stderr[:200]}')
            continue
        findings += [f'{" ".join(arguments)}: {text}' for text in violations(told, SCHEMAS[name])[:3]]
        if told.get('schema') != f'scheelite-{name}/1' or list(told)[0] != 'schema':
            findings.append(f'{arguments}: the schema is {told.get("schema")}, and not first')
    missing = set(SCHEMAS) - seen - {'gl'} - ({'bench'} if c.SANITIZED else set()) - (set() if c.compiles() else {'jit'})
    return findings + [f'{name}: nothing is printed of this schema' for name in missing]


def several():
    """info of several files is a list with the document of each, those of a text of several shaders, and null of what cannot be described."""
    shader, two, words = c.write('one.tgsi', 'FRAG\nDCL OUT[0], COLOR\nEND\n'), c.write('both.txt', 'FRAG\nDCL OUT[0], COLOR\nEND\nFRAG\nEND\n'), c.write('code.sass', 'TMML.LOD R4, R0, 0x0, 2D, 0x3\n')
    told = strict(c.run('info', '--json', shader, c.path('absent'), words, c.PHOTO, two).stdout)
    if len(told) != 5 or told[1] is not None or len(told[4]) != 2:
        return [f'{told}']
    findings = []
    for document, name in ((told[0], 'info'), (told[2], 'info-maxwell'), (told[3], 'info-texture'), (told[4][0], 'info'), (told[4][1], 'info')):
        findings += violations(document, SCHEMAS[name])[:3]
    return findings


def named():
    """docs/json.md has a row for each file, and each has its name and number."""
    with open(os.path.join(DOCS, 'json.md'), encoding='utf-8') as file:
        text = file.read()
    rows = set(re.findall(r'^\| `scheelite-([a-z-]+)/1` \| \[schemas/([a-z-]+)\.json\]\(schemas/\2\.json\)', text, re.M))
    findings = [] if rows == {(name, name) for name in SCHEMAS} else [f'{rows ^ {(name, name) for name in SCHEMAS}}']
    for name, schema in SCHEMAS.items():
        if schema['$id'] != f'scheelite-{name}/1' or schema['properties']['schema'] != {'const': schema['$id']} or 'schema' not in schema['required']:
            findings.append(f'{name}: {schema["$id"]}')
    return findings


def explained():
    """JSON and HTML of explain say what its text says; the page asks for nothing from elsewhere."""
    findings, names = [], ('LG2', 'TEX', '2040', 'sample', 'TXQ', 'R8G8B8A8_UNORM', '_SAT', 'WIDTH', 'DDX')
    text = c.run('explain', *names).stdout.decode()
    words = text.split()
    told = strict(c.run('explain', '--json', *names).stdout)
    joined = ' '.join(' '.join([entry['title']] + [' '.join([field['label'], *field['lines']]) for field in entry['fields']]) for name in told['names'] for entry in name['entries'])
    if joined.split() != words:
        findings.append(f'JSON: {[(a, b) for a, b in zip(joined.split(), words) if a != b][:3]}')
    page = c.run('explain', '--html', *names).stdout.decode()
    if not page.startswith('<!DOCTYPE html>\n<html lang="en">') or not page.endswith('</body>\n</html>\n'):
        findings.append('no whole page')
    if re.search(r'src=|href=|url\(|@import|<script|https?:', page):
        findings.append('the page asks for something')
    body = re.sub(r'<h1>.*?</h1>', '', page[page.index('<body>'):])
    plain = re.sub(r'<[^>]*>', ' ', body).replace('&lt;', '<').replace('&gt;', '>').replace('&quot;', '"').replace('&amp;', '&')
    if plain.split() != words:
        findings.append(f'HTML: {[(a, b) for a, b in zip(plain.split(), words) if a != b][:3]}')
    for tag in ('dl', 'dt', 'dd', 'h1', 'h2'):
        if len(re.findall(f'<{tag}[ >]', page)) != page.count(f'</{tag}>'):
            findings.append(f'{tag} is not closed')
    quoted = c.run('explain', '--html', '<b>&"').stdout.decode()
    if '<h1>&lt;b&gt;&amp;&quot;</h1>' not in quoted:
        findings.append(f'not quoted: {quoted[-200:]}')
    return findings + c.exit_is(c.USAGE, 'explain', '--json', '--html', 'LG2', err='--json does not go with --html') + c.exit_is(c.USAGE, 'explain', '--json', err='which name or number?') + \
        c.exit_is(c.NO, 'explain', '--html', 'nothing-of-this-name', err='nothing is called')


tap.run([('validator', validator), ('documents', documents), ('gl', gl), ('several files', several), ('schemas are named', named), ('explain', explained)])
