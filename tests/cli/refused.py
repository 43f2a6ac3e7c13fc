"""Every refusal of src/virgl and src/vtest, and how a client comes to it: the table that tests/cli/losses.py runs, each row to
the line at the user's exit, and that tests/static/refusals.py compares with the sources. Holds no test.

A row is the file, the text of the refusal as the source has it, what the line must say, and what leads there: a recording,
a client of `gl`, or the name of the unit test that has it, where only the system or the memory's end leads there."""
import struct

# ---- recordings --------------------------------------------------------------------------------------------------------

CREATE, ATTACH, DESTROY, MEMORY, PUT, GET, SUBMIT = range(1, 8)
VERTEX, FRAGMENT, COMPUTE = 0, 1, 5
BUFFER, TEXTURE, VOLUME = 0, 2, 3
RGBA, R8, R32_FLOAT, RGBA32, Z24S8, DXT1 = 67, 64, 28, 31, 19, 105
ONE = 0x3f800000


def words(*values):
    return struct.pack(f'<{len(values)}I', *(value & 0xffffffff for value in values))


def record(kind, content):
    return words(kind, len(content)) + content + bytes(-len(content) % 4)


def recording(*records):
    return b'SCHVIRGL' + words(1, 0) + b''.join(records)


def resource(handle, target=TEXTURE, form=RGBA, width=8, height=8, bind=0, last=0, samples=0, layers=1):
    return record(CREATE, words(handle, target, form, bind, width, height, 1, layers, last, samples))


def buffer(handle, size=256):
    return resource(handle, BUFFER, R8, size, 1)


def attach(handle, size):
    return record(ATTACH, words(handle, size))


def transfer(kind, handle, level=0, box=(0, 0, 0, 1, 1, 1), offset=0):
    return record(kind, words(handle, level, *box, 0, 0, offset))


def command(number, *values, kind=0):
    return words(number | kind << 8 | len(values) << 16, *values)


def submit(*commands):
    return record(SUBMIT, b''.join(commands))


def shader(handle, stage, text, whole=None, outputs=()):
    data = text.encode() + b'\0'
    size = whole or len(data)
    data += bytes(-len(data) % 4)
    more = struct.unpack(f'<{len(data) // 4}I', data)
    return command(1, handle, stage, size, 300, *(outputs or (0,)), *more, kind=4)


VERT = 'VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0, 0, 0, 1}\n0: MOV OUT[0], IMM[0]\n1: END\n'
FRAG = 'FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0, 0, 0, 1}\n0: MOV OUT[0], IMM[0]\n1: END\n'
READS = 'FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n0: MOV OUT[0], IN[0]\n1: END\n'
COMP = ('COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n'
        'DCL TEMP[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n0: MOV TEMP[0].x, IMM[0].xxxx\n1: BGNLOOP\n'
        '2: UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n3: ENDLOOP\n4: END\n')


def bound(stage, handle):
    return command(31, handle, stage)


def draw(*more, mode=4, indexed=0, target=0):
    return command(8, 0, 3, mode, indexed, 1, 0, 0, 0, 0, 0, 2, target, *more)


# A colour buffer 1 in a surface 1, both programs.
PICTURE = resource(1) + submit(command(1, 1, 1, RGBA, 0, 0, kind=8), command(5, 1, 0, 1),
                               shader(3, VERTEX, VERT), shader(4, FRAGMENT, FRAG), bound(VERTEX, 3), bound(FRAGMENT, 4))
QUERY = buffer(1, 32) + submit(command(1, 2, 0, 0, 1, kind=9))
GRID = submit(shader(5, COMPUTE, COMP), bound(COMPUTE, 5))
BLEND = (4 << 27 | 1) & 0xffffffff


def one(*commands, before=b''):
    """A recording of some commands."""
    return recording(before, submit(*commands))


def blend(target):
    return command(1, 9, 0, 0, *([target] * 8), kind=1)


def view(form=RGBA, first=0, last=0, levels=0, swizzle=0o3210, target=TEXTURE, of=1):
    return command(1, 9, of, form | target << 24, first | last << 16, levels, swizzle, kind=6)


def sampler(word):
    return command(1, 9, word, 0, 0, 0, 0, 0, 0, 0, kind=7)


def image(form=RGBA, layers=0, level=0, of=1, access=2):
    return command(35, COMPUTE, 0, form, access, layers, level, of)


def blit(parts, to=RGBA, source=RGBA, sides=8):
    return command(16, parts, 0, 0, 1, 0, to, 0, 0, 0, sides, sides, 1, 1, 0, source, 0, 0, 0, sides, sides, 1)


CUT = recording(record(SUBMIT, words(8 | 12 << 16)))
BEYOND = recording(resource(1), words(DESTROY, 100))

