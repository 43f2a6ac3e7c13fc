/* The shaders of the test of whole pipelines, each in both languages, and the formats of what they are drawn to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene.h"

/* ---- formats
 * -------------------------------------------------------------------------------------------------------- */

/* Names of OpenGL: internal formats, then the format and type that have the same bytes as ours. */
const struct scene_format scene_colors[] = {
    {"RGBA8", SCH_FORMAT_R8G8B8A8_UNORM, 0x8058, 0x1908, 0x1401, 4, SCENE_UNORM, {8, 8, 8, 8}, false},
    {"SRGB8_ALPHA8", SCH_FORMAT_R8G8B8A8_SRGB, 0x8c43, 0x1908, 0x1401, 4, SCENE_SRGB, {8, 8, 8, 8}, false},
    {"RGBA32F", SCH_FORMAT_R32G32B32A32_FLOAT, 0x8814, 0x1908, 0x1406, 16, SCENE_FLOAT, {32, 32, 32, 32}, false},
    {"RGBA16F", SCH_FORMAT_R16G16B16A16_FLOAT, 0x881a, 0x1908, 0x140b, 8, SCENE_FLOAT, {16, 16, 16, 16}, false},
    {"R32F", SCH_FORMAT_R32_FLOAT, 0x822e, 0x1903, 0x1406, 4, SCENE_FLOAT, {32, 0, 0, 0}, false},
    {"RG16", SCH_FORMAT_R16G16_UNORM, 0x822c, 0x8227, 0x1403, 4, SCENE_UNORM, {16, 16, 0, 0}, false},
    {"R8", SCH_FORMAT_R8_UNORM, 0x8229, 0x1903, 0x1401, 1, SCENE_UNORM, {8, 0, 0, 0}, false},
    {"RGB10_A2", SCH_FORMAT_R10G10B10A2_UNORM, 0x8059, 0x1908, 0x8368, 4, SCENE_UNORM, {10, 10, 10, 2}, false},
    {"RGB565", SCH_FORMAT_B5G6R5_UNORM, 0x8d62, 0x1907, 0x8363, 2, SCENE_UNORM, {5, 6, 5, 0}, true},
    {"RG16F", SCH_FORMAT_R16G16_FLOAT, 0x822f, 0x8227, 0x140b, 4, SCENE_FLOAT, {16, 16, 0, 0}, false},
    {"RGBA8UI", SCH_FORMAT_R8G8B8A8_UINT, 0x8d7c, 0x8d99, 0x1401, 4, SCENE_UINT, {8, 8, 8, 8}, false},
    {"R32UI", SCH_FORMAT_R32_UINT, 0x8236, 0x8d94, 0x1405, 4, SCENE_UINT, {32, 0, 0, 0}, false},
    {"RGBA16I", SCH_FORMAT_R16G16B16A16_SINT, 0x8d88, 0x8d99, 0x1402, 8, SCENE_SINT, {16, 16, 16, 16}, false},
    {"RGB10_A2UI", SCH_FORMAT_R10G10B10A2_UINT, 0x906f, 0x8d99, 0x8368, 4, SCENE_UINT, {10, 10, 10, 2}, false},
};
/* Of depth and stencil the bytes are OpenGL's; scene_ours.c moves them. */
const struct scene_format scene_depths[] = {
    {"DEPTH24_STENCIL8", SCH_FORMAT_Z24_UNORM_S8_UINT, 0x88f0, 0x84f9, 0x84fa, 4, SCENE_UNORM, {24, 8, 0, 0}, false},
    {"DEPTH_COMPONENT16", SCH_FORMAT_Z16_UNORM, 0x81a5, 0x1902, 0x1403, 2, SCENE_UNORM, {16, 0, 0, 0}, false},
    {"DEPTH_COMPONENT32F", SCH_FORMAT_Z32_FLOAT, 0x8cac, 0x1902, 0x1406, 4, SCENE_FLOAT, {32, 0, 0, 0}, false},
    {"DEPTH32F_STENCIL8",
     SCH_FORMAT_Z32_FLOAT_S8X24_UINT,
     0x8cad,
     0x84f9,
     0x8dad,
     8,
     SCENE_FLOAT,
     {32, 8, 0, 0},
     false},
};

