/* The OpenGL side of the test of whole pipelines: a scene's state in OpenGL's words, into textures. Decides nothing
 * about answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "surfaceless.h"

#ifdef PEER_HAS_GL
#include <GL/glcorearb.h>

/* Of the compatibility profile. */
enum { OLD_POINT_SPRITE = 0x8861, OLD_LINE_STIPPLE = 0x0b24, OLD_POLYGON_STIPPLE = 0x0b42, OLD_ALPHA_TEST = 0x0bc0 };
typedef void(APIENTRYP PFNGLLINESTIPPLEPROC)(GLint factor, GLushort pattern);
typedef void(APIENTRYP PFNGLPOLYGONSTIPPLEPROC)(const GLubyte *pattern);
typedef void(APIENTRYP PFNGLALPHAFUNCPROC)(GLenum function, GLfloat reference);

#define FUNCTIONS                                                                                                      \
    X(GETERROR, GetError)                                                                                              \
    X(GETINTEGERV, GetIntegerv)                                                                                        \
    X(GETSTRINGI, GetStringi)                                                                                          \
    X(ENABLE, Enable)                                                                                                  \
    X(DISABLE, Disable)                                                                                                \
    X(ENABLEI, Enablei)                                                                                                \
    X(DISABLEI, Disablei)                                                                                              \
    X(GENTEXTURES, GenTextures)                                                                                        \
    X(DELETETEXTURES, DeleteTextures)                                                                                  \
    X(BINDTEXTURE, BindTexture)                                                                                        \
    X(TEXIMAGE2D, TexImage2D)                                                                                          \
    X(TEXIMAGE3D, TexImage3D)                                                                                          \
    X(TEXIMAGE2DMULTISAMPLE, TexImage2DMultisample)                                                                    \
    X(TEXPARAMETERI, TexParameteri)                                                                                    \
    X(GETTEXIMAGE, GetTexImage)                                                                                        \
    X(PIXELSTOREI, PixelStorei)                                                                                        \
    X(GENFRAMEBUFFERS, GenFramebuffers)                                                                                \
    X(DELETEFRAMEBUFFERS, DeleteFramebuffers)                                                                          \
    X(BINDFRAMEBUFFER, BindFramebuffer)                                                                                \
    X(FRAMEBUFFERTEXTURE, FramebufferTexture)                                                                          \
    X(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus)                                                                  \
    X(DRAWBUFFERS, DrawBuffers)                                                                                        \
    X(CLEARBUFFERFV, ClearBufferfv)                                                                                    \
    X(CLEARBUFFERFI, ClearBufferfi)                                                                                    \
    X(GENVERTEXARRAYS, GenVertexArrays)                                                                                \
    X(BINDVERTEXARRAY, BindVertexArray)                                                                                \
    X(GENBUFFERS, GenBuffers)                                                                                          \
    X(BINDBUFFER, BindBuffer)                                                                                          \
    X(BINDBUFFERRANGE, BindBufferRange)                                                                                \
    X(BUFFERDATA, BufferData)                                                                                          \
    X(GETBUFFERSUBDATA, GetBufferSubData)                                                                              \
    X(VERTEXATTRIBPOINTER, VertexAttribPointer)                                                                        \
    X(VERTEXATTRIBDIVISOR, VertexAttribDivisor)                                                                        \
    X(VERTEXATTRIB4FV, VertexAttrib4fv)                                                                                \
    X(ENABLEVERTEXATTRIBARRAY, EnableVertexAttribArray)                                                                \
    X(DISABLEVERTEXATTRIBARRAY, DisableVertexAttribArray)                                                              \
    X(CREATEPROGRAM, CreateProgram)                                                                                    \
    X(DELETEPROGRAM, DeleteProgram)                                                                                    \
    X(DELETESHADER, DeleteShader)                                                                                      \
    X(ATTACHSHADER, AttachShader)                                                                                      \
    X(USEPROGRAM, UseProgram)                                                                                          \
    X(GETUNIFORMLOCATION, GetUniformLocation)                                                                          \
    X(UNIFORM1I, Uniform1i)                                                                                            \
    X(TRANSFORMFEEDBACKVARYINGS, TransformFeedbackVaryings)                                                            \
    X(BEGINTRANSFORMFEEDBACK, BeginTransformFeedback)                                                                  \
    X(ENDTRANSFORMFEEDBACK, EndTransformFeedback)                                                                      \
    X(GENQUERIES, GenQueries)                                                                                          \
    X(BEGINQUERY, BeginQuery)                                                                                          \
    X(ENDQUERY, EndQuery)                                                                                              \
    X(GETQUERYOBJECTUIV, GetQueryObjectuiv)                                                                            \
    X(VIEWPORT, Viewport)                                                                                              \
    X(DEPTHRANGE, DepthRange)                                                                                          \
    X(SCISSOR, Scissor)                                                                                                \
    X(VIEWPORTINDEXEDF, ViewportIndexedf)                                                                              \
    X(DEPTHRANGEINDEXED, DepthRangeIndexed)                                                                            \
    X(SCISSORINDEXED, ScissorIndexed)                                                                                  \
    X(PROVOKINGVERTEX, ProvokingVertex)                                                                                \
    X(FRONTFACE, FrontFace)                                                                                            \
    X(CULLFACE, CullFace)                                                                                              \
    X(POLYGONMODE, PolygonMode)                                                                                        \
    X(POLYGONOFFSET, PolygonOffset)                                                                                    \
    X(LINEWIDTH, LineWidth)                                                                                            \
    X(LINESTIPPLE, LineStipple)                                                                                        \
    X(POLYGONSTIPPLE, PolygonStipple)                                                                                  \
    X(POINTSIZE, PointSize)                                                                                            \
    X(POINTPARAMETERI, PointParameteri)                                                                                \
    X(ALPHAFUNC, AlphaFunc)                                                                                            \
    X(DEPTHFUNC, DepthFunc)                                                                                            \
    X(DEPTHMASK, DepthMask)                                                                                            \
    X(STENCILFUNCSEPARATE, StencilFuncSeparate)                                                                        \
    X(STENCILOPSEPARATE, StencilOpSeparate)                                                                            \
    X(STENCILMASKSEPARATE, StencilMaskSeparate)                                                                        \
    X(BLENDFUNCSEPARATE, BlendFuncSeparate)                                                                            \
    X(BLENDEQUATIONSEPARATE, BlendEquationSeparate)                                                                    \
    X(BLENDFUNCSEPARATEI, BlendFuncSeparatei)                                                                          \
    X(BLENDEQUATIONSEPARATEI, BlendEquationSeparatei)                                                                  \
    X(BLENDCOLOR, BlendColor)                                                                                          \
    X(LOGICOP, LogicOp)                                                                                                \
    X(COLORMASKI, ColorMaski)                                                                                          \
    X(SAMPLEMASKI, SampleMaski)                                                                                        \
    X(MINSAMPLESHADING, MinSampleShading)                                                                              \
    X(PATCHPARAMETERI, PatchParameteri)                                                                                \
    X(DRAWARRAYS, DrawArrays)                                                                                          \
    X(DRAWARRAYSINSTANCEDBASEINSTANCE, DrawArraysInstancedBaseInstance)                                                \
    X(DRAWELEMENTSINSTANCEDBASEVERTEXBASEINSTANCE, DrawElementsInstancedBaseVertexBaseInstance)                        \
    X(PRIMITIVERESTARTINDEX, PrimitiveRestartIndex)

