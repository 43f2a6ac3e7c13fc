"""Lifetimes, threads, signals, processes: nothing here may crash Python. What could is run in a process of its own."""
import gc
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import scheelite
from conftest import ENDLESS, FRAGMENT, PHOTO, SHADERS, SQUARES


def test_objects_of_a_closed_context_say_so():
    context = scheelite.Context()
    shader = scheelite.Shader(SHADERS / 'swirl.tgsi', context=context)
    texture = scheelite.load(PHOTO, context=context)
    context.close()
    context.close()
    assert context.closed and 'closed' in repr(context)
    for call in (lambda: scheelite.Shader(FRAGMENT, context=context), lambda: scheelite.run(shader, textures={0: texture}),
                 texture.array, shader.dis, shader.check, lambda: scheelite.sample(texture, (0, 0)), lambda: context.memory,
                 lambda: texture.view(swizzle='xxxx'), lambda: scheelite.Frame((4, 4), context=context)):
        with pytest.raises(ValueError, match='the context is closed'):
            call()


def test_what_is_no_context_is_refused_where_it_is_given():
    for call in (lambda: scheelite.check(FRAGMENT, context=5), lambda: scheelite.load(PHOTO, context='x'), lambda: scheelite.set_default_context(5)):
        with pytest.raises(TypeError, match='context is a Context, not'):
            call()
    with pytest.raises(TypeError, match='a property has a name'):
        scheelite.Shader(FRAGMENT).property(5)
    assert not scheelite.check(FRAGMENT)  # the default context is as it was


def test_views_and_images_keep_their_texture():
    texture = scheelite.Texture(np.full((4, 4, 4), 7, np.float32))
    view = texture.view(swizzle='xxxx')
    seen = weakref.ref(texture._handle)
    del texture
    gc.collect()
    assert scheelite.fetch(view, (1, 1)).tolist() == [7, 7, 7, 7] and seen() is not None
    del view
    gc.collect()
    assert seen() is None


def test_textures_are_freed_without_the_collector():
    context = scheelite.Context()
    before = context.memory[0]
    gc.disable()
    try:
        for _ in range(5):
            texture = scheelite.Texture(np.zeros((512, 512, 4), np.float32), context=context)
            scheelite.sample(texture, (0.5, 0.5))
            assert context.memory[0] > before + (4 << 20)
            del texture
        assert context.memory[0] < before + (1 << 20)
    finally:
        gc.enable()


def test_cycles_are_freed_in_any_order():
    for _ in range(5):
        context = scheelite.Context()
        ring = [context, scheelite.Shader(FRAGMENT, context=context),
                scheelite.Texture(np.zeros((4, 4, 4), np.uint8), context=context)]
        ring.append(scheelite.Frame((4, 4), context=context))
        scheelite.sample(ring[2], (0, 0))
        ring.append(ring)
        seen = weakref.ref(context._handle)
        del context, ring
        gc.collect()
        assert seen() is None


def test_objects_of_two_contexts_do_not_go_together():
    other = scheelite.Context()
    texture = scheelite.Texture(np.zeros((4, 4, 4), np.uint8), context=other)
    shader = scheelite.Shader(SHADERS / 'swirl.tgsi')
    with pytest.raises(ValueError, match='another context'):
        scheelite.run(shader, textures={0: texture})
    with pytest.raises(ValueError, match='another context'):
        scheelite.run(shader, context=other)


def test_a_context_holds_no_more_than_its_limit():
    context = scheelite.Context(limits={'context_memory': 1 << 20})
    with pytest.raises(scheelite.LimitError):
        scheelite.Texture(np.zeros((1024, 1024, 4), np.float32), context=context)
    assert scheelite.Texture(np.zeros((64, 64, 4), np.float32), context=context).nbytes == 64 * 64 * 16


def on_threads(count, work):
    failures = []

    def run(number):
        try:
            work(number)
        except BaseException as error:  # noqa: B902 # told to the test
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failures, failures


def test_threads_share_shaders_and_textures():
    shader, photo = scheelite.Shader(SHADERS / 'swirl.tgsi'), scheelite.load(PHOTO)
    expected = scheelite.run(shader, (64, 64), textures={0: photo}).sha256()

    def work(number):
        for _ in range(5):
            assert scheelite.run(shader, (64, 64), textures={0: photo}, threads=number % 3).sha256() == expected
            assert scheelite.check(FRAGMENT) == []
            scheelite.sample(photo, np.zeros((100, 2), np.float32))

    on_threads(4, work)