bool scene_is_depth(const struct scene_format *format)
{
    return format >= scene_depths && format < scene_depths + SCENE_DEPTH_FORMATS;
}

static double half_value(uint32_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double mantissa = (double)(bits & 1023);
    const double size = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
    return bits >> 15 ? -size : size;
}

static double float_value(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double component(const struct scene_format *format, uint64_t bits, unsigned count)
{
    if (format->kind == SCENE_FLOAT) return count == 16 ? half_value((uint32_t)bits) : float_value((uint32_t)bits);
    if (format->kind == SCENE_SINT && bits >> (count - 1)) return (double)bits - ldexp(1, (int)count);
    return (double)bits;
}

/* OpenGL's layout of depth and stencil, from the lowest bit: UNSIGNED_INT_24_8 has the stencil first. */
static void decode_depth(const struct scene_format *format, const uint8_t *texel, double value[4])
{
    uint32_t words[2] = {0, 0};
    memcpy(words, texel, format->bytes);
    if (format->kind == SCENE_FLOAT) {
        value[0] = float_value(words[0]);
        value[1] = words[1] & 255;
    } else {
        value[0] = format->bits[1] ? words[0] >> 8 : words[0];
        value[1] = format->bits[1] ? words[0] & 255 : 0;
    }
}

void scene_decode(const struct scene_format *format, const uint8_t *texel, double value[4])
{
    unsigned at = 0;
    memset(value, 0, 4 * sizeof *value);
    if (scene_is_depth(format)) {
        decode_depth(format, texel, value);
        return;
    }
    for (unsigned n = 0; n < 4; n++) {
        const unsigned c = format->reversed ? 3 - n : n, count = format->bits[c];
        uint64_t bits = 0;
        if (!count) continue;
        for (unsigned b = 0; b < count; b++) bits |= (uint64_t)(texel[(at + b) / 8] >> (at + b) % 8 & 1) << b;
        value[c] = component(format, bits, count);
        at += count;
    }
}

/* ---- shaders
 * -------------------------------------------------------------------------------------------------------- */

#define VERTEX_IN                                                                                                      \
    "layout(location = 0) in vec4 at;\nlayout(location = 1) in vec4 color;\nlayout(location = 2) in vec4 extra;\n"     \
    "layout(location = 3) in vec4 move;\nlayout(location = 0) $0out vec4 a;\nlayout(location = 1) $0out vec4 b;\n"
#define VERTEX_HEAD                                                                                                    \
    "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n"                       \
    "IMM[0] FLT32 {0.015625, 0.25, 0.0, 1.0}\n"
#define VERTEX_BODY "ADD OUT[0], IN[0], IN[3]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\n"

const struct scene_text scene_vertex[] = {
    [VERTEX_PLAIN] = {"plain", VERTEX_IN "void main() { gl_Position = at + move; a = color; b = extra; }\n",
                      VERTEX_HEAD VERTEX_BODY "END\n"},
    [VERTEX_SIZE] = {"size",
                     VERTEX_IN "void main() { gl_Position = at + move; a = color; b = extra;\n"
                               "gl_PointSize = extra.w; }\n",
                     VERTEX_HEAD "DCL OUT[3], PSIZE\n" VERTEX_BODY "MOV OUT[3].x, IN[2].wwww\nEND\n"},
    [VERTEX_CLIP] = {"clip",
                     VERTEX_IN "out float gl_ClipDistance[2];\nvoid main() { gl_Position = at + move; a = color;\n"
                               "b = extra; gl_ClipDistance[0] = extra.x; gl_ClipDistance[1] = extra.y; }\n",
                     VERTEX_HEAD "DCL OUT[3].xy, CLIPDIST\n" VERTEX_BODY "MOV OUT[3].xy, IN[2]\nEND\n"},
    [VERTEX_NUMBERS] = {"numbers",
                        VERTEX_IN "void main() { gl_Position = at + move; b = extra;\n"
                                  "a = vec4(float(gl_VertexID) * 0.015625, float(gl_InstanceID) * 0.25,\n"
                                  "0.0, 1.0); }\n",
                        VERTEX_HEAD
                        "DCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL TEMP[0]\nADD OUT[0], IN[0], IN[3]\n"
                        "MOV OUT[2], IN[2]\nU2F TEMP[0].x, SV[0].xxxx\nU2F TEMP[0].y, SV[1].xxxx\n"
                        "MUL OUT[1].xy, TEMP[0], IMM[0]\nMOV OUT[1].zw, IMM[0]\nEND\n"},
};

/* Geometry shaders that pass vertices on: EMIT(n, m) emits vertex n with the colour of vertex m. */
#define GEOMETRY(input, output, most, INPUT, OUTPUT, glsl, tgsi)                                                       \
    "layout(" input ") in;\nlayout(" output ", max_vertices = " most ") out;\nlayout(location = 0) in vec4 a[];\n"     \
    "layout(location = 1) in vec4 b[];\nlayout(location = 0) $0out vec4 c;\nlayout(location = 1) $0out vec4 d;\n"      \
    "#define EMIT(n, m) gl_Position = gl_in[n].gl_Position; c = a[m]; d = b[n]; EmitVertex();\n"                       \
    "void main() {\n" glsl "}\n",                                                                                      \
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE " INPUT "\nPROPERTY GS_OUTPUT_PRIMITIVE " OUTPUT                            \
        "\nPROPERTY GS_MAX_OUTPUT_VERTICES " most "\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"                 \
        "DCL IN[][2], GENERIC[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\n"              \
        "DCL TEMP[0..1]\nIMM[0] UINT32 {0, 3, 1, 2}\nIMM[1] FLT32 {0.25, -0.25, 0.0, 0.125}\n" tgsi "END\n"
#define EMIT(n, m) "MOV OUT[0], IN[" #n "][0]\nMOV OUT[1], IN[" #m "][1]\nMOV OUT[2], IN[" #n "][2]\nEMIT IMM[0].xxxx\n"
#define NUMBERED   "DCL SV[0], PRIM_ID\nDCL OUT[3], "
/* A corner of a square around a point. */
#define CORNER(x, y)                                                                                                   \
    "ADD OUT[0], IN[0][0], IMM[1]." x y "zz\nMOV OUT[1], IN[0][1]\nMOV OUT[2], IN[0][2]\nEMIT IMM[0].xxxx\n"

const struct scene_text scene_geometry[] = {
    [GEOMETRY_LINES] = {"lines", GEOMETRY("lines", "line_strip", "2", "LINES", "LINE_STRIP", "EMIT(1, 1) EMIT(0, 0)\n",
                                          EMIT(1, 1) EMIT(0, 0))},
    [GEOMETRY_TRIANGLES] = {"triangles",
                            GEOMETRY("triangles", "triangle_strip", "3", "TRIANGLES", "TRIANGLE_STRIP",
                                     "EMIT(1, 1) EMIT(2, 2) EMIT(0, 0)\n", EMIT(1, 1) EMIT(2, 2) EMIT(0, 0))},
    [GEOMETRY_LINES_ADJACENCY] = {"lines_adjacency",
                                  GEOMETRY("lines_adjacency", "line_strip", "2", "LINES_ADJACENCY", "LINE_STRIP",
                                           "EMIT(1, 0) EMIT(2, 3)\n", EMIT(1, 0) EMIT(2, 3))},
    [GEOMETRY_TRIANGLES_ADJACENCY] = {"triangles_adjacency",
                                      GEOMETRY("triangles_adjacency", "triangle_strip", "3", "TRIANGLES_ADJACENCY",
                                               "TRIANGLE_STRIP", "EMIT(0, 1) EMIT(2, 3) EMIT(4, 5)\n",
                                               EMIT(0, 1) EMIT(2, 3) EMIT(4, 5))},
    [GEOMETRY_SQUARES] = {"squares",
                          GEOMETRY(
                              "points", "triangle_strip", "4", "POINTS", "TRIANGLE_STRIP",
                              "for (int i = 0; i < 4; i++) { gl_Position = gl_in[0].gl_Position +\n"
                              "vec4((i & 1) == 0 ? 0.25 : -0.25, i < 2 ? 0.25 : -0.25, 0.0, 0.0); c = a[0]; d = b[0];\n"
                              "EmitVertex(); }\n",
                              CORNER("x", "x") CORNER("y", "x") CORNER("x", "y") CORNER("y", "y"))},
    [GEOMETRY_OUTLINES] = {"outlines",
                           GEOMETRY("triangles", "line_strip", "6", "TRIANGLES", "LINE_STRIP",
                                    "EMIT(0, 0) EMIT(1, 1) EndPrimitive(); EMIT(1, 0) EMIT(2, 2) EMIT(0, 1)\n",
                                    EMIT(0, 0) EMIT(1, 1) "ENDPRIM IMM[0].xxxx\n" EMIT(1, 0) EMIT(2, 2) EMIT(0, 1))},
    [GEOMETRY_LAYERS] = {"layers",
                         GEOMETRY("triangles", "triangle_strip", "3", "TRIANGLES", "TRIANGLE_STRIP",
                                  "int n = gl_PrimitiveIDIn & 3;\ngl_Layer = n; EMIT(0, 0) gl_Layer = n;\n"
                                  "EMIT(1, 1) gl_Layer = n; EMIT(2, 2)\n",
                                  NUMBERED
                                  "LAYER\nAND TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n"
                                  "MOV OUT[3].x, TEMP[0].xxxx\n" EMIT(0, 0) "MOV OUT[3].x, TEMP[0].xxxx\n" EMIT(
                                      1, 1) "MOV OUT[3].x, TEMP[0].xxxx\n" EMIT(2, 2))},
    [GEOMETRY_VIEWPORTS] = {"viewports",
                            GEOMETRY("triangles", "triangle_strip", "3", "TRIANGLES", "TRIANGLE_STRIP",
                                     "int n = gl_PrimitiveIDIn & 3;\ngl_ViewportIndex = n; EMIT(0, 0)\n"
                                     "gl_ViewportIndex = n; EMIT(1, 1) gl_ViewportIndex = n; EMIT(2, 2)\n",
                                     NUMBERED
                                     "VIEWPORT_INDEX\nAND TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n"
                                     "MOV OUT[3].x, TEMP[0].xxxx\n" EMIT(0, 0) "MOV OUT[3].x, TEMP[0].xxxx\n" EMIT(
                                         1, 1) "MOV OUT[3].x, TEMP[0].xxxx\n" EMIT(2, 2))},
    [GEOMETRY_INVOCATIONS] =
        {"invocations",
         GEOMETRY("triangles, invocations = 3", "triangle_strip", "3", "TRIANGLES\nPROPERTY GS_INVOCATIONS 3",
                  "TRIANGLE_STRIP",
                  "for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position;\n"
                  "gl_Position.x += float(gl_InvocationID) * 0.125; c = a[(i + gl_InvocationID) % 3]; d = b[i];\n"
                  "EmitVertex(); }\n",
                  "DCL SV[0], INVOCATIONID\nDCL ADDR[0]\nU2F TEMP[0].x, SV[0].xxxx\n"
                  "MUL TEMP[0].x, TEMP[0].xxxx, IMM[1].wwww\nMOV TEMP[0].yzw, IMM[1].zzzz\n"
                  "ADD OUT[0], IN[0][0], TEMP[0]\nUARL ADDR[0].x, SV[0].xxxx\nMOV OUT[1], IN[ADDR[0].x][1]\n"
                  "MOV OUT[2], IN[0][2]\nEMIT IMM[0].xxxx\n"
                  "ADD OUT[0], IN[1][0], TEMP[0]\nUADD TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\n"
                  "UMOD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\n"
                  "MOV OUT[1], IN[ADDR[0].x][1]\nMOV OUT[2], IN[1][2]\nEMIT IMM[0].xxxx\n"
                  "ADD OUT[0], IN[2][0], TEMP[0]\nUADD TEMP[1].x, SV[0].xxxx, IMM[0].wwww\n"
                  "UMOD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\n"
                  "MOV OUT[1], IN[ADDR[0].x][1]\nMOV OUT[2], IN[2][2]\nEMIT IMM[0].xxxx\n")},
};

/* Tessellation: levels are the second attribute of vertices 0 (outer) and 1 (inner). */
#define CONTROL(vertices)                                                                                              \
    "layout(vertices = " vertices ") out;\nlayout(location = 0) in vec4 a[];\nlayout(location = 1) in vec4 b[];\n"     \
    "layout(location = 0) out vec4 c[];\nlayout(location = 1) out vec4 d[];\n"                                         \
    "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"                        \
    "c[gl_InvocationID] = a[gl_InvocationID]; d[gl_InvocationID] = b[gl_InvocationID];\n"                              \
    "gl_TessLevelOuter[0] = b[0].x; gl_TessLevelOuter[1] = b[0].y; gl_TessLevelOuter[2] = b[0].z;\n"                   \
    "gl_TessLevelOuter[3] = b[0].w; gl_TessLevelInner[0] = b[1].x; gl_TessLevelInner[1] = b[1].y; }\n",                \
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT " vertices "\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"          \
        "DCL IN[][2], GENERIC[1]\nDCL SV[0], INVOCATIONID\nDCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[0]\n"         \
        "DCL OUT[][2], GENERIC[1]\nDCL OUT[3], TESSOUTER\nDCL OUT[4], TESSINNER\nDCL ADDR[0]\n"                        \
        "UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"                                        \
        "MOV OUT[ADDR[0].x][1], IN[ADDR[0].x][1]\nMOV OUT[ADDR[0].x][2], IN[ADDR[0].x][2]\nMOV OUT[3], IN[0][2]\n"     \
        "MOV OUT[4], IN[1][2]\nEND\n"
const struct scene_text scene_control[] = {
    [CONTROL_TRIANGLES] = {"three", CONTROL("3")}, [CONTROL_QUADS] = {"four", CONTROL("4")}};

#define EVALUATION(glsl, tgsi)                                                                                         \
    "layout($2) in;\nlayout(location = 0) in vec4 a[];\nlayout(location = 1) in vec4 b[];\n"                           \
    "layout(location = 0) $0out vec4 c;\nlayout(location = 1) $0out vec4 d;\n"                                         \
    "void main() { vec3 t = gl_TessCoord;\n" glsl "d = vec4(t, 1.0); }\n",                                             \
        "TESS_EVAL\n$3DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL IN[][2], GENERIC[1]\nDCL SV[0], TESSCOORD\n" \
        "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\nDCL TEMP[0..3]\n"                       \
        "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\nMOV TEMP[0].xyz, SV[0]\n" tgsi                                             \
        "MOV OUT[2].xyz, TEMP[0]\nMOV OUT[2].w, IMM[0].xxxx\nEND\n"
#define MIX_3(to, r)                                                                                                   \
    "MUL TEMP[1], IN[0][" r "], TEMP[0].xxxx\nMUL TEMP[2], IN[1][" r "], TEMP[0].yyyy\n"                               \
    "ADD TEMP[1], TEMP[1], TEMP[2]\nMUL TEMP[2], IN[2][" r "], TEMP[0].zzzz\nADD " to ", TEMP[1], TEMP[2]\n"
#define MIX_4(to, r)                                                                                                   \
    "ADD TEMP[1].xy, IMM[0].xxxx, -TEMP[0]\n"                                                                          \
    "MUL TEMP[2], IN[0][" r "], TEMP[1].xxxx\nMUL TEMP[3], IN[1][" r "], TEMP[0].xxxx\n"                               \
    "ADD TEMP[2], TEMP[2], TEMP[3]\nMUL TEMP[2], TEMP[2], TEMP[1].yyyy\nMUL TEMP[3], IN[3][" r "], TEMP[1].xxxx\n"     \
    "MUL TEMP[1], IN[2][" r "], TEMP[0].xxxx\nADD TEMP[3], TEMP[3], TEMP[1]\nMUL TEMP[3], TEMP[3], TEMP[0].yyyy\n"     \
    "ADD " to ", TEMP[2], TEMP[3]\n"
const struct scene_text scene_evaluation[] = {
    [EVALUATION_TRIANGLES] = {"three",
                              EVALUATION("gl_Position = gl_in[0].gl_Position * t.x + gl_in[1].gl_Position * t.y +\n"
                                         "gl_in[2].gl_Position * t.z;\nc = a[0] * t.x + a[1] * t.y + a[2] * t.z;\n",
                                         MIX_3("OUT[0]", "0") MIX_3("OUT[1]", "1"))},
    [EVALUATION_QUADS] = {"four", EVALUATION("vec2 s = 1.0 - t.xy;\n"
                                             "#define MIX(p, q, r, o) (((p) * s.x + (q) * t.x) * s.y + \\\n"
                                             "((o) * s.x + (r) * t.x) * t.y)\n"
                                             "gl_Position = MIX(gl_in[0].gl_Position, gl_in[1].gl_Position,\n"
                                             "gl_in[2].gl_Position, gl_in[3].gl_Position);\n"
                                             "c = MIX(a[0], a[1], a[2], a[3]);\n",
                                             MIX_4("OUT[0]", "0") MIX_4("OUT[1]", "1"))},
};

#define FRAGMENT_IN                                                                                                    \
    "layout(location = 0) $0in vec4 c;\nlayout(location = 1) $0in vec4 d;\nlayout(location = 0) out vec4 o;\n"
#define FRAGMENT_HEAD                                                                                                  \
    "FRAG\nDCL IN[0], GENERIC[0], $1\nDCL IN[1], GENERIC[1], $1\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"                  \
    "IMM[0] FLT32 {0.5, 0.015625, 0.25, 1.0}\nIMM[1] UINT32 {1, 7, 15, 3}\nIMM[2] FLT32 {0.125, 0.0, 0.0, 0.0}\n"      \
    "IMM[3] INT32 {-3, 5, 7, 11}\nIMM[4] UINT32 {0, 1, 31, 0}\n"
#define PLACE "DCL IN[2], POSITION, LINEAR\n"

const struct scene_text scene_fragment[] = {
    [FRAGMENT_COLOR] = {"color", FRAGMENT_IN "void main() { o = c; }\n", FRAGMENT_HEAD "MOV OUT[0], IN[0]\nEND\n"},
    [FRAGMENT_BOTH] = {"both", FRAGMENT_IN "void main() { o = c * 0.5 + d * 0.5; }\n",
                       FRAGMENT_HEAD "MUL TEMP[0], IN[0], IMM[0].xxxx\nMUL TEMP[1], IN[1], IMM[0].xxxx\n"
                                     "ADD OUT[0], TEMP[0], TEMP[1]\nEND\n"},
    [FRAGMENT_FACE] = {"face", FRAGMENT_IN "void main() { o = gl_FrontFacing ? c : vec4(1.0) - c; }\n",
                       FRAGMENT_HEAD "DCL IN[2], FACE, CONSTANT\nADD TEMP[0], IMM[0].wwww, -IN[0]\n"
                                     "CMP OUT[0], IN[2].xxxx, TEMP[0], IN[0]\nEND\n"},
    [FRAGMENT_DISCARD] = {"discard",
                          FRAGMENT_IN "void main() { if (((int(gl_FragCoord.x) ^ int(gl_FragCoord.y)) & 1) != 0)\n"
                                      "discard; o = c; }\n",
                          FRAGMENT_HEAD PLACE "F2I TEMP[0].xy, IN[2]\nXOR TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"
                                              "AND TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\nU2F TEMP[0].x, TEMP[0].xxxx\n"
                                              "KILL_IF -TEMP[0].xxxx\nMOV OUT[0], IN[0]\nEND\n"},
    [FRAGMENT_DEPTH] = {"depth", FRAGMENT_IN "void main() { gl_FragDepth = gl_FragCoord.x * 0.015625; o = c; }\n",
                        FRAGMENT_HEAD PLACE "DCL OUT[1], POSITION\nMUL OUT[1].z, IN[2].xxxx, IMM[0].yyyy\n"
                                            "MOV OUT[0], IN[0]\nEND\n"},
    [FRAGMENT_MASK] = {"mask", FRAGMENT_IN "void main() { gl_SampleMask[0] = int(gl_FragCoord.x) & 15; o = c; }\n",
                       FRAGMENT_HEAD PLACE "DCL OUT[1], SAMPLEMASK\nF2I TEMP[0].x, IN[2].xxxx\n"
                                           "AND OUT[1].x, TEMP[0].xxxx, IMM[1].zzzz\nMOV OUT[0], IN[0]\nEND\n"},
    [FRAGMENT_SAMPLE] = {"sample", FRAGMENT_IN "void main() { o = c * (float(gl_SampleID) * 0.25); }\n",
                         FRAGMENT_HEAD "DCL SV[0], SAMPLEID\nU2F TEMP[0].x, SV[0].xxxx\n"
                                       "MUL TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nMUL OUT[0], IN[0], TEMP[0].xxxx\n"
                                       "END\n"},
    [FRAGMENT_DUAL] = {"dual",
                       "layout(location = 0) $0in vec4 c;\nlayout(location = 1) $0in vec4 d;\n"
                       "layout(location = 0, index = 0) out vec4 o;\nlayout(location = 0, index = 1) out vec4 p;\n"
                       "void main() { o = c; p = d; }\n",
                       FRAGMENT_HEAD "DCL OUT[1], COLOR[1]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n"},
    [FRAGMENT_SEVERAL] = {"several",
                          FRAGMENT_IN
                          "layout(location = 1) out vec4 p;\nlayout(location = 2) out vec4 q;\n"
                          "layout(location = 3) out vec4 r;\n"
                          "void main() { o = c; p = d; q = c.wzyx; r = vec4(gl_FragCoord.xy * 0.015625, c.xy); }\n",
                          FRAGMENT_HEAD PLACE "DCL OUT[1], COLOR[1]\nDCL OUT[2], COLOR[2]\nDCL OUT[3], COLOR[3]\n"
                                              "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[0].wzyx\n"
                                              "MUL OUT[3].xy, IN[2], IMM[0].yyyy\nMOV OUT[3].zw, IN[0].xyxy\nEND\n"},
    [FRAGMENT_PRIMITIVE] = {"primitive",
                            FRAGMENT_IN "void main() { o = c; o.x = float(gl_PrimitiveID & 7) * 0.125; }\n",
                            FRAGMENT_HEAD "DCL IN[2], PRIM_ID, CONSTANT\nUSHR TEMP[0].x, IN[2].xxxx, IMM[4].$4\n"
                                          "AND TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n"
                                          "U2F TEMP[0].x, TEMP[0].xxxx\nMUL OUT[0].x, TEMP[0].xxxx, IMM[2].xxxx\n"
                                          "MOV OUT[0].yzw, IN[0]\nEND\n"},
    [FRAGMENT_POINT] = {"point", FRAGMENT_IN "void main() { o = vec4(gl_PointCoord, c.zw); }\n",
                        FRAGMENT_HEAD "DCL IN[2], PCOORD, LINEAR\nMOV OUT[0].xy, IN[2]\nMOV OUT[0].zw, IN[0]\nEND\n"},
    [FRAGMENT_UINT] = {"uint",
                       "layout(location = 0) out uvec4 o;\n"
                       "void main() { uvec2 p = uvec2(gl_FragCoord.xy); o = uvec4(p, p.x * p.y, 3u); }\n",
                       FRAGMENT_HEAD PLACE "F2U TEMP[0].xy, IN[2]\nMOV OUT[0].xy, TEMP[0]\n"
                                           "UMUL OUT[0].z, TEMP[0].xxxx, TEMP[0].yyyy\nMOV OUT[0].w, IMM[1].wwww\n"
                                           "END\n"},
    [FRAGMENT_SINT] = {"sint",
                       "layout(location = 0) out ivec4 o;\n"
                       "void main() { ivec2 p = ivec2(gl_FragCoord.xy) * -3; o = ivec4(p, p.x * p.y, 7); }\n",
                       FRAGMENT_HEAD PLACE "F2I TEMP[0].xy, IN[2]\nUMUL TEMP[0].xy, TEMP[0], IMM[3].xxxx\n"
                                           "MOV OUT[0].xy, TEMP[0]\nUMUL OUT[0].z, TEMP[0].xxxx, TEMP[0].yyyy\n"
                                           "MOV OUT[0].w, IMM[3].zzzz\nEND\n"},
    [FRAGMENT_ALPHA] = {"alpha", FRAGMENT_IN "void main() { o = vec4(c.xyz, gl_FragCoord.x * 0.015625); }\n",
                        FRAGMENT_HEAD PLACE "MOV OUT[0].xyz, IN[0]\nMUL OUT[0].w, IN[2].xxxx, IMM[0].yyyy\nEND\n"},
    [FRAGMENT_LAYER] = {"layer",
                        FRAGMENT_IN "void main() { o = c; o.x = float(gl_Layer) * 0.25;\n"
                                    "o.y = float(gl_ViewportIndex) * 0.25; }\n",
                        FRAGMENT_HEAD "DCL IN[2], LAYER, CONSTANT\nDCL IN[3], VIEWPORT_INDEX, CONSTANT\n"
                                      "U2F TEMP[0].x, IN[2].xxxx\nU2F TEMP[0].y, IN[3].xxxx\n"
                                      "MUL OUT[0].xy, TEMP[0], IMM[0].zzzz\nMOV OUT[0].zw, IN[0]\nEND\n"},
    [FRAGMENT_PLACE] = {"place",
                        FRAGMENT_IN "void main() { o = gl_FragCoord * vec4(0.015625, 0.015625, 1.0, 0.25); }\n",
                        FRAGMENT_HEAD PLACE "MUL OUT[0], IN[2], IMM[0].yywz\nEND\n"},
};

/* ---- words
 * ---------------------------------------------------------------------------------------------------------- */

static bool last_before_fragments(const struct scene *scene, enum sch_stage stage)
{
    if (stage == SCH_STAGE_FRAGMENT || stage == SCH_STAGE_GEOMETRY) return true;
    if (scene->texts[SCH_STAGE_GEOMETRY]) return false;
    return stage == SCH_STAGE_TESS_EVAL || !scene->texts[SCH_STAGE_TESS_EVAL];
}

static const char *word(const struct scene *scene, enum sch_stage stage, char number)
{
    static const char *const glsl[3][3] = {{"", "centroid ", "sample "},
                                           {"flat ", "flat ", "flat "},
                                           {"noperspective ", "noperspective centroid ", "noperspective sample "}};
    static const char *const tgsi[3][3] = {{"PERSPECTIVE", "PERSPECTIVE, CENTROID", "PERSPECTIVE, SAMPLE"},
                                           {"CONSTANT", "CONSTANT", "CONSTANT"},
                                           {"LINEAR", "LINEAR, CENTROID", "LINEAR, SAMPLE"}};
    static const char *const shifts[] = {"xxxx", "yyyy", "zzzz"};
    if (number == '0') return last_before_fragments(scene, stage) ? glsl[scene->interpolation][scene->location] : "";
    if (number == '1') return tgsi[scene->interpolation][scene->location];
    if (number == '4') return shifts[scene->primitive_shift];
    return scene->words[number - '2'];
}

static const char extensions[] = "#version 330 compatibility\n"
                                 "#extension GL_ARB_separate_shader_objects : enable\n"
                                 "#extension GL_ARB_viewport_array : enable\n"
                                 "#extension GL_ARB_tessellation_shader : enable\n"
                                 "#extension GL_ARB_sample_shading : enable\n"
                                 "#extension GL_ARB_gpu_shader5 : enable\n"
                                 "#extension GL_ARB_fragment_layer_viewport : enable\n";

void scene_text(const struct scene *scene, enum sch_stage stage, bool glsl, char text[SCENE_TEXT])
{
    const struct scene_text *row = scene->texts[stage];
    size_t at = (size_t)snprintf(text, SCENE_TEXT, "%s", glsl ? extensions : "");
    for (const char *c = glsl ? row->glsl : row->tgsi; *c && at + 1 < SCENE_TEXT; c++) {
        if (*c != '$')
            text[at++] = *c, text[at] = 0;
        else
            at += (size_t)snprintf(text + at, SCENE_TEXT - at, "%s", word(scene, stage, *++c));
    }
}

unsigned scene_captured_corners(const struct scene *s)
{
    const struct scene_text *geometry = s->texts[SCH_STAGE_GEOMETRY];
    const enum sch_primitive p = s->draws[0].primitive;
    if (geometry) return strstr(geometry->glsl, "layout(line_strip") ? 2 : 3;
    if (s->texts[SCH_STAGE_TESS_EVAL])
        return strstr(s->words[0], "point_mode") ? 1 : strstr(s->words[0], "isolines") ? 2 : 3;
    if (p == SCH_PRIMITIVE_POINTS) return 1;
    const bool lines =
        p <= SCH_PRIMITIVE_LINE_STRIP || p == SCH_PRIMITIVE_LINES_ADJACENCY || p == SCH_PRIMITIVE_LINE_STRIP_ADJACENCY;
    return lines ? 2 : 3;
}
