"""Draws: the picture of the repository's scene, depth, state, stages, what is refused."""
import math

import numpy as np
import pytest

import scheelite
from conftest import FRAGMENT, PHOTO, ROOT, VERTEX

CORNERS = np.array([[0, 0.8], [-0.8, -0.8], [0.8, -0.8]], np.float32)
COLORS = np.array([[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]], np.uint8)
SQUARE = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32)
FLAT = 'FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0]\nMOV OUT[0], CONST[0][0]\nEND\n'
PLACED = ('VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[0][0]\nADD OUT[0], IN[0], CONST[0][0]\nEND\n')


def flat(frame, color, z=0.0, **options):
    return frame.draw(PLACED, FLAT, [SQUARE], primitive='triangle_strip',
                      constants={'vertex': [0, 0, z, 0], 'fragment': color}, **options)


def test_the_picture_of_the_scene(assert_same_picture):
    known = dict(reversed(line.split()) for line in
                 (ROOT / 'examples' / 'scenes' / 'pictures.sha256').read_text().splitlines())
    frame = scheelite.draw(VERTEX, FRAGMENT, [CORNERS, scheelite.Attribute(COLORS, normalized=True)], (320, 240),
                           clear=(0.1, 0.1, 0.15, 1), colors=['R8G8B8A8_UNORM'])
    assert_same_picture(frame.color, known['triangle.scene'])
    assert frame.instructions > 0 and frame._repr_png_()[:4] == b'\x89PNG'


def test_depth_decides():
    frame = scheelite.Frame((16, 8))
    flat(frame, (1, 0, 0, 1), z=0.5)
    flat(frame, (0, 1, 0, 1), z=0.0)
    assert (frame.color == (0, 1, 0, 1)).all() and (frame.depth == 0.5).all() and frame.depth.shape == (8, 16)
    flat(frame, (0, 0, 1, 1), z=0.5)
    assert (frame.color == (0, 1, 0, 1)).all()
    flat(frame, (0, 0, 1, 1), z=0.5, depth_test='greater', depth_writes=False)
    assert (frame.color == (0, 0, 1, 1)).all() and (frame.depth == 0.5).all()
    flat(frame, (1, 1, 1, 1), z=0.9, depth_test=None)
    assert (frame.color == 1).all()
    frame.clear((0, 0, 0, 0), depth=0.25)
    assert (frame.color == 0).all() and (frame.depth == 0.25).all()


def test_a_vertex_with_y_up_is_at_the_top():
    frame = scheelite.Frame((10, 10))
    frame.draw(PLACED, FLAT, [(SQUARE * [1, 0.5] + [0, 0.5]).astype(np.float32)], primitive='triangle_strip',
               constants={'vertex': [0, 0, 0, 0], 'fragment': [1, 1, 1, 1]})
    assert (frame.color[:5] == 1).all() and (frame.color[5:] == 0).all()


def test_blending_scissor_and_viewport():
    frame = scheelite.Frame((16, 8), depth=None)
    frame.clear((1, 1, 1, 1))
    flat(frame, (0, 0, 0, 0.25), blend='alpha', scissor=(4, 2, 8, 6))
    assert (frame.color[2:6, 4:8, 0] == 0.75).all() and frame.color[0, 0, 0] == 1 and frame.color[3, 8, 0] == 1
    flat(frame, (0, 1, 0, 1), viewport=(0, 0, 4, 4))
    assert (frame.color[:4, :4] == (0, 1, 0, 1)).all() and frame.color[4, 0, 0] == 1
    flat(frame, (0.5, 0, 0, 0), blend={'targets': [{'enabled': True, 'color_source': 'one', 'color_destination': 'one',
                                                    'alpha_source': 'one', 'alpha_destination': 'one', 'color_mask': 1}]})
    assert frame.color[0, 0].tolist() == [0.5, 1, 0, 1]