#define X(upper, name) static PFNGL##upper##PROC gl##name;
FUNCTIONS
#undef X

static struct {
    GLuint vertices, instances, indices, captured, queries[SCENE_COUNTS];
    GLuint picture, picture_buffer, fetch; /* samples are copied out one by one */
    GLuint targets[SCENE_TARGETS + 1], framebuffer, program;
    bool samples, tessellation, viewports, sample_shading, shader5, layer_viewport;
} gl;

/* ---- opening
 * ---------------------------------------------------------------------------------------------------------- */

static bool load_functions(char *why, size_t room)
{
#define X(upper, name)                                                                                                 \
    gl##name = (PFNGL##upper##PROC)surfaceless_function("gl" #name);                                                   \
    if (!gl##name) return surfaceless_refuse(why, room, "no gl" #name);
    FUNCTIONS
#undef X
    return true;
}

static bool has(const char *extension)
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++)
        if (!strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), extension)) return true;
    return false;
}

static void look_around(void)
{
    GLint samples = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    gl.samples = samples >= SCENE_SAMPLES;
    gl.tessellation = has("GL_ARB_tessellation_shader");
    gl.viewports = has("GL_ARB_viewport_array");
    gl.sample_shading = has("GL_ARB_sample_shading");
    gl.shader5 = has("GL_ARB_gpu_shader5");
    gl.layer_viewport = has("GL_ARB_fragment_layer_viewport");
}