# (file, text, what is said, recording). A recording that is no whole one ends with its own line (`None` lost).
PLAYED = [
    ('virgl/bindings.c', 'there is no stage %u', 'SET_SAMPLER_VIEWS at word 0 of submit 1: there is no stage 6', one(command(10, 6, 0))),
    ('virgl/bindings.c', '%u slots from slot %u on, where there are %u', '1 slots from slot 128 on, where there are 128', one(command(10, 0, 128, 0))),
    ('virgl/bindings.c', 'resource %u is not a buffer', 'SET_UNIFORM_BUFFER at word 0 of submit 1: resource 1 is not a buffer', one(command(27, 0, 1, 0, 16, 1), before=resource(1))),
    ('virgl/bindings.c', 'offset %u is not a multiple of %u', 'offset 2 is not a multiple of 4', one(command(34, COMPUTE, 0, 2, 16, 1), before=buffer(1))),
    ('virgl/bindings.c', 'offset %u is beyond %zu bytes', 'offset 260 is beyond 256 bytes', one(command(34, COMPUTE, 0, 260, 16, 1), before=buffer(1))),
    ('virgl/bindings.c', 'words of constant buffer %u, where only buffer 0 has some', 'words of constant buffer 1', one(command(12, 0, 1, 7))),
    ('virgl/bindings.c', '%u words are not buffers', 'SET_SHADER_BUFFERS at word 0 of submit 1: 3 words are not buffers', one(command(34, 0, 0, 1))),
    ('virgl/bindings.c', '%u words are not buffers', 'SET_ATOMIC_BUFFERS at word 0 of submit 1: 2 words are not buffers', one(command(40, 0, 1))),
    ('virgl/bindings.c', 'no format %u', 'SET_SHADER_IMAGES at word 0 of submit 1: no format 9999', one(image(form=9999), before=resource(1))),
    ('virgl/bindings.c', 'an image of no elements', 'an image of no elements', one(image(level=2), before=buffer(1))),
    ('virgl/bindings.c', 'layers that end too early', 'layers that end too early', one(image(layers=1), before=resource(1))),
    ('virgl/bindings.c', 'image', 'SET_SHADER_IMAGES at word 0 of submit 1: image: ', one(image(level=9), before=resource(1))),
    ('virgl/bindings.c', '%u words are not images', '3 words are not images', one(command(35, 0, 0, 1))),
    ('virgl/copies.c', 'the resource has no memory of the client', 'lost: 1 transfer; the first: the resource has no memory of the client', recording(resource(1), transfer(PUT, 1))),
    ('virgl/copies.c', 'offset %llu is beyond %zu bytes', 'offset 300 is beyond 256 bytes', recording(resource(1), attach(1, 256), transfer(GET, 1, offset=300))),
    ('virgl/copies.c', 'there is no level %u', 'there is no level 3', recording(resource(1), attach(1, 256), transfer(PUT, 1, level=3))),
    ('virgl/copies.c', 'a box with a side or corner beyond 2^31', 'a box with a side or corner beyond 2^31', recording(resource(1), attach(1, 256), transfer(PUT, 1, box=(1 << 31, 0, 0, 1, 1, 1)))),
    ('virgl/copies.c', 'transfer', 'lost: 1 transfer; the first: transfer: ', recording(resource(1), attach(1, 256), transfer(PUT, 1, box=(8, 0, 0, 1, 1, 1)))),
    ('virgl/copies.c', 'transfer', 'TRANSFER3D at word 0 of submit 1: transfer: ', one(command(43, 1, 0, 0, 0, 0, 8, 0, 0, 1, 1, 1, 0, 2), before=resource(1) + attach(1, 256))),
    ('virgl/copies.c', 'there is no direction %u', 'there is no direction 3', one(command(43, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 3), before=resource(1) + attach(1, 256))),
    ('virgl/copies.c', 'copy', 'lost: 1 copy; the first: RESOURCE_COPY_REGION at word 0 of submit 1: copy: ', one(command(17, 1, 0, 0, 0, 0, 1, 0, 8, 0, 0, 1, 1, 1), before=resource(1))),
    ('virgl/copies.c', 'blits do not blend', 'lost: 1 copy; the first: BLIT at word 0 of submit 1: blits do not blend', one(blit(15 | 1 << 12), before=resource(1))),
    ('virgl/copies.c', 'no such filter in 0x%08x', 'BLIT at word 0 of submit 1: no such filter in 0x0000030f', one(blit(15 | 3 << 8), before=resource(1))),
    ('virgl/copies.c', 'no format %u or %u', 'no format 9999 or 67', one(blit(15, to=9999), before=resource(1))),
    ('virgl/copies.c', 'blit', 'BLIT at word 0 of submit 1: blit: ', one(blit(15, to=193), before=resource(1))),
    ('virgl/copies.c', 'clear', 'lost: 1 clear; the first: CLEAR_TEXTURE at word 0 of submit 1: clear: ', one(command(47, 1, 0, 8, 0, 0, 1, 1, 1, 0, 0, 0, 0), before=resource(1))),
    ('virgl/create.c', 'no such blend equation in 0x%08x', 'lost: 1 object; the first: CREATE_OBJECT at word 0 of submit 1: no such blend equation in 0x0000000e', one(blend(14))),
    ('virgl/create.c', 'no such blend factor in 0x%08x', 'no such blend factor in 0x00000161', one(blend(1 | 22 << 4))),
    ('virgl/create.c', 'no such fill mode in 0x%08x', 'no such fill mode in 0x00000c00', one(command(1, 9, 3 << 10, 0, 0, 0, 0, 0, 0, 0, kind=2))),
    ('virgl/create.c', 'rasterizer', 'CREATE_OBJECT at word 0 of submit 1: rasterizer: ', one(command(1, 9, 0, 0x7fc00000, 0, 0, 0x7fc00000, 0, 0, 0, kind=2))),
    ('virgl/create.c', '%u words are not vertex elements', '3 words are not vertex elements', one(command(1, 9, 0, 0, kind=5))),
    ('virgl/create.c', 'vertex element %u: no format %u', 'vertex element 0: no format 9999', one(command(1, 9, 0, 0, 0, 9999, kind=5))),
    ('virgl/create.c', 'vertex element %u: no vertex buffer %u', 'vertex element 0: no vertex buffer 99', one(command(1, 9, 0, 0, 99, RGBA, kind=5))),
    ('virgl/create.c', 'no such filter in 0x%08x', 'no such filter in 0x00001800', one(sampler(3 << 11))),
    ('virgl/create.c', 'a range that ends before it begins', 'a range that ends before it begins', one(view(first=1), before=resource(1))),
    ('virgl/create.c', 'no format %u', 'CREATE_OBJECT at word 0 of submit 1: no format 9999', one(view(form=9999), before=resource(1))),
    ('virgl/create.c', 'no target %u', 'no target 77', one(view(target=77), before=resource(1))),
    ('virgl/create.c', 'no such swizzle in 0x%08x', 'no such swizzle in 0x00000007', one(view(swizzle=7), before=resource(1))),
    ('virgl/create.c', 'sampler view', 'sampler view: ', one(view(levels=9 << 8 | 9), before=resource(1))),
    ('virgl/create.c', 'no format %u', 'CREATE_OBJECT at word 0 of submit 1: no format 9998', one(command(1, 1, 1, 9998, 0, 0, kind=8), before=resource(1))),
    ('virgl/create.c', 'layers from %u to %u', 'layers from 1 to 0', one(command(1, 1, 1, RGBA, 0, 1, kind=8), before=resource(1))),
    ('virgl/create.c', 'surface', 'surface: ', one(command(1, 1, 1, RGBA, 9, 0, kind=8), before=resource(1))),
    ('virgl/create.c', 'samples that the resource does not have', 'samples that the resource does not have', one(command(1, 1, 1, RGBA, 0, 0, 4, kind=11), before=resource(1))),
    ('virgl/create.c', 'a target without bytes', 'a target without bytes', one(command(1, 1, 1, 0, 0, kind=10), before=buffer(1))),
    ('virgl/create.c', 'stream-output target', 'stream-output target: ', one(command(1, 1, 1, 0, 1000, kind=10), before=buffer(1))),
    ('virgl/create.c', 'there is no kind %u of objects', 'there is no kind 12 of objects', one(command(1, 1, kind=12))),
    ('virgl/create.c', '%u words for an object of kind %u, which has %u to %u', '2 words for an object of kind 3, which has 5 to 5', one(command(1, 1, 0, kind=3))),
    ('virgl/create.c', 'handle %u is in use', 'handle 9 is in use', one(sampler(0), sampler(0))),
    ('virgl/draws.c', 'vertex elements', 'lost: 1 draw; the first: DRAW_VBO at word 12 of submit 2: vertex elements: ', one(
        command(1, 5, 0, 0, 0, DXT1, kind=5), command(2, 5, kind=5), command(6, 16, 0, 7), draw(), before=buffer(7) + PICTURE)),
    ('virgl/draws.c', 'there is no primitive %u', 'DRAW_VBO at word 0 of submit 2: there is no primitive 15', one(draw(mode=15), before=PICTURE)),
    ('virgl/draws.c', 'there is no index buffer', 'there is no index buffer', one(draw(indexed=1), before=PICTURE)),
    ('virgl/draws.c', 'no stream-output target has %u bytes', 'no stream-output target has 64 bytes', one(draw(target=64), before=PICTURE)),
    ('virgl/draws.c', 'there is no framebuffer', 'lost: 1 draw; the first: DRAW_VBO at word 3 of submit 2: there is no framebuffer', one(command(5, 0, 0), draw(), before=PICTURE)),
    ('virgl/draws.c', 'draw', 'lost: 1 draw; the first: DRAW_VBO at word 0 of submit 2: draw: ', one(draw(mode=14), before=PICTURE)),
    ('virgl/draws.c', 'there is no framebuffer', 'lost: 1 clear; the first: CLEAR at word 0 of submit 1: there is no framebuffer', one(command(7, 4, 0, 0, 0, 0, 0, 0, 0))),
    ('virgl/draws.c', 'clear', 'lost: 1 clear; the first: CLEAR at word 0 of submit 2: clear: clear: depth is NaN', one(command(7, 1, 0, 0, 0, 0, 0, 0x7ff80000, 0), before=PICTURE)),
    ('virgl/draws.c', 'resource %u has no sizes of a grid at byte %u', 'resource 1 has no sizes of a grid at byte 0', one(command(37, 1, 1, 1, 1, 1, 1, 1, 0), before=resource(1) + GRID)),
    ('virgl/draws.c', 'indirect grid', 'indirect grid: ', one(command(37, 1, 1, 1, 1, 1, 1, 1, 250), before=buffer(1) + GRID)),
    ('virgl/draws.c', 'there is no compute shader', 'lost: 1 compute grid; the first: LAUNCH_GRID at word 0 of submit 1: there is no compute shader', one(command(37, 1, 1, 1, 1, 1, 1, 0, 0))),
    ('virgl/draws.c', 'grid', 'LAUNCH_GRID at word 0 of submit 2: grid: ', one(command(37, 1, 1, 1, 1, 1, 1, 0, 0), before=GRID)),
    ('virgl/objects.c', 'object %u is not %s', 'object 9 is not a shader', one(sampler(0), bound(VERTEX, 9))),
    ('virgl/objects.c', 'there is no object %u that is %s', 'there is no object 9 that is a shader', one(bound(VERTEX, 9))),
    ('virgl/objects.c', 'there is no object %u', 'DESTROY_OBJECT at word 0 of submit 1: there is no object 9', one(command(3, 9))),
    ('virgl/objects.c', 'objects of kind %u are not bound so', 'objects of kind 8 are not bound so', one(command(2, 9, kind=8))),
    ('virgl/queries.c', 'there is no kind %u of queries', 'there is no kind 77 of queries', one(command(1, 2, 77, 0, 1, kind=9), before=buffer(1))),
    ('virgl/queries.c', 'query', 'CREATE_OBJECT at word 0 of submit 1: query: ', one(command(1, 2, 5 | 9 << 16, 0, 1, kind=9), before=buffer(1))),
    ('virgl/queries.c', 'begin of a query', 'lost: 1 query; the first: BEGIN_QUERY at word 2 of submit 2: begin of a query: ', one(command(19, 2), command(19, 2), before=QUERY)),
    ('virgl/queries.c', 'end of a query', 'END_QUERY at word 0 of submit 2: end of a query: ', one(command(20, 2), before=QUERY)),
    ('virgl/queries.c', 'the result has no place at byte %u', 'the result has no place at byte 0', one(command(21, 2, 0), before=QUERY)),
    ('virgl/queries.c', 'query', 'GET_QUERY_RESULT at word 2 of submit 2: query: ', one(command(19, 2), command(21, 2, 0), before=buffer(1, 32) + attach(1, 32) + submit(command(1, 2, 0, 0, 1, kind=9)))),
    ('virgl/queries.c', 'there is no type %u of results', 'there is no type 4 of results', one(command(42, 2, 1, 0, 4, 0, 0), before=QUERY)),
    ('virgl/queries.c', 'result of a query', 'GET_QUERY_RESULT_QBO at word 0 of submit 2: result of a query: ', one(command(42, 2, 1, 0, 0, 300, 0), before=QUERY)),
    ('virgl/resources.c', 'there is no resource %u', 'lost: 1 copy; the first: RESOURCE_COPY_REGION at word 0 of submit 1: there is no resource 77', one(command(17, 77, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1))),
    ('virgl/resources.c', 'resource 0: no resource has this number', 'lost: 1 resource; the first: resource 0: no resource has this number', recording(resource(0))),
    ('virgl/resources.c', 'resource %u: there is one', 'lost: 1 resource; the first: resource 1: there is one. it may be that the program draws on several threads', recording(resource(1), resource(1))),
    ('virgl/resources.c', 'resource %u: no target %u, format %u or last level %u', 'resource 1: no target 2, format 9999 or last level 0', recording(resource(1, form=9999))),
    ('virgl/resources.c', 'resource', 'lost: 1 resource; the first: resource: ', recording(resource(1, width=1 << 20))),
    ('virgl/resources.c', 'resource %u has memory', 'lost: 1 resource; the first: resource 1 has memory', None),
    ('virgl/resources.c', 'memory of resource %u, which there is not', 'memory of resource 5, which there is not', recording(attach(5, 64))),
    ('virgl/resources.c', 'the end of resource %u, which there is not', 'lost: 1 message; the first: the end of resource 7, which there is not', recording(record(DESTROY, words(7)))),
    ('virgl/shaders.c', '%u stream outputs in %u words', '65 stream outputs in ', one(shader(3, VERTEX, VERT, outputs=(65,)))),
    ('virgl/shaders.c', 'stream output', 'stream output: ', one(shader(3, VERTEX, VERT, outputs=(1, 4, 0, 0, 0, 3 << 8 | 4 << 10, 0)))),
    ('virgl/shaders.c', 'shader', 'CREATE_OBJECT at word 0 of submit 1: shader: line 1, column 1: ', one(shader(3, VERTEX, 'nothing'))),
    ('virgl/shaders.c', 'a shader of another stage than %u', 'a shader of another stage than 1', one(shader(3, FRAGMENT, VERT))),
    ('virgl/shaders.c', 'there is no stage %u', 'CREATE_OBJECT at word 0 of submit 1: there is no stage 6', one(shader(3, 6, VERT))),
    ('virgl/shaders.c', 'a text of %u bytes', 'a text of 16777217 bytes', one(shader(3, VERTEX, VERT, whole=(16 << 20) + 1))),
    ('virgl/shaders.c', 'a part from byte %u on of a text of which %u bytes are there', 'a part from byte 5 on of a text of which ', one(
        shader(3, VERTEX, VERT, whole=5000), command(1, 3, VERTEX, 5 | 1 << 31, 300, 0, 1, kind=4))),
    ('virgl/shaders.c', 'there is no stage %u', 'BIND_SHADER at word 0 of submit 1: there is no stage 6', one(bound(6, 0))),
    ('virgl/shaders.c', 'a shader of stage %u', 'BIND_SHADER at word 0 of submit 2: a shader of stage 0', one(bound(FRAGMENT, 3), before=PICTURE)),
    ('virgl/shaders.c', 'pipeline', ' of submit 2: pipeline: ', one(
        shader(6, 3, 'TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\n0: END\n'), bound(3, 6), draw(mode=14), before=PICTURE)),
    ('virgl/shaders.c', 'the shader of stage %u is not whole, or was refused', 'the shader of stage 0 is not whole, or was refused', one(
        shader(6, VERTEX, VERT, whole=5000), bound(VERTEX, 6), draw(), before=PICTURE)),
    ('virgl/shaders.c', 'there is no vertex shader', 'there is no vertex shader', one(draw())),
    ('virgl/state.c', 'viewports %u to %u', 'viewports 16 to 17', one(command(4, 16, 0, 0, 0, 0, 0, 0))),
    ('virgl/state.c', 'scissors %u to %u', 'scissors 16 to 17', one(command(15, 16, 0, 0))),
    ('virgl/state.c', 'framebuffer', 'lost: 1 other command; the first: SET_FRAMEBUFFER_STATE at word ', one(
        command(1, 8, 2, RGBA, 0, 0, kind=8), command(1, 9, 3, RGBA, 0, 0, kind=8), command(5, 2, 0, 8, 9), before=resource(2) + resource(3, samples=4))),
    ('virgl/state.c', '%u words for %u colour buffers', '3 words for 2 colour buffers', one(command(5, 2, 0, 0))),
    ('virgl/state.c', '%u words are not vertex buffers', '2 words are not vertex buffers', one(command(6, 0, 0))),
    ('virgl/state.c', 'resource %u is not a buffer', 'SET_VERTEX_BUFFERS at word 0 of submit 1: resource 1 is not a buffer', one(command(6, 0, 0, 1), before=resource(1))),
    ('virgl/state.c', 'an index buffer of %u words', 'an index buffer of 2 words', one(command(11, 1, 4), before=buffer(1))),
    ('virgl/state.c', 'indices of %u bytes', 'indices of 3 bytes', one(command(11, 1, 3, 0), before=buffer(1))),
    ('virgl/sub_context.c', 'there is a sub-context %u', 'there is a sub-context 0', one(command(29, 0))),
    ('virgl/sub_context.c', 'more than %d sub-contexts', 'more than 1024 sub-contexts', one(*(command(29, n) for n in range(1, 1025)))),
    ('virgl/sub_context.c', 'there is no sub-context %u', 'SET_SUB_CTX at word 0 of submit 1: there is no sub-context 7', one(command(28, 7))),
    ('virgl/sub_context.c', 'sub-context %u is not destroyed', 'sub-context 0 is not destroyed', one(command(30, 0))),
    ('virgl/sub_context.c', 'there is no sub-context %u', 'DESTROY_SUB_CTX at word 0 of submit 1: there is no sub-context 7', one(command(30, 7))),
    ('virgl/virgl.c', 'there is no command %u', 'lost: 1 other command; the first: a command at word 0 of submit 1: there is no command 99', one(command(99))),
    ('virgl/virgl.c', '%u words, where it has %u to %u', 'DRAW_VBO at word 0 of submit 1: 1 words, where it has 12 to 20', one(command(8, 0))),
    ('virgl/virgl.c', 'command %u at word %zu of submit %llu: %u words, but %zu follow', 'lost: 1 draw; the first: command 8 at word 0 of submit 1: 12 words, but 0 follow', CUT),
]

