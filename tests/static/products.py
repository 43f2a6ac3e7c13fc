#!/usr/bin/env python3
"""Products of 32-bit operands that are made wider afterwards: times and sizes that wrapped before anyone saw them. In
`uint64_t ns = ms * 1000000` the product has 32 bits, and the cast comes too late; one operand must be wide. clang-query
asks the compiler's own tree, so that casts, typedefs, constants and macros are what they are to the compiler. Of an index
of an array only products of two variables are asked for: the index 4 * i of a vector of four is none that can wrap."""
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile

import tap

# A product varies if an operand does: the compiler itself warns of constants that wrap. Sums of a product, as far as two
# sums deep, count as it does; a product that is kept in a variable of 32 bits first is meant to have 32 bits.
QUERY = r'''set bind-root false
set output diag
set traversal AsIs
let wide qualType(hasCanonicalType(anyOf(asString("unsigned long"), asString("long"), asString("unsigned long long"), asString("long long"))))
let narrow qualType(hasCanonicalType(anyOf(asString("unsigned int"), asString("int"))))
let varies expr(anyOf(callExpr(), declRefExpr(to(decl(unless(enumConstantDecl())))), hasDescendant(expr(anyOf(callExpr(), declRefExpr(to(decl(unless(enumConstantDecl())))))))))
let product binaryOperator(hasOperatorName("*"), hasType(narrow), hasEitherOperand(varies)).bind("widened")
let both binaryOperator(hasOperatorName("*"), hasType(narrow), hasLHS(varies), hasRHS(varies)).bind("index")
let sum binaryOperator(hasAnyOperatorName("+", "-"), hasEitherOperand(ignoringParens(anyOf(product, binaryOperator(hasAnyOperatorName("+", "-"), hasEitherOperand(ignoringParens(product)))))))
let sumofboth binaryOperator(hasAnyOperatorName("+", "-"), hasEitherOperand(ignoringParens(anyOf(both, binaryOperator(hasAnyOperatorName("+", "-"), hasEitherOperand(ignoringParens(both)))))))
m castExpr(hasCastKind("CK_IntegralCast"), hasType(wide), unless(isExpansionInSystemHeader()), hasSourceExpression(ignoringParens(anyOf(product, sum))))
m arraySubscriptExpr(unless(isExpansionInSystemHeader()), hasIndex(ignoringParenImpCasts(anyOf(both, sumofboth))))
m binaryOperator(hasAnyOperatorName("+", "-"), hasType(pointerType()), unless(isExpansionInSystemHeader()), hasEitherOperand(ignoringParenImpCasts(anyOf(both, sumofboth))))
'''
FOUND = re.compile(r'^(\S+?):(\d+):\d+: note: "(widened|index)" binds here\n(.*)\n(.*)$', re.M)
# Products of lanes and pixels of a block, which are below 32: headers that every operation includes.
SMALL = {('src/ops/vec/memory.h', '4 * q'), ('src/ops/raster/target.h', 'quad / across * 2'), ('src/ops/raster/target.h', 'quad % across * 2')}
# What only one compiler knows.
OTHERS = re.compile(r' -mmem(cpy|set)-strategy=\S+')
AT_ONCE = 20


def tool():
    for name in ['clang-query'] + [f'clang-query-{version}' for version in range(30, 13, -1)]:
        if shutil.which(name):
            return name
    raise tap.Skip('no clang-query')


def digest(*paths):
    total = hashlib.sha256()
    for path in paths:
        with open(path, 'rb') as file:
            total.update(path.encode() + b'\0' + file.read())
    return total.hexdigest()


def commands():
    """Of each source of ours one command, by its path from the root of the sources."""
    with open(os.path.join(tap.BUILD, 'compile_commands.json'), encoding='utf-8') as file:
        entries = json.load(file)
    found = {}
    for entry in entries:
        path = os.path.relpath(os.path.join(entry['directory'], entry['file']), tap.SOURCE)
        if path.startswith(('src/', 'bench/')):
            found.setdefault(path, {**entry, 'command': OTHERS.sub('', entry['command'])})
    return found


