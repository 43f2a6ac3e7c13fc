#!/usr/bin/env python3
"""explain, line by line: what the rows of list say, laid out in lines of at most 100 columns behind a label of 17."""
import json
import os

import command as c
import tap


def table(name):
    return json.loads(c.run('list', name, '--json').stdout)['rows']


def field(label, text):
    """A label and its text: lines end before column 100, counted in bytes, at blanks, and where the text ends them."""
    if not text:
        return ''
    lines = []
    for paragraph in text.split('\n'):
        line = ''
        for n, word in enumerate(paragraph.split(' ')):
            if n and 17 + len(line.encode()) + 1 + len(word.encode()) > 100:
                lines.append(line)
                line = word
            else:
                line += (' ' if n else '') + word
        lines.append(line)
    return f'  {label:<15}' + ('\n' + ' ' * 17).join(lines) + '\n'


TYPES = {'F': 'float', 'I': 'int', 'U': 'uint', 'D': 'double', 'L': 'int64', 'Q': 'uint64', 'X': 'bits', 'R': 'register'}


def types(row):
    """dst float, src0 int, ...; one source has no number."""
    names = []
    if row['destinations']:
        names.append('dst ' + TYPES.get(row['signature'][0], 'none'))
    sources = row['signature'].split('_')[1] if '_' in row['signature'] else ''
    for n, letter in enumerate(sources[:row['sources']]):
        names.append(f'src{n if row["sources"] > 1 else ""} {TYPES.get(letter, "none")}')
    return f'  {"types":<15}' + (', '.join(names) or 'none') + '\n'


def explained(names):
    done = c.run('explain', *names)
    return done.stdout.decode() if done.returncode == c.YES and not done.stderr else f'exit {done.returncode}: {done.stderr.decode()[:300]}'


def blocks(names):
    """The explanations, each from its title to the next."""
    found = []
    for line in explained(names).splitlines(keepends=True):
        if line.startswith('  '):
            found[-1] += line
        else:
            found.append(line)
    return found


def lacking(name, wanted, among):
    missing = [w for w in wanted if w not in among]
    return [f'{name}: {len(missing)} of {len(wanted)} are not so: {missing[0]}'] if missing else []


def opcodes():
    rows, findings = table('opcodes'), []
    have = {b.split(':')[0]: b for b in blocks([row['name'] for row in rows]) if b.startswith('opcode ')}
    for row in rows:
        block = have.get('opcode ' + row['name'], '')
        ends = field('section', row['section']) + field('number', str(row['number'])) + field('flags', row['flags'])
        if not block.startswith(f'opcode {row["name"]}: {row["title"]}\n  form           ') or types(row) + '  meaning        ' not in block or not block.endswith(ends):
            findings.append(f'{block}, not {types(row)} {ends}')
    return findings + ([] if len(have) == len(rows) else [f'{len(have)} opcodes'])


ROLES = {'D': 'dest', 'N': 'dest|null', 'V': 'u#|g#', 'C': 'src.component', 'R': 't#', 'P': 's#', 'M': 'm#', 'L': 'l#', 'F': 'fp#', 'I': 'literal'}


def direct3d():
    rows = table('d3d')
    have = blocks(sorted({row['name'] for row in rows}))
    by_text = {b.split(':')[0]: b for b in have if b.startswith('Direct3D instruction ')}
    findings = []
    for row in rows:
        operands = [o for o in row['operands'].split(' ') if o]
        plain = '%' not in row['operands']
        block = by_text.get('Direct3D instruction ' + row['name'], '')
        ends = field('shader model', f'{row["model"] // 10}.{row["model"] % 10}') + field('stages', ' '.join(s + 's' for s in row['stages'])) + \
            field('number', str(row['number'])) + field('flags', row['flags'])
        begins = f'Direct3D instruction {row["name"]}: {row["title"]}\n'
        if plain:
            begins += '  form           ' + row['name'] + (' ' if operands else '') + ', '.join(ROLES.get(o[0], 'src') for o in operands) + '\n'
            begins += field('types', ', '.join(f'{ROLES.get(o[0], "src")} ' + {'f': 'float', 'i': 'int', 'u': 'uint', 'd': 'double'}.get(o[1], 'any') for o in operands if o[1] != '-'))
        else:
            begins += '  text           ' + row['name'] + row['operands'] + '\n'
        begins += field('vkd3d', row['other'])
        if not block.startswith(begins) or not block.endswith(ends):
            findings.append(f'{block!r}, not {begins!r} ... {ends!r}')
    others = [row['other'] for row in rows if row['other']]
    return findings[:3] + lacking('vkd3d', [b for b in by_text.values() if '  vkd3d ' in b], blocks(others)) + ([] if others else ['no other names'])