# A recording that ends where nothing more can be played: exit code 1, and the line says at which byte.
DAMAGED = [
    ('virgl/record_play.c', 'the record is too short', 'byte 16 of the recording: the record is too short', recording(record(DESTROY, b''))),
    ('virgl/record_play.c', 'it has memory', 'byte 16 of the recording: it has memory', recording(attach(0, 64))),
    ('virgl/record_play.c', 'beyond the memory of the resource', 'beyond the memory of the resource', recording(resource(1), attach(1, 256), record(MEMORY, words(1, 250) + bytes(8)))),
    ('virgl/record_play.c', 'there is no such kind of records', 'there is no such kind of records', recording(record(77, b''))),
    ('virgl/record_play.c', 'the record is too short', 'byte 16 of the recording: the record is too short', recording(b'\1\0\0\0')),
    ('virgl/record_play.c', 'the record ends beyond the file', 'the record ends beyond the file', BEYOND),
    ('virgl/record_play.c', 'byte %zu of the recording: %s', 'byte 16 of the recording: ', recording(record(77, b''))),
]

# ---- clients -----------------------------------------------------------------------------------------------------------

# What all begin with: a connection, messages, a ping that is answered when all before it was done.
CLIENT = '''import os, socket, struct, sys, time
s = socket.socket(socket.AF_UNIX)
try:
    s.connect(os.environ["VTEST_SOCKET_NAME"])
except ConnectionRefusedError:  # the server has ended
    sys.exit()
def say(number, *words):
    s.sendall(struct.pack(f"<{2 + len(words)}I", len(words), number, *words))
def ping():
    try:
        say(10)
        s.recv(8, socket.MSG_WAITALL)
    except (ConnectionResetError, BrokenPipeError):  # it has ended without reading all
        pass
def create(handle, size, at_once=False):
    say(12, handle, 0, 64, 0, size, 1, 1, 1, 0, 0, size)
    if not at_once:
        os.close(socket.recv_fds(s, 1, 1)[1][0])
def window(handle):
    say(12, handle, 2, 67, 0x8a, 2, 2, 1, 1, 0, 0, 16)
    os.close(socket.recv_fds(s, 1, 1)[1][0])
    say(13, handle, 0, 0, 0, 0, 2, 2, 1, 16, 0)
def gone():
    try:
        while s.recv(4096):
            pass
    except ConnectionResetError:  # it has ended without reading all
        pass
'''
# A thousand rounds in each invocation of a grid without end: neither is beyond the budget of an invocation.
ROUNDS = COMP.replace('{0, 1, 0, 0}', '{0, 1, 1000, 0}').replace('2: UADD', '2: USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].yyyy\nBRK\nENDIF\nUADD')
ENDLESS = shader(5, COMPUTE, ROUNDS) + bound(COMPUTE, 5)
ENDLESS += command(37, 1, 1, 1, 65535, 65535, 1, 0, 0)
LONG = f'say(6, *struct.unpack("<{len(ENDLESS) // 4}I", {ENDLESS!r}))\n'