def ask(query, folder, script, paths, entries):
    """What clang-query finds in the files, by file of the finding: (line, kind, product)."""
    files = [os.path.join(entries[path]['directory'], entries[path]['file']) for path in paths]
    done = subprocess.run([query, '-f', script, '-p', folder, *files], capture_output=True, text=True, cwd=tap.BUILD, timeout=600)
    if done.returncode or 'rror' in done.stderr:
        raise OSError(f'{query}: {done.stderr[:300]}')
    found = set()
    for where, line, kind, text, marks in FOUND.findall(done.stdout):
        path = os.path.relpath(os.path.join(tap.BUILD, where), tap.SOURCE)
        product = text[marks.index('^'):marks.rindex('~') + 1] if '~' in marks else text.strip()
        found.add((path, int(line), kind, product))
    return found


def search(entries, wanted):
    query, found = tool(), set()
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, 'query')
        with open(script, 'w', encoding='utf-8') as file:
            file.write(QUERY)
        with open(os.path.join(folder, 'compile_commands.json'), 'w', encoding='utf-8') as file:
            json.dump(list(entries.values()), file)
        parts = [wanted[i:i + AT_ONCE] for i in range(0, len(wanted), AT_ONCE)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for part in pool.map(lambda paths: ask(query, folder, script, paths, entries), parts):
                found |= part
    return found


def say(found):
    words = {'widened': 'a product of 32 bits is made wider', 'index': 'a product of two numbers of 32 bits is an index'}
    return [f'{path}:{line}: {words[kind]}: {product}' for path, line, kind, product in sorted(found) if (path, product) not in SMALL]


def products_are_wide():
    """Files that passed with these headers are not asked about again."""
    entries = commands()
    headers = sorted(glob.glob(os.path.join(tap.SOURCE, 'src', '**', '*.[hd]*'), recursive=True) + glob.glob(os.path.join(tap.SOURCE, 'include', '**', '*.h'), recursive=True))
    common = digest(os.path.abspath(__file__), *headers)
    kept = os.path.join(tap.BUILD, 'products.passed')
    try:
        with open(kept, encoding='utf-8') as file:
            passed = set(file.read().split())
    except OSError:
        passed = set()
    names = {path: hashlib.sha256((common + digest(os.path.join(entries[path]['directory'], entries[path]['file']))).encode()).hexdigest() for path in entries}
    findings = say(search(entries, [path for path in sorted(entries) if names[path] not in passed]))
    if not findings:
        with open(kept, 'w', encoding='utf-8') as file:
            file.write('\n'.join(sorted(names.values())) + '\n')
    return findings


CASES = '''#include <stdint.h>
#include <stddef.h>
enum { NS_OF_MS = 1000000, SMALL = 4 };
uint64_t of_time(uint32_t ms) { return ms * NS_OF_MS; }
uint64_t of_sum(uint64_t now, uint32_t ms) { return now + (ms * NS_OF_MS + 1); }
uint64_t of_cast(uint32_t rows, uint32_t bytes) { return (uint64_t)(rows * bytes); }
char of_index(const char *at, uint32_t rows, uint32_t bytes) { return at[rows * bytes + 1]; }
const char *of_pointer(const char *at, uint32_t rows, uint32_t bytes) { return at + rows * bytes; }
int64_t of_int(int a, int b) { return 1 + a * b; }
uint64_t wide(uint32_t rows, uint32_t bytes) { return (uint64_t)rows * bytes + rows; }
uint64_t constant(uint64_t a) { return a + SMALL * SMALL; }
char vector(const char *at, uint32_t i) { return at[SMALL * i + 1]; }
uint64_t hash(uint32_t a) { const uint32_t product = a * 0x9e3779b1u; return product; }
size_t sizes(uint32_t count) { return count * sizeof(int); }
'''


def the_query_finds_them():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'cases.c')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(CASES)
        name = os.path.relpath(path, tap.SOURCE)
        entry = {'directory': folder, 'file': path, 'command': f'cc -std=c17 -c {path}'}
        lines = sorted(line for _, line, _, _ in search({name: entry}, [name]))
    wanted = [number for number, line in enumerate(CASES.splitlines(), 1) if ' of_' in line or '*of_' in line]
    return [] if lines == wanted else [f'found in the lines {lines}, not {wanted}']


tap.run([('the query finds products that are widened', the_query_finds_them), ('no product of 32 bits is made wider', products_are_wide)])
