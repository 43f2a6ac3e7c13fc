#!/usr/bin/env python3
"""The demo and its page: a picture that is not the repository's is seen and shown, all others are the repository's; the page
takes nothing from elsewhere, and a browser shows all its pictures. Holds no picture and no sum."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'static'))
import tap  # noqa: E402

SUMS = os.path.join(tap.SOURCE, 'examples', 'scenes', 'pictures.sha256')
WRONG = 'triangle.scene'
# Says in the title how many pictures there are, and which did not load.
PROBE = '''<script>addEventListener('load', () => {
  const pictures = [...document.images];
  document.title = `${pictures.length} pictures, not loaded: [${pictures.filter(one => !one.complete || !one.naturalWidth).map(one => one.alt)}]`;
});</script>'''

FOLDER = tempfile.TemporaryDirectory(prefix='scheelite-demo-')
drawn = None


def known():
    """A file of sums of which one is wrong."""
    with open(SUMS, encoding='utf-8') as file:
        lines = file.read().splitlines()
    path = os.path.join(FOLDER.name, 'sums')
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(f'{"0" * 64 if line.endswith("  " + WRONG) else line.split()[0]}  {line.split()[1]}\n' for line in lines)
    return path, len(lines)


def demo():
    """(the finished demo, number of pictures, the page's text); it is run once."""
    global drawn
    if not drawn:
        path, count = known()
        done = subprocess.run([sys.executable, os.path.join(tap.SOURCE, 'tools', 'demo'), os.path.join(tap.BUILD, 'src', 'cli', 'scheelite'),
                               FOLDER.name, '--known', path], capture_output=True, text=True, timeout=900, check=False)
        with open(os.path.join(FOLDER.name, 'index.html'), encoding='utf-8') as file:
            drawn = done, count, file.read()
    return drawn


def one_is_wrong():
    done, count, page = demo()
    findings = [] if done.returncode == 1 else [f'exit code {done.returncode}: {done.stderr[-300:]}']
    wrong = re.findall(r"not the repository's: (\S+)", done.stdout)
    if wrong != [WRONG] or f'{count - 1} of {count} pictures are those of the repository' not in done.stdout:
        findings.append(f'{wrong}: {done.stdout[-600:]}')
    for words, times in (('class="verdict bad"', 1), (f'✗ 1 of {count} pictures differ', 1), (' wrong"', 1), ('<td><span class="bad">✗ differs</span>', 1),
                         ('<td><span class="good">✓ same</span>', count - 1)):
        have = page.replace('&#x27;', "'").count(words)
        if have != times:
            findings.append(f'{words}: {have} times, not {times}')
    return findings


def paths_are_said():
    done, _, _ = demo()
    return [f'{wanted} is not said' for wanted in (os.path.join(FOLDER.name, 'index.html'), os.path.join(FOLDER.name, 'sheet.png'),
                                                  f'export PATH="{os.path.join(tap.BUILD, "src", "cli")}:$PATH"') if wanted not in done.stdout]


def nothing_from_elsewhere():
    """Pictures are in the page; links go to places in it and to documents that are there."""
    _, _, page = demo()
    findings = re.findall(r'src="((?!data:)[^"]{0,60})', page) + re.findall(r'@import|url\([^)]{0,40}|<script', page)
    for word in re.findall(r'href="((?!data:)[^"]{0,200})"', page):
        there = f'id="{word[1:]}"' in page if word.startswith('#') else os.path.exists(os.path.join(FOLDER.name, word))
        findings += [] if there else [f'a link to {word}, which is not there']
    return findings


def browser_shows_it():
    browser = shutil.which('chromium') or shutil.which('chromium-browser')
    if not browser:
        raise tap.Skip('no chromium')
    _, _, page = demo()
    path = os.path.join(FOLDER.name, 'probed.html')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(page.replace('</head>', PROBE + '</head>'))
    done = subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={os.path.join(FOLDER.name, "browser")}', '--enable-logging=stderr',
                           '--virtual-time-budget=20000', '--dump-dom', 'file://' + path], capture_output=True, text=True, timeout=300, check=False)
    title = re.search(r'<title>(.*?)</title>', done.stdout)
    if not title:
        raise tap.Skip(f'chromium does not run here: {done.stderr[-300:]}')
    wanted = f'{page.count("<img ")} pictures, not loaded: []'
    return [f'{title[1]!r}, not {wanted!r}'] * (title[1] != wanted) + [line for line in done.stderr.splitlines() if 'CONSOLE' in line]


tap.run([('one picture is wrong', one_is_wrong), ('paths are said', paths_are_said), ('nothing from elsewhere', nothing_from_elsewhere),
         ('a browser shows it', browser_shows_it)])