def names():
    """Semantics, properties, files, targets, formats: by name and by word, in any case."""
    findings = []
    for kind, title, doc, label in (('semantics', 'semantic', 'meaning', 'type'), ('properties', 'property', 'meaning', 'value'), ('files', 'register file', 'meaning', None),
                                    ('targets', 'texture target', 'meaning', None), ('formats', 'format', 'channels', 'swizzle')):
        rows = table(kind)
        have = blocks([row['name'].lower() if kind == 'formats' else row['name'] for row in rows])
        for row in rows:
            begins = f'{title} {row["name"]}\n' + (field('in text', row['word']) if row['word'] != row['name'] else '') + field(doc, row['doc']) + (field(label, row['type']) if label else '')
            ends = field('number', str(row['number']))
            if not any(b.startswith(begins) and b.endswith(ends) and (kind in ('semantics', 'properties', 'targets') or b == begins + ends) for b in have):
                findings.append(f'{kind} {row["name"]}: no {begins!r}')
        words = [row['word'] for row in rows if row['word'] != row['name']]
        if words:
            again = blocks(words)
            findings += [f'{kind} {row["name"]} by its word' for row in rows if row['word'] in words and not any(b.startswith(f'{title} {row["name"]}\n') for b in again)]
    return findings[:5] + c.says(c.YES, explained(['R8_UNORM']), '', 'explain', 'PIPE_FORMAT_R8_UNORM') + c.says(c.YES, explained(['R8_UNORM']), '', 'explain', 'pipe_format_r8_unorm') + \
        c.says(c.NO, '', None, 'explain', 'PIPE_FORMATR8_UNORM')


def errors():
    """By number and by name."""
    rows = table('errors')
    wanted = [f'{row["severity"]}{" warning" if row["severity"] == "pedantic" else ""} {row["number"]} {row["name"]}: {row["summary"]}\n' + field('meaning', row['explanation']) for row in rows]
    numbers, by_name = explained([str(row['number']) for row in rows]), blocks([row['name'].lower() for row in rows])
    findings = [] if numbers == ''.join(wanted) else ['by number: another text']
    return findings + lacking('by name', wanted, by_name) + c.says(c.NO, '', None, 'explain', '1000') + c.says(c.NO, '', None, 'explain', '01001x')


def headers():
    wanted, rows = [], table('headers')
    for row in rows:
        sampler = row['versions'] == 'SAMPLER'
        wanted.append(f'field {row["name"]} of Maxwell\'s {"samplers" if sampler else "texture headers"}\n' + ('' if sampler else field('versions', row['versions'])) + field('bits', row['bits']) +
                      field('value', row['value']) + field('default', row['default']) + field('meaning', row['meaning']) + field('words', row['words']))
    return lacking('fields', wanted, blocks(sorted({row['name'] for row in rows})))


def decisions():
    rows, wanted = table('decisions'), []
    subjects = sorted({s for row in rows for s in row['subjects'].split(' ')})
    for row in rows:
        wanted.append(f'decision ({row["subjects"]})\n' + field('specification', row['clause']) + field('choice', row['choice']) + field('reason', row['reason']))
    findings = lacking('decisions', wanted, blocks(subjects)) + lacking('decisions in capitals', wanted, blocks([s.upper() for s in subjects]))
    for subject in ('rounding', 'denormals', 'rounding'.upper()):
        have = [b for b in blocks([subject]) if b.startswith('decision')]
        mine = [w for row, w in zip(rows, wanted) if subject.lower() in row['subjects'].lower().split(' ')]
        if have != mine: findings.append(f'{subject}: {have}, not {mine}')
    return findings


