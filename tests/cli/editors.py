#!/usr/bin/env python3
"""What editors are given: the files of the extension for VS Code are there and valid, its grammars have the opcodes of the tables
and colour the examples, and all launch configurations say what the server takes (and docs/debugging.md says)."""
import json
import os
import re
import subprocess
import sys

import command as c
import tap

EDITORS = os.path.join(tap.SOURCE, 'editors')
FOLDER = os.path.join(EDITORS, 'vscode')


def read(*names):
    with open(os.path.join(*names), encoding='utf-8') as file:
        return file.read()


def package():
    return json.loads(read(FOLDER, 'package.json'))


def files():
    """What package.json names is there; all JSON is valid."""
    made = package()['contributes']
    named = [package()['main'], *(rule['path'] for rule in made['grammars']), *(language['configuration'] for language in made['languages'])]
    findings = [f'{name} is missing' for name in named if not os.path.exists(os.path.join(FOLDER, name))]
    for at, _, names in os.walk(FOLDER):
        for name in names:
            if name.endswith('.json'):
                json.loads(read(at, name))
    languages = {language['id'] for language in made['languages']}
    for kind in ('grammars', 'breakpoints'):
        if {one['language'] for one in made[kind]} != languages:
            findings.append(f'{kind} of other languages')
    if set(made['debuggers'][0]['languages']) != languages:
        findings.append('the debugger is of other languages')
    return findings


def grammars_are_up_to_date():
    done = subprocess.run([sys.executable, os.path.join(tap.SOURCE, 'tools', 'gen-editors'), '--check', '--command', c.COMMAND], capture_output=True, text=True)
    return [] if done.returncode == 0 else [done.stdout + done.stderr]


def coloured(grammar, line):
    """{word: scope} of a line, as editors match it: the leftmost rule, and of those the first."""
    found, at = {}, 0
    rules = [(re.compile(rule['match']), rule['name']) for rule in grammar['patterns'] if 'match' in rule]
    while True:
        matches = [(match.start(), n, match) for n, (rule, _) in enumerate(rules) if (match := rule.search(line, at)) and match.group()]
        if not matches:
            return found
        _, n, match = min(matches, key=lambda one: one[:2])
        found[match.group().strip()] = rules[n][1].rsplit('.', 1)[0]
        at = match.end()


def grammars_colour():
    findings = []
    cases = [('tgsi', '  7: MAD_SAT TEMP[0].xy, IN[1].xyzw, -IMM[0].xxxx, CONST[0][2] # sum', {'MAD_SAT': 'support.function', 'TEMP': 'variable.language', '.xy': 'variable.parameter.swizzle', '# sum': 'comment.line', '7': 'constant.numeric'}),
             ('tgsi', 'DCL OUT[0], COLOR', {'DCL': 'keyword.declaration', 'OUT': 'variable.language', 'COLOR': 'constant.language'}), ('tgsi', 'BGNLOOP :4', {'BGNLOOP': 'keyword.control'}),
             ('tgsi', 'FRAG', {'FRAG': 'keyword.other.stage'}), ('tgsi', 'TEX OUT[0], TEMP[0], SAMP[0], 2D', {'TEX': 'support.function', 'SAMP': 'variable.language', '2D': 'constant.language'}),
             ('d3dasm', 'ps_5_0', {'ps_5_0': 'keyword.other.stage'}), ('d3dasm', 'sample_l r0.xyzw, v1.xyxx, t0.xyzw, s0, l(0.5)', {'sample_l': 'support.function', 'r0': 'variable.language', '.xyxx': 'variable.parameter.swizzle', '0.5': 'constant.numeric'}),
             ('d3dasm', 'dcl_input_ps linear v0.xyzw', {'dcl_input_ps': 'keyword.declaration', 'v0': 'variable.language'}), ('d3dasm', 'breakc_nz r0.x // out', {'breakc_nz': 'keyword.control', '// out': 'comment.line'}), ('d3dasm', 'mul_sat r1.x, r0.x, r0.x', {'mul_sat': 'support.function'}),
             ('maxwell', '@!P0 TLD4S.AOFFI R4, R0, R2, 0x10, 2D', {'@!P0': 'keyword.control', 'TLD4S': 'support.function', '.AOFFI': 'storage.modifier', 'R4': 'variable.language', '0x10': 'constant.numeric', '2D': 'constant.language'})]
    for name, line, wanted in cases:
        found = coloured(json.loads(read(FOLDER, 'syntaxes', f'{name}.tmLanguage.json')), line)
        findings += [f'{name}: {line}: {word} is {found.get(word)}, not {scope}' for word, scope in wanted.items() if found.get(word) != scope]
    grammar = json.loads(read(FOLDER, 'syntaxes', 'tgsi.tmLanguage.json'))
    for path in c.SHADERS:
        for line in c.run('dis', path).stdout.decode().splitlines():
            opcode = re.match(r' *\d+: (\w+)', line)
            if opcode and coloured(grammar, line).get(opcode.group(1)) not in ('support.function', 'keyword.control'):
                findings.append(f'{line} has no opcode')
    return findings


def members():
    """What launch takes, the extension offers, and the document says are the same."""
    debugger = package()['contributes']['debuggers'][0]
    offered = set(debugger['configurationAttributes']['launch']['properties'])
    source = read(tap.SOURCE, 'src', 'debug', 'dap_launch.c')
    taken = set(re.findall(r'\{"(\w+)", "-', source)) | {'program', 'quads', 'stopOnEntry'}
    said = set(re.findall(r'`(\w+)`', ''.join(line.split(' | ')[0] for line in read(tap.SOURCE, 'docs', 'debugging.md').split('### VS Code')[0].splitlines() if line.startswith('| `'))))
    findings = [f'{name}: not everywhere' for name in sorted((offered ^ taken) | (said ^ taken))]
    for one in [*debugger['initialConfigurations'], *(snippet['body'] for snippet in debugger['configurationSnippets'])]:
        findings += [f'{one["name"]}: nobody takes {name}' for name in set(one) - taken - {'type', 'request', 'name'}]
        if one['type'] != debugger['type']:
            findings.append(f'{one["name"]}: type {one["type"]}')
    others = {'kate': [name for one in json.loads(read(EDITORS, 'kate', 'dap.json'))['dap']['scheelite']['configurations'].values() for name in one['request']],
              'emacs': [name for one in re.findall(r'\(list (:type .*?)\)\)', read(EDITORS, 'emacs', 'scheelite.el'), re.S) for name in re.findall(r':([a-z]\w*)', one)]}
    for editor, names in others.items():
        findings += [f'{editor}: nobody takes {name}' for name in sorted(set(names) - taken - {'type', 'request', 'name', 'command'})]
        findings += [] if names.count('stopOnEntry') == 3 else [f'{editor}: not three configurations']
    return findings + ([] if len(taken) > 25 else ['no members were seen'])


tap.run([('files', files), ('grammars are up to date', grammars_are_up_to_date), ('grammars colour', grammars_colour), ('members', members)])