def test_indices_instances_and_culling():
    frame = scheelite.Frame((8, 8))
    six = np.array([0, 1, 2, 2, 1, 3])
    for kind in (np.uint8, np.uint16, np.uint32, np.int64):
        frame.draw(PLACED, FLAT, [SQUARE], indices=six.astype(kind), constants={'vertex': [0] * 4, 'fragment': [1] * 4})
        assert (frame.color == 1).all()
        frame.clear()
    frame.draw(PLACED, FLAT, [SQUARE], indices=six, cull='both', constants={'vertex': [0, 0, 0, 0], 'fragment': [1] * 4})
    assert (frame.color == 0).all()
    frame.clear()
    shift = scheelite.Attribute(np.array([[-0.5, 0], [0.5, 0]], np.float32), divisor=1)
    text = 'VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nMAD OUT[0].xy, IN[0], IMM[0].xyyy, IN[1]\nMOV OUT[0].zw, IN[0]\nEND\n'
    text = text.replace('MAD', 'IMM[0] FLT32 {0.25, 1, 0, 0}\nMAD')
    frame.draw(text, FLAT, [SQUARE, shift], primitive='triangle_strip', instances=2, constants={'fragment': [1, 1, 1, 1]})
    assert frame.color[4, :, 0].tolist() == [0, 1, 1, 0, 0, 1, 1, 0]


def test_textures_and_several_colours():
    frame = scheelite.Frame((8, 8), colors=['R32G32B32A32_FLOAT', 'R8G8B8A8_UNORM'])
    text = ('FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL SAMP[0]\nDCL SVIEW[0], RECT, FLOAT\n'
            'TEX OUT[0], IN[0], SAMP[0], RECT\nTEX OUT[1], IN[0], SAMP[0], RECT\nEND\n')
    photo = scheelite.load(PHOTO).array()[:8, :8]
    texture = scheelite.Texture(photo, target='RECT')
    frame.draw(PLACED, text, [SQUARE], primitive='triangle_strip', constants=[0, 0, 0, 0], textures={0: texture},
               samplers={0: {'unnormalized': True, 'wrap': 'clamp_to_edge'}})
    assert np.array_equal(frame.picture(1), photo) and np.allclose(frame.color, photo / 255)


def test_multisampling_is_resolved():
    frame = scheelite.draw(VERTEX, FRAGMENT, [CORNERS, scheelite.Attribute(COLORS, normalized=True)], (64, 64), samples=4)
    alphas = set(np.unique(frame.color[..., 3]))
    assert {0, 1} < alphas <= {0, 0.25, 0.5, 0.75, 1} and frame.depth.shape == (64, 64)


def test_wireframe_by_rasterizer_members():
    solid = scheelite.draw(VERTEX, FRAGMENT, [CORNERS, CORNERS], (64, 64))
    lines = scheelite.draw(VERTEX, FRAGMENT, [CORNERS, CORNERS], (64, 64),
                           rasterizer={'fill_front': 'line', 'fill_back': 'line'})
    assert 0 < (lines.color[..., 3] > 0).sum() < (solid.color[..., 3] > 0).sum() / 4


def test_a_geometry_shader():
    geometry = ('GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n'
                'PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0.5, 1, 0, 0}\n'
                'IMM[1] INT32 {0, 0, 0, 0}\n'
                + ''.join(f'MUL OUT[0], IN[{n}][0], IMM[0].xxyy\nEMIT IMM[1].xxxx\n' for n in range(3)) + 'END\n')
    place = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n'
    full = scheelite.draw(place, FLAT, [CORNERS], (64, 64), constants={'fragment': [1, 1, 1, 1]})
    half = scheelite.draw(place, FLAT, [CORNERS], (64, 64), geometry=geometry, constants={'fragment': [1, 1, 1, 1]})
    assert abs((half.color[..., 0] > 0).sum() * 4 - (full.color[..., 0] > 0).sum()) < 100


def test_depth_from_0_to_w():
    frame = scheelite.Frame((4, 4))
    flat(frame, (1, 1, 1, 1), z=0.25, rasterizer={'clip_halfz': True})
    assert (frame.depth == 0.25).all()


def test_a_constant_blend_color():
    frame = scheelite.Frame((4, 4), depth=None)
    flat(frame, (1, 1, 1, 1), blend_color=(0.25, 0.5, 0.75, 1), blend={'targets': [
        {'enabled': True, 'color_source': 'const_color', 'color_destination': 'zero', 'alpha_source': 'one',
         'alpha_destination': 'zero'}]})
    assert frame.color[1, 1].tolist() == [0.25, 0.5, 0.75, 1]


def test_tessellation():
    evaluate = ('TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nDCL IN[][0], POSITION\n'
                'DCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\n'
                'LRP TEMP[0], SV[0].xxxx, IN[1][0], IN[0][0]\nLRP TEMP[1], SV[0].xxxx, IN[2][0], IN[3][0]\n'
                'LRP OUT[0], SV[0].yyyy, TEMP[1], TEMP[0]\nEND\n')
    place = 'VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n'
    corners = np.array([[-1, -1], [1, -1], [1, 0], [-1, 0]], np.float32)
    frame = scheelite.draw(place, FLAT, [corners], (32, 32), primitive='patches', patch_vertices=4, tess_eval=evaluate,
                           constants={'fragment': [1, 1, 1, 1]}, depth=None)
    assert (frame.color[16:, :, 0] == 1).all() and (frame.color[:16] == 0).all()