static void make_picture(void)
{
    glGenTextures(1, &gl.picture);
    glBindTexture(GL_TEXTURE_2D, gl.picture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, SCENE_SIDE, SCENE_SIDE, 0, GL_RGBA, GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glGenFramebuffers(1, &gl.picture_buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl.picture_buffer);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, gl.picture, 0);
    gl.fetch = glCreateProgram();
    glAttachShader(gl.fetch, surfaceless_shader(GL_VERTEX_SHADER,
                                                "#version 330\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? "
                                                "3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n"));
    glAttachShader(gl.fetch, surfaceless_shader(GL_FRAGMENT_SHADER,
                                                "#version 330\nuniform sampler2DMS t;\nuniform int n;\nout vec4 o;\n"
                                                "void main() { o = texelFetch(t, ivec2(gl_FragCoord.xy), n); }\n"));
    surfaceless_link(gl.fetch);
}

bool scene_gl_open(const char *driver, char *why, size_t room)
{
    static const struct surfaceless_wish wish = {{45, 33}, true};
    GLuint array;
    if (!surfaceless_open(driver, &wish, why, room) || !load_functions(why, room)) return false;
    look_around();
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &gl.vertices);
    glGenBuffers(1, &gl.instances);
    glGenBuffers(1, &gl.indices);
    glGenBuffers(1, &gl.captured);
    glGenQueries(SCENE_COUNTS, gl.queries);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    if (gl.samples) make_picture();
    return glGetError() == GL_NO_ERROR || surfaceless_refuse(why, room, "OpenGL refuses the test's objects");
}

void scene_gl_close(void) { surfaceless_close(); }

const char *scene_gl_lacks(const struct scene *s)
{
    if (s->samples > 1 && !gl.samples) return "4 samples";
    if (s->texts[SCH_STAGE_TESS_EVAL] && !gl.tessellation) return "tessellation";
    if (s->dynamic.viewport_count > 1 && !gl.viewports) return "several viewports";
    if ((s->location == LOCATION_SAMPLE || s->dynamic.min_samples > 1) && !gl.sample_shading) return "sample shading";
    if (s->texts[SCH_STAGE_GEOMETRY] == &scene_geometry[GEOMETRY_INVOCATIONS] && !gl.shader5) return "invocations";
    if (s->texts[SCH_STAGE_FRAGMENT] == &scene_fragment[FRAGMENT_LAYER] && !gl.layer_viewport)
        return "layers in fragment shaders";
    return NULL;
}

/* ---- targets
 * ---------------------------------------------------------------------------------------------------------- */

static const struct scene_format *format_of(const struct scene *s, unsigned target)
{
    return target < SCENE_TARGETS ? (target < s->target_count ? s->targets[target] : NULL) : s->depth;
}

static GLenum target_kind(const struct scene *s)
{
    return s->samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : s->layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
}

/* All layers of a target. */
static uint8_t *background(const struct scene *s, unsigned target)
{
    static uint8_t texels[SCENE_LAYERS * SCENE_PIXELS * 16];
    const unsigned bytes = format_of(s, target)->bytes;
    for (uint32_t layer = 0; layer < (s->layers ? s->layers : 1); layer++)
        for (uint32_t p = 0; p < SCENE_PIXELS; p++) {
            uint8_t texel[16];
            scene_background(s, target, layer, p, texel);
            memcpy(texels + (layer * SCENE_PIXELS + p) * bytes, texel, bytes);
        }
    return texels;
}

static void clear(const struct scene *s, unsigned target)
{
    const struct scene_format *f = format_of(s, target);
    uint8_t texel[16];
    double value[4];
    float color[4];
    scene_background(s, target, 0, 0, texel);
    scene_decode(f, texel, value);
    for (unsigned c = 0; c < 4; c++)
        color[c] = (float)(f->kind == SCENE_FLOAT ? value[c] : value[c] / (double)((1ull << f->bits[c]) - 1));
    if (target < SCENE_TARGETS)
        glClearBufferfv(GL_COLOR, (GLint)target, color);
    else
        glClearBufferfi(GL_DEPTH_STENCIL, 0, color[0], (GLint)value[1]);
}

