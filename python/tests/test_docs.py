"""The examples of docs/python.md run, in their order, and print what stands there."""
import doctest
import re

from conftest import ROOT

DOCUMENT = ROOT / 'docs' / 'python.md'


def test_the_examples(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'examples').symlink_to(ROOT / 'examples')
    text = DOCUMENT.read_text()
    names: dict = {}
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_UDIFF)
    blocks = list(re.finditer(r'^```(python|pycon)\n(.*?)^```$', text, re.MULTILINE | re.DOTALL))
    assert len(blocks) > 8
    for block in blocks:
        line = text[:block.start()].count('\n') + 1
        if block.group(1) == 'python':
            exec(compile('\n' * line + block.group(2), str(DOCUMENT), 'exec'), names)
            continue
        test = doctest.DocTestParser().get_doctest(block.group(2), names, f'line {line}', str(DOCUMENT), line)
        runner.run(test, clear_globs=False)
        names.update(test.globs)
    assert not runner.failures, capsys.readouterr().out