def maxwell():
    """One name: its title, then a label for each kind where it begins; fields in columns."""
    rows, findings = table('maxwell'), []
    operations = sorted({row['operation'] for row in rows})
    have, small = explained(operations), explained([operation.lower() for operation in operations])
    for operation in operations:
        wanted, kind = '', ''
        for row in rows:
            if row['operation'] != operation and row['form'] != operation:
                continue
            if row['kind'] == 'operation':
                wanted += f'Maxwell instruction {row["operation"]}: {row["text"]}\n'
                continue
            if row['kind'] == 'syntax':
                wanted, kind = wanted + field('syntax', row['text']), row['kind']
                continue
            line = f'{row["bits"]:<7} ' + (f'{row["name"]:<20}{row["text"]}' if row['text'] else row['name']) if row['kind'] == 'field' else f'{row["name"]}: {row["text"]}'
            wanted += field(row['kind'] if row['kind'] != kind else '', line)
            kind = row['kind']
        if not wanted or wanted not in have:
            findings.append(f'{operation}: not {wanted[:2000]}')
        findings += [] if wanted in small else [f'{operation} in small letters']
    return findings[:2]


COLUMNS = {'opcodes': 'name number section destinations sources signature title flags', 'semantics': 'name number word type doc', 'd3d': 'name number other model stages operands title flags',
           'maxwell': 'operation form kind name bits text', 'headers': 'name versions bits value default meaning words', 'decisions': 'subjects clause choice reason',
           'errors': 'name number severity summary explanation', 'limits': 'name default meaning'}
COLUMNS.update({name: COLUMNS['semantics'] for name in ('properties', 'targets', 'files')})
COLUMNS['formats'] = COLUMNS['semantics'] + ' uses'


def cells():
    """Each table as text and as JSON has the same cells; words of the JSON are the columns' names, numbers are numbers."""
    findings = []
    for name, columns in COLUMNS.items():
        rows = table(name)
        lines = ''.join('\t'.join(map(str, row.values())) + '\n' for row in rows)
        findings += c.says(c.YES, lines, '', 'list', name) if '\n' not in ''.join(str(v) for row in rows for v in row.values()) else []
        if {' '.join(row) for row in rows} != {columns} or any(isinstance(value, int) != (column in ('number', 'destinations', 'sources', 'model')) for row in rows for column, value in row.items()):
            findings.append(f'{name}: {rows[0]}')
    return findings


def uses_of_formats():
    """What formats are used for, and those that are refused; docs/status.md has the totals."""
    rows = [row for row in table('formats') if row['name'] != 'NONE']
    words = {'sampled', 'filtered', 'stored', 'atomic', 'written', 'mips', 'color', 'depth-stencil', 'vertices', 'refused'}
    uses = {row['name']: row['uses'].split() for row in rows}
    findings = [f'{name}: {list_}' for name, list_ in uses.items() if not list_ or set(list_) - words or ('refused' in list_ and len(list_) > 1)]
    for name, wanted in (('R8G8B8A8_UNORM', 'sampled filtered stored written mips color vertices'), ('BPTC_RGBA_UNORM', 'sampled filtered'), ('Z32_FLOAT', 'sampled filtered written mips depth-stencil'),
                         ('R32_UINT', 'sampled stored atomic written color vertices'), ('ASTC_4x4x4', 'refused'), ('NV12', 'refused')):
        if uses[name] != wanted.split():
            findings.append(f'{name}: {uses[name]}, not {wanted}')
    count = {word: sum(word in list_ for list_ in uses.values()) for word in words}
    said = (f'`scheelite list formats` names {len(rows)} texel formats: {count["sampled"]} are sampled and fetched ({count["filtered"]} with filters), {count["stored"]} stored, '
            f'{count["color"]} rendered as colours and {count["depth-stencil"]} as depth and stencil; {count["vertices"]} are formats of vertices. {count["refused"]} are refused everywhere.')
    with open(os.path.join(tap.SOURCE, 'docs', 'status.md'), encoding='utf-8') as file:
        text = ' '.join(file.read().split())
    return findings + ([] if said in text else [f'docs/status.md lacks: {said}'])


tap.run([('cells', cells), ('uses of formats', uses_of_formats), ('opcodes', opcodes), ('Direct3D instructions', direct3d), ('names', names), ('errors', errors), ('fields of headers', headers), ('decisions', decisions), ('Maxwell', maxwell)])