static void make_target(const struct scene *s, unsigned target)
{
    const struct scene_format *f = format_of(s, target);
    const GLenum kind = target_kind(s);
    GLenum place = GL_COLOR_ATTACHMENT0 + target;
    if (!f) return;
    if (target == SCENE_TARGETS) place = f->bits[1] ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT;
    glGenTextures(1, &gl.targets[target]);
    glBindTexture(kind, gl.targets[target]);
    if (s->samples > 1)
        glTexImage2DMultisample(kind, (GLsizei)s->samples, f->internal, SCENE_SIDE, SCENE_SIDE, GL_TRUE);
    else if (s->layers)
        glTexImage3D(kind, 0, (GLint)f->internal, SCENE_SIDE, SCENE_SIDE, (GLsizei)s->layers, 0, f->transfer, f->type,
                     background(s, target));
    else
        glTexImage2D(kind, 0, (GLint)f->internal, SCENE_SIDE, SCENE_SIDE, 0, f->transfer, f->type,
                     background(s, target));
    if (s->samples == 1) {
        glTexParameteri(kind, GL_TEXTURE_MAX_LEVEL, 0);
        glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    glFramebufferTexture(GL_FRAMEBUFFER, place, gl.targets[target], 0);
}

static bool make_framebuffer(const struct scene *s)
{
    GLenum buffers[SCENE_TARGETS];
    glGenFramebuffers(1, &gl.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, gl.framebuffer);
    for (unsigned t = 0; t <= SCENE_TARGETS; t++) make_target(s, t);
    for (unsigned t = 0; t < SCENE_TARGETS; t++) buffers[t] = t < s->target_count ? GL_COLOR_ATTACHMENT0 + t : GL_NONE;
    glDrawBuffers(SCENE_TARGETS, buffers);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return false;
    for (unsigned t = 0; s->samples > 1 && t <= SCENE_TARGETS; t++)
        if (gl.targets[t]) clear(s, t);
    return true;
}

/* ---- programs
 * --------------------------------------------------------------------------------------------------------- */

static bool make_program(const struct scene *s)
{
    static const GLenum kinds[SCENE_STAGES] = {GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                               GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};
    static char text[SCENE_TEXT];
    gl.program = glCreateProgram();
    for (unsigned stage = 0; stage < SCENE_STAGES; stage++) {
        if (!s->texts[stage]) continue;
        scene_text(s, (enum sch_stage)stage, true, text);
        const GLuint shader = surfaceless_shader(kinds[stage], text);
        if (!shader) return false;
        glAttachShader(gl.program, shader);
        glDeleteShader(shader);
    }
    if (s->capture) {
        const bool vertex = !s->texts[SCH_STAGE_TESS_EVAL] && !s->texts[SCH_STAGE_GEOMETRY];
        const char *const names[] = {"gl_Position", vertex ? "a" : "c", vertex ? "b" : "d"};
        glTransformFeedbackVaryings(gl.program, 3, names, GL_INTERLEAVED_ATTRIBS);
    }
    if (!surfaceless_link(gl.program)) return false;
    glUseProgram(gl.program);
    return true;
}

static void set_vertices(const struct scene *s)
{
    glBindBuffer(GL_ARRAY_BUFFER, gl.vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((s->vertex_count + 4) * sizeof *s->vertices), s->vertices,
                 GL_STREAM_DRAW);
    for (GLuint e = 0; e < 3; e++) {
        glEnableVertexAttribArray(e);
        glVertexAttribPointer(e, 4, GL_FLOAT, GL_FALSE, sizeof s->vertices[0], (const void *)(uintptr_t)(16 * e));
    }
    glBindBuffer(GL_ARRAY_BUFFER, gl.instances);
    glBufferData(GL_ARRAY_BUFFER, sizeof s->instances, s->instances, GL_STREAM_DRAW);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(3, s->divisor);
    (s->divisor ? glEnableVertexAttribArray : glDisableVertexAttribArray)(3);
    glVertexAttrib4fv(3, s->instances[0]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gl.indices);
}

/* ---- state
 * ------------------------------------------------------------------------------------------------------------ */

static void enable(GLenum what, bool on) { (on ? glEnable : glDisable)(what); }

static GLenum compare(enum sch_compare function) { return function ? GL_NEVER + (GLenum)function - 1 : GL_ALWAYS; }

/* A picture whose first row is at the bottom: what goes round clockwise on one with its first row at the top goes round
 * counter-clockwise. */
static void set_polygons(const struct sch_rasterizer_options *r)
{
    static const GLenum fills[] = {GL_FILL, GL_LINE, GL_POINT};
    static const GLenum faces[] = {GL_BACK, GL_FRONT, GL_BACK, GL_FRONT_AND_BACK};
    glFrontFace(r->front_ccw ? GL_CW : GL_CCW);
    enable(GL_CULL_FACE, r->cull_face);
    glCullFace(faces[r->cull_face]);
    glPolygonMode(GL_FRONT, fills[r->fill_front]);
    glPolygonMode(GL_BACK, fills[r->fill_back]);
    enable(GL_POLYGON_OFFSET_FILL, r->offset_tri);
    enable(GL_POLYGON_OFFSET_LINE, r->offset_line);
    enable(GL_POLYGON_OFFSET_POINT, r->offset_point);
    glPolygonOffset(r->offset_scale, r->offset_units);
    enable(OLD_POLYGON_STIPPLE, r->poly_stipple_enable);
}

static void set_rasterizer(const struct scene *s)
{
    const struct sch_rasterizer_options *r = &s->rasterizer;
    uint8_t stipple[32][4];
    set_polygons(r);
    for (unsigned y = 0; y < 32; y++)
        for (unsigned b = 0; b < 4; b++) stipple[y][b] = (uint8_t)(s->dynamic.polygon_stipple[y] >> (24 - 8 * b));
    glPolygonStipple(stipple[0]);
    glProvokingVertex(r->flatshade_first ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
    glLineWidth(r->line_width);
    enable(GL_LINE_SMOOTH, r->line_smooth);
    enable(OLD_LINE_STIPPLE, r->line_stipple_enable);
    glLineStipple((GLint)r->line_stipple_factor, r->line_stipple_pattern);
    glPointSize(r->point_size);
    enable(GL_PROGRAM_POINT_SIZE, r->point_size_per_vertex);
    enable(OLD_POINT_SPRITE, r->point_quad_rasterization);
    glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN,
                      r->sprite_coord_mode == SCH_SPRITE_UPPER_LEFT ? GL_LOWER_LEFT : GL_UPPER_LEFT);
    enable(GL_DEPTH_CLAMP, r->depth_clamp);
    enable(GL_RASTERIZER_DISCARD, r->rasterizer_discard);
    for (GLuint n = 0; n < 2; n++) enable(GL_CLIP_DISTANCE0 + n, r->clip_plane_enable >> n & 1);
    enable(GL_MULTISAMPLE, r->multisample);
    enable(GL_SAMPLE_MASK, s->samples > 1);
    glSampleMaski(0, s->dynamic.sample_mask);
    if (gl.sample_shading) {
        enable(GL_SAMPLE_SHADING, s->dynamic.min_samples > 1);
        glMinSampleShading(1);
    }
    enable(GL_SCISSOR_TEST, r->scissor);
}

static void set_windows(const struct scene *s)
{
    for (GLuint n = 0; n < s->dynamic.viewport_count; n++) {
        const struct scene_window *w = &s->windows[n];
        const struct sch_scissor *c = &s->dynamic.scissors[n];
        const GLint left = (GLint)(c->left > 16384 ? 16384 : c->left), top = (GLint)(c->top > 16384 ? 16384 : c->top);
        const GLint right = (GLint)(c->right > 16384 ? 16384 : c->right),
                    bottom = (GLint)(c->bottom > 16384 ? 16384 : c->bottom);
        if (s->dynamic.viewport_count == 1) {
            glViewport((GLint)w->x, (GLint)w->y, (GLsizei)w->width, (GLsizei)w->height);
            glDepthRange((double)w->near, (double)w->far);
            glScissor(left, top, right - left, bottom - top);
        } else {
            glViewportIndexedf(n, w->x, w->y, w->width, w->height);
            glDepthRangeIndexed(n, (double)w->near, (double)w->far);
            glScissorIndexed(n, left, top, right - left, bottom - top);
        }
    }
}

static void set_tests(const struct scene *s)
{
    static const GLenum operations[] = {GL_KEEP, GL_ZERO,      GL_REPLACE,   GL_INCR,
                                        GL_DECR, GL_INCR_WRAP, GL_DECR_WRAP, GL_INVERT};
    const struct sch_depth_stencil_alpha_options *t = &s->tests;
    enable(GL_DEPTH_TEST, t->depth_enabled);
    glDepthFunc(compare(t->depth_function));
    glDepthMask(t->depth_writes);
    enable(GL_STENCIL_TEST, t->stencil[0].enabled);
    for (unsigned f = 0; f < 2; f++) {
        const struct sch_stencil_face *face = &t->stencil[f];
        const GLenum name = f ? GL_BACK : GL_FRONT;
        if (!face->enabled) continue;
        glStencilFuncSeparate(name, compare(face->function), s->dynamic.stencil_reference[f], face->value_mask);
        glStencilOpSeparate(name, operations[face->fail], operations[face->depth_fail], operations[face->pass]);
        glStencilMaskSeparate(name, face->write_mask);
    }
    enable(OLD_ALPHA_TEST, t->alpha_enabled);
    if (t->alpha_enabled) glAlphaFunc(compare(t->alpha_function), t->alpha_reference);
}

static GLenum factor(enum sch_blend_factor f)
{
    static const GLenum factors[] = {[SCH_FACTOR_ONE] = GL_ONE,
                                     [SCH_FACTOR_SRC_COLOR] = GL_SRC_COLOR,
                                     [SCH_FACTOR_SRC_ALPHA] = GL_SRC_ALPHA,
                                     [SCH_FACTOR_DST_ALPHA] = GL_DST_ALPHA,
                                     [SCH_FACTOR_DST_COLOR] = GL_DST_COLOR,
                                     [SCH_FACTOR_SRC_ALPHA_SATURATE] = GL_SRC_ALPHA_SATURATE,
                                     [SCH_FACTOR_CONST_COLOR] = GL_CONSTANT_COLOR,
                                     [SCH_FACTOR_CONST_ALPHA] = GL_CONSTANT_ALPHA,
                                     [SCH_FACTOR_SRC1_COLOR] = GL_SRC1_COLOR,
                                     [SCH_FACTOR_SRC1_ALPHA] = GL_SRC1_ALPHA,
                                     [SCH_FACTOR_ZERO] = GL_ZERO,
                                     [SCH_FACTOR_INV_SRC_COLOR] = GL_ONE_MINUS_SRC_COLOR,
                                     [SCH_FACTOR_INV_SRC_ALPHA] = GL_ONE_MINUS_SRC_ALPHA,
                                     [SCH_FACTOR_INV_DST_ALPHA] = GL_ONE_MINUS_DST_ALPHA,
                                     [SCH_FACTOR_INV_DST_COLOR] = GL_ONE_MINUS_DST_COLOR,
                                     [SCH_FACTOR_INV_CONST_COLOR] = GL_ONE_MINUS_CONSTANT_COLOR,
                                     [SCH_FACTOR_INV_CONST_ALPHA] = GL_ONE_MINUS_CONSTANT_ALPHA,
                                     [SCH_FACTOR_INV_SRC1_COLOR] = GL_ONE_MINUS_SRC1_COLOR,
                                     [SCH_FACTOR_INV_SRC1_ALPHA] = GL_ONE_MINUS_SRC1_ALPHA};
    return factors[f];
}

static void set_target_blend(GLuint n, const struct sch_blend_target *t, bool independent)
{
    static const GLenum equations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX};
    const GLenum e[2] = {equations[t->color_equation], equations[t->alpha_equation]};
    /* Factors of blending that is off count, too: two sources do not go with several targets. */
    const GLenum f[4] = {factor(t->color_source), factor(t->color_destination), factor(t->alpha_source),
                         factor(t->alpha_destination)};
    const uint8_t mask = t->color_mask;
    glColorMaski(n, mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3 & 1);
    (t->enabled ? glEnablei : glDisablei)(GL_BLEND, n);
    if (independent) {
        glBlendEquationSeparatei(n, e[0], e[1]);
        glBlendFuncSeparatei(n, f[0], f[1], f[2], f[3]);
    } else {
        glBlendEquationSeparate(e[0], e[1]);
        glBlendFuncSeparate(f[0], f[1], f[2], f[3]);
    }
}

