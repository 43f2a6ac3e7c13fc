#!/usr/bin/env python3
"""What ARGUMENT says: names of arguments are those of the public headers, and each function that can tell one is called
wrongly in tests/unit/api/test_wrong_calls.c, those for files in test_wrong_files.c. Runs no function itself."""
import glob
import os
import re

import tap

# Functions that have no context, and those whose only wrong argument is that the object is missing: there is nobody to tell.
SILENT = {'sch_limit_set', 'sch_format_get_info', 'sch_sample_position', 'sch_rasterizer_options_default',
          'sch_depth_stencil_alpha_options_default', 'sch_blend_options_default', 'sch_dynamic_state_default',
          'sch_context_start_compiler', 'sch_renderer_flush', 'sch_pixel_history_set_label', 'sch_debug_seek'}
# Of libscheelite-files: those without a report.
SILENT_FILES = {'sch_file_kind_get_info', 'sch_png_head_write', 'sch_png_tail_write', 'sch_picture_sha256'}


def text_of(*path):
    with open(os.path.join(tap.SOURCE, *path), encoding='utf-8') as file:
        return re.sub(r'/\*.*?\*/', ' ', file.read(), flags=re.DOTALL)


def headers():
    """Those of libscheelite."""
    return ''.join(text_of('include', 'scheelite', os.path.basename(path))
                   for path in sorted(glob.glob(os.path.join(tap.SOURCE, 'include', 'scheelite', '*.h')))
                   if os.path.basename(path) != 'files.h')


def declared(words):
    """{name: type} of `const struct sch_x *a, *b[3]`, a parameter or a member."""
    match = re.match(r'\s*((?:(?:const|struct|enum|union) )*\w+)\s*(.*)', words, re.DOTALL)
    names = re.findall(r'(\w+)(?:\[[^\]]*\])*\s*(?:,|\)|$)', match.group(2)) if match else []
    return {name: re.sub(r'\b(const|struct|enum|union)\b ?', '', match.group(1)) for name in names}


def header_of_files():
    return text_of('include', 'scheelite', 'files.h')


def functions(text):
    """{function: {parameter: type}} of those that return a result."""
    found = {}
    for name, given in re.findall(r'SCH_API enum sch_result (\w+)\(([^;]*)\);', text):
        found[name] = {}
        for words in given.split(','):
            found[name].update(declared(words))
    return found


def structs(text):
    found = {}
    for name, body in re.findall(r'^struct (\w+) \{(.*?)^\};', text, re.MULTILINE | re.DOTALL):
        found[name] = {}
        for line in body.split(';'):
            pointer = re.match(r'\s*[\w\s]+\(\*(\w+)\)', line)
            found[name].update({pointer.group(1): ''} if pointer else declared(line) if line.strip() else {})
    return found


def wrong_calls():
    """(function, argument) of each wrong call in the test."""
    text = text_of('tests', 'unit', 'api', 'test_wrong_calls.c')
    found = [(function, argument) for argument, function in re.findall(r'\bWRONG\("([^"]+)",\s*(\w+),', text)]
    found += [('sch_renderer_draw', argument) for argument in re.findall(r'\bDRAWN\("([^"]+)"', text)]
    return found + [('sch_context_create', argument) for argument in re.findall(r'\bTOLD\("([^"]+)"', text)]


def wrong_files():
    text = text_of('tests', 'unit', 'files', 'test_wrong_files.c')
    return [(function, argument) for argument, function in re.findall(r'\bWRONG\("([^"]+)",\s*(\w+),', text)]


def misnamed(calls, text):
    known, members = functions(text), structs(text)
    findings = []
    for function, argument in calls:
        first, *rest = [re.sub(r'\[.*', '', word) for word in argument.split('.')]
        kind = known.get(function, {}).get(first)
        if kind is None:
            findings.append(f'{function} has no parameter {first} ("{argument}")')
        for word in rest if kind is not None else []:
            if word not in members.get(kind, {}):
                findings.append(f'{function}: {kind} has no member {word} ("{argument}")')
                break
            kind = members[kind][word]
    return findings


def uncalled(calls, known, silent):
    called = {function for function, _ in calls}
    return [f'{name} is not called wrongly' for name in sorted(known - called - silent)] + [
        f'{name} is silent, but no function' for name in sorted(silent - known)] + [
        f'{name} is silent, but called' for name in sorted(silent & called)]


def names_are_the_headers():
    findings = misnamed(wrong_calls(), headers()) + misnamed(wrong_files(), header_of_files())
    return findings if len(wrong_calls()) > 100 and len(wrong_files()) > 40 else ['too few wrong calls were seen']


def all_are_called():
    return uncalled(wrong_calls(), set(functions(headers())), SILENT) + uncalled(wrong_files(), set(functions(header_of_files())), SILENT_FILES)


def none_says_it_alone():
    """A public function that returns ARGUMENT by itself tells nobody."""
    findings, known = [], functions(headers())
    for path in sorted(glob.glob(os.path.join(tap.SOURCE, 'src', 'api', '*.c'))):
        text = text_of('src', 'api', os.path.basename(path))
        for name, body in re.findall(r'^enum sch_result (sch_\w+)\([^;{]*\)\n\{(.*?)^\}', text, re.MULTILINE | re.DOTALL):
            if name in known and name not in SILENT and 'SCH_ERROR_ARGUMENT' in body:
                findings.append(f'{os.path.basename(path)}: {name}')
    return findings


tap.run([('arguments have the names of the headers', names_are_the_headers), ('every function is called wrongly', all_are_called),
         ('no function returns ARGUMENT without a word', none_says_it_alone)])