# Clears without end, each of which is soon done.
CLEARS = ('say(2, 1, 2, 67, 0, 2048, 2048, 1, 1, 0, 0)\nclears = [47 | 12 << 16, 1, 0, 0, 0, 0, 2048, 2048, 1, 0, 0, 0, 0] * 50\n'
          'try:\n    while True:\n        say(6, *clears)\nexcept OSError:\n    pass')
# (file, text, what is said, options of gl, the program of the client, system calls that are refused). All ask for a
# recording, so the exit code is 5 where the program's is 0.
SERVED = [
    ('vtest/session.c', 'the client is gone before its last byte', 'lost: 1 client; the first: client 1: message 1 (header) at byte 0 ends the session: the client is gone before its last byte', (), 's.sendall(b"12")', ()),
    ('vtest/session.c', 'the first message has not come within %" PRIu32 " s', 'client 1: message 1 (header) at byte 0 ends the session: the first message has not come within 1 s. --first-message SECONDS gives each client more time to begin',
     ('--first-message', '1'), 's.sendall(bytes(7))\ngone()', ()),
    ('vtest/session.c', 'the client is gone before its answer', 'ends the session: the client is gone before its answer', (),
     's.setblocking(False)\nfull = 0\nwhile full < 4:\n    try:\n        say(10)\n        full = 0\n    except BlockingIOError:\n        full += 1\n        time.sleep(0.2)', ()),
    ('vtest/session.c', 'the client does not take what it is sent', 'the client does not take what it is sent', (), 'import select\ntry:\n    for n in range(1, 40):\n        create(n, 64, True)\nexcept BrokenPipeError:\n    pass\nending = select.poll()\nending.register(s, select.POLLRDHUP)\nending.poll()', ()),
    ('vtest/session.c', 'resource %" PRIu32 " gets no memory of %zu bytes: %s', 'lost: 1 message; the first: client 1: message 1 (RESOURCE_CREATE2) at byte 0 is refused: resource 1 gets no memory of 17825792 bytes: ',
     ('--memory', '16'), 'say(12, 1, 0, 64, 0, 64, 1, 1, 1, 0, 0, 17 << 20)\nos.close(socket.recv_fds(s, 1, 1)[1][0])\nping()', ()),
    ('vtest/memories.c', "the client's resources have as much memory as they may", "the client's resources have as much memory as they may. --memory MIB gives each client more memory", ('--memory', '16'),
     'say(12, 1, 0, 64, 0, 64, 1, 1, 1, 0, 0, 17 << 20)\nos.close(socket.recv_fds(s, 1, 1)[1][0])\nping()', ()),
    ('vtest/memories.c', 'memory is out', 'resource 1 gets no memory of 8388608 bytes: memory is out. --memory MIB', ('--limit', 'context_memory=14M'),
     'say(2, 1, 0, 64, 0, 8 << 20, 1, 1, 1, 0, 0)\nsay(4, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)\ns.recv(1)', ()),
    ('vtest/session.c', 'no memory can be shared: %s', 'no memory can be shared: Operation not permitted', (), 'create(1, 64, True)\ngone()', ('memfd_create',)),
    ('vtest/session.c', '%" PRIu32 " bytes for resource %" PRIu32 ", which has %" PRIu64', '100 bytes for resource 1, which has 0', (), 'say(4, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 100)\ns.recv(100, socket.MSG_WAITALL)', ()),
    ('vtest/session.c', 'resource %" PRIu32 " has memory that is shared with the client', 'resource 1 has memory that is shared with the client', (), 'create(1, 64)\nsay(4, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)\ns.recv(1)', ()),
    ('vtest/session.c', 'its length is %" PRIu32 " words, not %" PRIu32', '(RESOURCE_UNREF) at byte 0 is refused: its length is 2 words, not 1', (), 'say(3, 1, 2)\nping()', ()),
    ('vtest/session.c', 'its length is %" PRIu32 " words, less than %" PRIu32', 'its length is 1 words, less than 11', (), 'say(5, 1)\nping()', ()),
    ('vtest/session.c', '%" PRIu32 " bytes of data in a message of %" PRIu32 " words', '8 bytes of data in a message of 11 words', (), 'say(5, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 8)\ngone()', ()),
    ('vtest/session.c', 'its length is %" PRIu32 " words, more than %u', 'its length is 70000 words, more than 66560', (), 'say(6, *bytes(70000))\nping()', ()),
    ('vtest/session.c', 'it belongs to a later version of the protocol than was agreed', 'it belongs to a later version of the protocol than was agreed', (), 'say(15, 1)\nping()', ()),
    ('vtest/session.c', 'there is no message %" PRIu32', 'lost: 1 client; the first: client 1: message 1 (unknown) at byte 0 ends the session: there is no message 99. it may be that the program draws on several threads', (), 'say(99)\ngone()', ()),
    ('vtest/session.c', 'there is no memory to serve the client', 'there is no memory to serve the client', ('--limit', 'context_memory=256K'), 'gone()', ()),
    ('vtest/client.c', 'the recording is not whole: %s', 'lost: 1 recording; the first: client 1: the recording is not whole: No space left on device', ('--record', '/dev/full'), 'ping()', ()),
    ('vtest/client.c', '%.300s cannot be written: %s', '/F-2 cannot be written: Is a directory', ('--record', 'F'),
     'ping()\nt = socket.socket(socket.AF_UNIX)\nt.connect(os.environ["VTEST_SOCKET_NAME"])\nt.recv(1)', ()),
    ('vtest/client.c', 'the sandbox cannot be closed: %s', 'the sandbox cannot be closed: ', (), 'gone()', ('prlimit64',)),
    ('vtest/client.c', 'frame %" PRIu64 " of this client is not written', 'lost: 1 frame; the first: client 1: frame 0 of this client is not written', ('--frames-sha', '/dev/full'), 'window(1)\nping()', ()),
    ('vtest/client.c', 'read %" PRIu64 " of this client is not written', 'lost: 1 frame; the first: client 1: read 0 of this client is not written', ('--frames-sha', 'reads=/dev/full'), 'window(1)\nping()', ()),
    ('vtest/server.c', 'the server ended while it did what the client wanted', 'lost: 1 client; the first: client 1: the server ended while it did what the client wanted', (),
     'ping()\n' + LONG + 'if os.fork():\n    os.kill(os.getpid(), 9)\ngone()', ()),
    ('vtest/server.c', 'client %u is not served: the server ended first', 'lost: 1 client; the first: client 2 is not served: the server ended first',
     ('--max-clients', '1', '--deadline', '400'), 'ping()\nif os.fork() == 0:\n    gone()\n    os._exit(0)\nt = socket.socket(socket.AF_UNIX)\nt.connect(os.environ["VTEST_SOCKET_NAME"])\nt.sendall(b"1234")', ()),
    ('vtest/server.c', 'its process was ended by signal %d (%s)', 'its process was ended by signal 9 (Killed). --time SECONDS gives each client more processor time', ('--time', '1'), CLEARS, ()),
]