static void set_blend(const struct scene *s)
{
    static const GLenum operations[] = {
        GL_CLEAR, GL_NOR,   GL_AND_INVERTED, GL_COPY_INVERTED, GL_AND_REVERSE, GL_INVERT,     GL_XOR, GL_NAND,
        GL_AND,   GL_EQUIV, GL_NOOP,         GL_OR_INVERTED,   GL_COPY,        GL_OR_REVERSE, GL_OR,  GL_SET};
    for (GLuint n = 0; n < SCENE_TARGETS; n++)
        set_target_blend(n, &s->blend.targets[s->blend.independent ? n : 0], s->blend.independent);
    glBlendColor(s->dynamic.blend_color[0], s->dynamic.blend_color[1], s->dynamic.blend_color[2],
                 s->dynamic.blend_color[3]);
    enable(GL_COLOR_LOGIC_OP, s->blend.logic_enabled);
    glLogicOp(operations[s->blend.logic_operation]);
    enable(GL_SAMPLE_ALPHA_TO_COVERAGE, s->blend.alpha_to_coverage);
    enable(GL_FRAMEBUFFER_SRGB, true);
    if (s->texts[SCH_STAGE_TESS_EVAL]) glPatchParameteri(GL_PATCH_VERTICES, (GLint)s->dynamic.patch_vertices);
}