def test_stencil():
    frame = scheelite.Frame((8, 8), depth='Z24_UNORM_S8_UINT')
    write = {'stencil': [{'enabled': True, 'function': 'always', 'pass': 'replace', 'value_mask': 255, 'write_mask': 255}]}
    flat(frame, (0, 0, 0, 0), scissor=(0, 0, 4, 8), stencil_reference=3, depth_test=None, depth_stencil_alpha=write)
    read = {'stencil': [{'enabled': True, 'function': 'equal', 'value_mask': 255, 'write_mask': 255}]}
    flat(frame, (1, 1, 1, 1), stencil_reference=3, depth_test=None, depth_stencil_alpha=read)
    assert (frame.color[:, :4] == 1).all() and (frame.color[:, 4:] == 0).all()
    assert np.allclose(frame.depth, 1)


def test_drawing_into_a_texture_that_is_then_read():
    target = scheelite.Texture.empty((16, 16), 'R8G8B8A8_UNORM')
    frame = scheelite.Frame(colors=[target], depth=None)
    flat(frame, (1, 0.2, 0, 1))
    assert scheelite.sample(target, (0.5, 0.5)).tolist() == [1, np.float32(0.2), 0, 1]


def test_wrong_draws():
    frame = scheelite.Frame((8, 8))
    for arguments, options, error, words in (
            ((FRAGMENT, FRAGMENT), {}, ValueError, 'vertex is a fragment shader'),
            ((VERTEX, FRAGMENT, [CORNERS.astype(np.float64)]), {}, ValueError, r'astype\(numpy.float32\)'),
            ((VERTEX, FRAGMENT, [CORNERS]), {'primitive': 'triangels'}, ValueError, "is it 'triangles'"),
            ((VERTEX, FRAGMENT, [CORNERS]), {'indices': [0.5]}, ValueError, 'whole numbers'),
            ((VERTEX, FRAGMENT, [CORNERS]), {'indices': [-1]}, ValueError, 'from 0 to'),
            ((VERTEX, FRAGMENT, [CORNERS]), {'blend': 'alhpa'}, ValueError, "is it 'alpha'"),
            ((VERTEX, FRAGMENT, [CORNERS]), {'rasterizer': {'line_wdth': 2}}, TypeError, "is it 'line_width'"),
            ((VERTEX, FRAGMENT, [CORNERS]), {'depth_test': 'les'}, ValueError, "is it 'less'"),
            ((VERTEX, FRAGMENT, [CORNERS]), {'rasterizer': {'line_width': -1}}, scheelite.ArgumentError, 'line'),
            ((VERTEX, FRAGMENT, [CORNERS]), {'thread': 1}, TypeError, "is it 'threads'")):
        with pytest.raises(error, match=words):
            frame.draw(*arguments, **options)
    with pytest.raises(TypeError, match="is it 'blend'"):
        scheelite.draw(VERTEX, FRAGMENT, [CORNERS, CORNERS], bland='alpha')
    with pytest.raises(ValueError, match='a frame has a size'):
        scheelite.Frame()
    with pytest.raises(scheelite.BudgetError):
        loop = 'FRAG\nDCL OUT[0], COLOR\nBGNLOOP\nMOV OUT[0], OUT[0]\nENDLOOP\nEND\n'
        frame.draw(VERTEX, loop, [CORNERS, CORNERS], budget=50)


def test_one_row_has_any_stride():
    """NumPy takes an array of one row for contiguous, whatever its stride is."""
    rows = np.array([[0, 0, 0, 1], [5, 5, 5, 5]], np.float32)
    turned = np.lib.stride_tricks.as_strided(rows, (1, 4), (-16, 4))
    straight = rows[:1].copy()
    options = {'size': (4, 4), 'primitive': 'points', 'depth': None}
    wanted = scheelite.draw(VERTEX, FRAGMENT, [straight, straight], **options)
    assert scheelite.draw(VERTEX, FRAGMENT, [turned, turned], **options).color.sha256() == wanted.color.sha256()
    for divisor in (-1, 1 << 32, math.inf):
        with pytest.raises(ValueError, match='divisor'):
            scheelite.Attribute(rows, divisor=divisor)