# ---- what only the system leads to -------------------------------------------------------------------------------------

# (file, text, the test program).
UNIT = [
    ('virgl/waiting.c', 'draws that wait', 'virgl'),
    ('virgl/create.c', 'blend state', 'virgl_losses'),
    ('virgl/create.c', 'depth-stencil-alpha state', 'virgl_losses'),
    ('virgl/create.c', 'sampler', 'virgl_losses'),
    ('virgl/create.c', 'no memory', 'virgl_losses'),
    ('virgl/record_play.c', 'byte %zu of the recording: no memory', 'virgl_losses'),
    ('virgl/record_play.c', 'it is too short', 'virgl'),
    ('virgl/record_play.c', 'this is not a recording', 'virgl'),
    ('virgl/record_play.c', 'the recording has version %u, and version %d is read here', 'virgl'),
    ('virgl/resources.c', 'resource %u: no memory', 'virgl_losses'),
    ('virgl/resources.c', 'resource %u has memory', 'virgl_losses'),
    ('virgl/shaders.c', 'shader', 'virgl_losses'),
    ('virgl/sub_context.c', 'renderer', 'virgl_losses'),
    ('virgl/sub_context.c', 'no memory', 'virgl_losses'),
    ('virgl/reports.c', 'no memory', 'virgl_losses'),
    ('vtest/server.c', 'client %u is not served: its process is gone', 'vtest_server'),
    ('vtest/server.c', 'its process cannot serve it: %s', 'vtest_server'),
    ('vtest/server.c', 'client %u is not served, as no process can be made for it: %s', 'vtest_server'),
    ('vtest/server.c', 'the process of the next client ended before it came: %s', 'vtest_server'),
    ('virgl/virgl.c', 'submit %llu from word %zu on: no one waits for it any more', 'virgl'),
    ('vtest/session.c', 'the client is gone, and what it has left takes too long', 'vtest_session'),
    ('vtest/session.c', 'it cannot be read: %s', 'vtest_session'),
    ('vtest/session.c', 'it cannot be answered: %s', 'vtest_session'),
]

# (file, text, why no client comes to it).
UNREACHED = [
    ('virgl/copies.c', 'a format without texels', 'resources of such a format are refused'),
    ('virgl/copies.c', 'a block of more than 16 bytes', 'resources of such a format are refused'),
    ('virgl/shaders.c', 'shader', 'the facts of a shader that was read'),
    ('virgl/state.c', 'target', 'a target that there is can be emptied'),
    ('virgl/virgl.c', 'the sub-context is destroyed', 'sub-context 0 takes its place'),
    ('vtest/client.c', 'the sandbox cannot be closed: there are no addresses for shared memory', 'of a system with 64-bit addresses they are there'),
    ('vtest/memories.c', 'memory is out', 'of a table of some KiB; the next row is of much'),
    ('vtest/memories.c', 'the system maps no more memory', 'the sandbox leaves more addresses than --memory'),
]