/* ---- drawing
 * ---------------------------------------------------------------------------------------------------------- */

static void run_draw(const struct scene *s, const struct sch_draw *d)
{
    static const GLenum types[] = {0, GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, 0, GL_UNSIGNED_INT};
    static uint8_t indices[SCENE_INDICES * 4];
    enable(GL_PRIMITIVE_RESTART, d->restart);
    glPrimitiveRestartIndex(d->restart_index);
    if (!d->index_bytes) {
        glDrawArraysInstancedBaseInstance(d->primitive, (GLint)d->start, (GLsizei)d->count, (GLsizei)d->instance_count,
                                          d->start_instance);
        return;
    }
    for (uint32_t i = 0; i < s->index_count; i++) memcpy(indices + i * d->index_bytes, &s->indices[i], d->index_bytes);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(s->index_count * d->index_bytes), indices, GL_STREAM_DRAW);
    glDrawElementsInstancedBaseVertexBaseInstance(d->primitive, (GLsizei)d->count, types[d->index_bytes],
                                                  (const void *)(uintptr_t)(d->start * d->index_bytes),
                                                  (GLsizei)d->instance_count, d->index_bias, d->start_instance);
}

static void run_draws(const struct scene *s)
{
    static const GLenum kinds[SCENE_COUNTS] = {GL_SAMPLES_PASSED, GL_PRIMITIVES_GENERATED,
                                               GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN};
    static const GLenum captured[] = {0, GL_POINTS, GL_LINES, GL_TRIANGLES};
    static const float zeros[SCENE_CAPTURED];
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, gl.captured);
    if (s->capture) {
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof zeros, zeros, GL_STREAM_READ);
        glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, gl.captured, 0, (GLsizeiptr)(s->capture_floats * 4));
    }
    for (unsigned q = 0; q < SCENE_COUNTS; q++) glBeginQuery(kinds[q], gl.queries[q]);
    if (s->capture) glBeginTransformFeedback(captured[scene_captured_corners(s)]);
    for (uint32_t d = 0; d < s->draw_count; d++) run_draw(s, &s->draws[d]);
    if (s->capture) glEndTransformFeedback();
    for (unsigned q = 0; q < SCENE_COUNTS; q++) glEndQuery(kinds[q]);
}