def test_threads_that_write_a_texture_wait_for_those_that_read_it():
    texture = scheelite.Texture(np.zeros((256, 256, 4), np.float32))

    def work(number):
        for turn in range(15):
            if number % 2:
                texture.write(np.full((256, 256, 4), number * 100 + turn, np.float32))
            else:
                assert len(np.unique(texture.array())) == 1

    on_threads(4, work)


def test_images_that_shaders_write_are_not_read_meanwhile():
    text = ('COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 256\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n'
            'DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL CONST[0][0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n'
            'DCL TEMP[0]\nMOV TEMP[0].x, SV[0].xxxx\nMOV TEMP[0].y, SV[1].xxxx\n'
            'STORE IMAGE[0], TEMP[0].xyyy, CONST[0][0], 2D, PIPE_FORMAT_R32_UINT\nEND\n')
    image, shader = scheelite.Texture.empty((256, 256), 'R32_UINT'), scheelite.Shader(text)

    def work(number):
        for turn in range(12):
            if number == 0:
                scheelite.dispatch(shader, 256, images={0: image}, constants=np.full(4, turn, np.uint32))
            else:
                assert len(np.unique(image.array())) == 1

    on_threads(3, work)


def test_threads_close_a_context_that_others_use():
    def work(number):
        if number == 0:
            context.close()
            return
        try:
            for _ in range(50):
                scheelite.Shader(FRAGMENT, context=context).dis()
        except ValueError as error:
            assert 'closed' in str(error)

    for _ in range(10):
        context = scheelite.Context()
        on_threads(3, work)


def test_other_threads_go_on_during_a_run():
    """The call gives up Python's lock."""
    turns = 0
    cancel = scheelite.Cancel()

    def count():
        nonlocal turns
        while not cancel.is_set:
            turns += 1
            if turns == 1000:
                cancel.set()

    counter = threading.Thread(target=count)
    counter.start()
    with pytest.raises(scheelite.CancelledError):
        scheelite.dispatch(ENDLESS, 1 << 24, cancel=cancel, budget=1 << 62)
    counter.join()
    assert turns >= 1000


def test_ctrl_c_ends_a_run():
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        scheelite.dispatch(ENDLESS, 1 << 30, budget=1 << 62)
    numbers = np.arange(64, dtype=np.float32)
    squares = np.zeros_like(numbers)
    scheelite.dispatch(SQUARES, 1, buffers={0: numbers, 1: squares})
    assert (squares == numbers * numbers).all()


def python(text):
    done = subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def test_the_end_of_the_interpreter_with_everything_alive():
    status, printed, errors = python(f'''
import numpy, pathlib, scheelite
shader = scheelite.Shader(pathlib.Path({str(SHADERS / 'swirl.tgsi')!r}))
photo = scheelite.load({str(PHOTO)!r})
picture = scheelite.run(shader, (32, 32), textures={{0: photo}}, threads=2)
frame = scheelite.Frame((4, 4))
loop = [shader, photo, frame]
loop.append(loop)
print(len(picture))
''')
    assert (status, printed, errors) == (0, '32\n', '')


def test_a_run_of_a_thread_at_the_end_of_the_interpreter():
    status, _, errors = python(f'''
import threading, time, scheelite
threading.Thread(target=lambda: scheelite.dispatch({ENDLESS!r}, 1 << 30, deadline=0.5, budget=1 << 62), daemon=True).start()
time.sleep(0.1)
''')
    assert status == 0, errors


def test_after_a_fork_the_child_makes_its_own():
    status, printed, errors = python(f'''
import os, scheelite
shader = scheelite.Shader({FRAGMENT!r})
before = scheelite.run(shader, (16, 16), threads=2).sha256()
if os.fork() == 0:
    try:
        shader.dis()
    except ValueError as error:
        print(error, flush=True)
    print(scheelite.run({FRAGMENT!r}, (16, 16), threads=2).sha256() == before, flush=True)
    del shader
    os._exit(0)
os.wait()
print(scheelite.run(shader, (16, 16), threads=2).sha256() == before)
''')
    assert status == 0, errors
    lines = printed.splitlines()
    assert 'after fork()' in lines[0] and lines[1:] == ['True', 'True']


def test_no_handle_lives_only_in_an_expression():
    """It would be freed when its pointer is taken, before the call that gets the pointer."""
    for path in pathlib.Path(scheelite.__file__).parent.glob('*.py'):
        assert not re.findall(r'\)(?:\.\w+)*\.pointer', path.read_text(encoding='utf-8')), path.name