/* ---- answers
 * ---------------------------------------------------------------------------------------------------------- */

static void take(const struct scene *s, unsigned target, uint32_t layer, uint32_t sample, uint32_t p,
                 const double value[4], struct scene_answer *answer)
{
    (void)s;
    if (target < SCENE_TARGETS)
        memcpy(answer->color[target][layer][sample][p], value, 4 * sizeof *value);
    else {
        answer->depth[layer][sample][p] = value[0];
        answer->stencil[layer][sample][p] = (uint8_t)value[1];
    }
}

static void read_target(const struct scene *s, unsigned target, struct scene_answer *answer)
{
    static uint8_t texels[SCENE_LAYERS * SCENE_PIXELS * 16];
    const struct scene_format *f = format_of(s, target);
    glBindTexture(target_kind(s), gl.targets[target]);
    glGetTexImage(target_kind(s), 0, f->transfer, f->type, texels);
    for (uint32_t layer = 0; layer < (s->layers ? s->layers : 1); layer++)
        for (uint32_t p = 0; p < SCENE_PIXELS; p++) {
            double value[4];
            scene_decode(f, texels + (layer * SCENE_PIXELS + p) * f->bytes, value);
            take(s, target, layer, 0, p, value, answer);
        }
}

/* A sample, copied to a picture of floats. */
static void read_sample(const struct scene *s, unsigned target, uint32_t sample, struct scene_answer *answer)
{
    static float values[SCENE_PIXELS][4];
    const struct scene_format *f = format_of(s, target);
    glUniform1i(glGetUniformLocation(gl.fetch, "n"), (GLint)sample);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindTexture(GL_TEXTURE_2D, gl.picture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, values);
    for (uint32_t p = 0; p < SCENE_PIXELS; p++) {
        double value[4];
        for (unsigned c = 0; c < 4; c++) {
            const double most = f->kind == SCENE_FLOAT ? 1 : (double)((1ull << f->bits[c]) - 1);
            value[c] = (double)values[p][c] * most;
            if (f->kind != SCENE_FLOAT) value[c] = (double)(int64_t)(value[c] + 0.5);
        }
        if (target == SCENE_TARGETS) value[1] = 0;
        take(s, target, 0, sample, p, value, answer);
    }
}

static void read_samples(const struct scene *s, struct scene_answer *answer)
{
    struct scene plain;
    static const GLenum first = GL_COLOR_ATTACHMENT0;
    scene_make(2, &plain); /* for its state, most of which is off */
    set_rasterizer(&plain);
    set_windows(&plain);
    set_tests(&plain);
    set_blend(&plain);
    glBindFramebuffer(GL_FRAMEBUFFER, gl.picture_buffer);
    glDrawBuffers(1, &first);
    glUseProgram(gl.fetch);
    for (unsigned t = 0; t <= SCENE_TARGETS; t++) {
        if (!gl.targets[t]) continue;
        glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, gl.targets[t]);
        for (uint32_t n = 0; n < s->samples; n++) read_sample(s, t, n, answer);
    }
}

static void read_answer(const struct scene *s, struct scene_answer *answer)
{
    for (unsigned q = 0; q < SCENE_COUNTS; q++) {
        GLuint count = 0;
        glGetQueryObjectuiv(gl.queries[q], GL_QUERY_RESULT, &count);
        answer->counts[q] = count;
    }
    memset(answer->captured, 0, sizeof answer->captured);
    if (s->capture) glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof answer->captured, answer->captured);
    if (s->samples > 1)
        read_samples(s, answer);
    else
        for (unsigned t = 0; t <= SCENE_TARGETS; t++)
            if (gl.targets[t]) read_target(s, t, answer);
}

static bool draw(const struct scene *s, struct scene_answer *answer)
{
    set_rasterizer(s);
    set_windows(s);
    set_tests(s);
    set_blend(s);
    enable(GL_SCISSOR_TEST, false); /* which clears would see */
    enable(GL_RASTERIZER_DISCARD, false);
    for (GLuint n = 0; n < SCENE_TARGETS; n++) glColorMaski(n, 1, 1, 1, 1);
    glDepthMask(1);
    glStencilMaskSeparate(GL_FRONT_AND_BACK, 255);
    if (!make_framebuffer(s) || !make_program(s)) return false;
    set_rasterizer(s);
    set_tests(s);
    set_blend(s);
    set_vertices(s);
    run_draws(s);
    read_answer(s, answer);
    return true;
}

bool scene_draw_gl(const struct scene *s, struct scene_answer *answer)
{
    const bool drawn = draw(s, answer);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glUseProgram(0);
    glDeleteProgram(gl.program);
    glDeleteFramebuffers(1, &gl.framebuffer);
    glDeleteTextures(SCENE_TARGETS + 1, gl.targets);
    memset(gl.targets, 0, sizeof gl.targets);
    const GLenum error = glGetError();
    if (error != GL_NO_ERROR) printf("# OpenGL error 0x%x at scene %u\n", error, (unsigned)s->number);
    return drawn && error == GL_NO_ERROR;
}

#else

bool scene_gl_open(const char *driver, char *why, size_t room) { return surfaceless_open(driver, NULL, why, room); }
const char *scene_gl_lacks(const struct scene *s)
{
    (void)s;
    return "OpenGL";
}
bool scene_draw_gl(const struct scene *s, struct scene_answer *answer)
{
    (void)s, (void)answer;
    return false;
}
void scene_gl_close(void) {}

#endif
