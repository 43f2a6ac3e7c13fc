/* Textures of compressed blocks: what is uploaded, by levels, layers, faces, slices and parts of them, comes back as it
 * went in, is copied to texels of as many bytes and back, and is fetched by a shader as the same blocks are that stand
 * in a texture of one level. With a file's name as argument the texels of random blocks are written there, format by
 * format, so that two drivers can be compared. */
#include "gl_program.h"
#include <string.h>

enum { LEVELS = 6, MOST_LAYERS = 6, SIDE = 64, ROOM = SIDE * SIDE };

enum { GL_S3TC = 1, GL_ASTC = 2 }; /* extensions that a format needs */

static const struct format {
    const char *name;
    GLenum number;
    GLsizei width, height, bytes;
    int extension;
    int slices;   /* 3-D textures may have it */
    int copied;   /* OpenGL names it in table 18.5 */
    GLenum other; /* that shows the same blocks; 0: none */
} formats[] = {
    {"RGB_S3TC_DXT1", 0x83f0, 4, 4, 8, GL_S3TC, 0, 0, 0x8c4c},
    {"RGBA_S3TC_DXT1", 0x83f1, 4, 4, 8, GL_S3TC, 0, 0, 0x8c4d},
    {"RGBA_S3TC_DXT3", 0x83f2, 4, 4, 16, GL_S3TC, 0, 0, 0x8c4e},
    {"RGBA_S3TC_DXT5", 0x83f3, 4, 4, 16, GL_S3TC, 0, 0, 0x8c4f},
    {"RED_RGTC1", 0x8dbb, 4, 4, 8, 0, 0, 1, 0},
    {"SIGNED_RED_RGTC1", 0x8dbc, 4, 4, 8, 0, 0, 1, 0},
    {"RG_RGTC2", 0x8dbd, 4, 4, 16, 0, 0, 1, 0},
    {"SIGNED_RG_RGTC2", 0x8dbe, 4, 4, 16, 0, 0, 1, 0},
    {"RGBA_BPTC_UNORM", 0x8e8c, 4, 4, 16, 0, 1, 1, 0x8e8d},
    {"RGB_BPTC_SIGNED_FLOAT", 0x8e8e, 4, 4, 16, 0, 1, 1, 0},
    {"RGB_BPTC_UNSIGNED_FLOAT", 0x8e8f, 4, 4, 16, 0, 1, 1, 0},
    {"RGB8_ETC2", 0x9274, 4, 4, 8, 0, 0, 0, 0},
    {"SRGB8_ETC2", 0x9275, 4, 4, 8, 0, 0, 0, 0},
    {"RGB8_PUNCHTHROUGH_ALPHA1_ETC2", 0x9276, 4, 4, 8, 0, 0, 0, 0},
    {"RGBA8_ETC2_EAC", 0x9278, 4, 4, 16, 0, 0, 0, 0},
    {"R11_EAC", 0x9270, 4, 4, 8, 0, 0, 0, 0},
    {"SIGNED_R11_EAC", 0x9271, 4, 4, 8, 0, 0, 0, 0},
    {"RG11_EAC", 0x9272, 4, 4, 16, 0, 0, 0, 0},
    {"SIGNED_RG11_EAC", 0x9273, 4, 4, 16, 0, 0, 0, 0},
    {"RGBA_ASTC_4x4", 0x93b0, 4, 4, 16, GL_ASTC, 0, 0, 0},
    {"RGBA_ASTC_6x5", 0x93b3, 6, 5, 16, GL_ASTC, 0, 0, 0},
    {"SRGB8_ALPHA8_ASTC_8x8", 0x93d7, 8, 8, 16, GL_ASTC, 0, 0, 0},
    {"RGBA_ASTC_12x12", 0x93bd, 12, 12, 16, GL_ASTC, 0, 0, 0},
};

static const struct shape {
    GLenum target;
    GLsizei width, height, layers, levels; /* a 3-D texture's layers are slices */
} shapes[] = {
    {GL_TEXTURE_2D, 37, 22, 1, 6},
    {GL_TEXTURE_2D_ARRAY, 26, 40, 3, 6},
    {GL_TEXTURE_CUBE_MAP, 25, 25, 6, 5},
    {GL_TEXTURE_3D, 24, 16, 4, 3},
};

static const char vertex[] = "#version 430\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, "
                             "gl_VertexID == 2 ? 3 : -1, 0, 1); }\n";
static const char flat_fetch[] = "#version 430\nuniform sampler2D t; uniform ivec2 at; out vec4 c;\n"
                                 "void main() { c = texelFetch(t, ivec2(gl_FragCoord.xy), at.x); }\n";
static const char array_fetch[] = "#version 430\nuniform sampler2DArray t; uniform ivec2 at; out vec4 c;\n"
                                  "void main() { c = texelFetch(t, ivec3(gl_FragCoord.xy, at.y), at.x); }\n";
static const char volume_fetch[] = "#version 430\nuniform sampler3D t; uniform ivec2 at; out vec4 c;\n"
                                   "void main() { c = texelFetch(t, ivec3(gl_FragCoord.xy, at.y), at.x); }\n";

static GLuint flat_program, array_program, volume_program;
static int has[3];
static uint8_t blocks[LEVELS][MOST_LAYERS][ROOM];
static float texels[ROOM][4], wanted[ROOM][4];

static uint32_t random_word(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 32);
}

static GLsizei of_level(GLsizei side, GLint level) { return side >> level ? side >> level : 1; }
static GLsizei count_blocks(GLsizei texels_, GLsizei side) { return (texels_ + side - 1) / side; }

/* The bytes of a layer. */
static GLsizei layer_bytes(const struct format *format, GLsizei width, GLsizei height)
{
    return count_blocks(width, format->width) * count_blocks(height, format->height) * format->bytes;
}

/* Random blocks. Most of ASTC's would be illegal: of three quarters there is one partition, and the weights' grid is in
 * one plane. */
static void fill(const struct format *format, uint8_t *bytes, GLsizei count)
{
    for (GLsizei i = 0; i < count; i++) bytes[i] = (uint8_t)random_word();
    if (format->extension != GL_ASTC) return;
    for (GLsizei i = 0; i < count; i += format->bytes) {
        const uint32_t choice = random_word();
        if (choice & 3) bytes[i + 1] &= (uint8_t)~0x1c;
        if (choice & 4) bytes[i] &= (uint8_t)~2;
    }
}

/* ---- textures ---- */

static GLuint new_texture(GLenum target, GLint levels)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(target, name);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, levels - 1);
    return name;
}

static int is_flat(const struct shape *shape) { return shape->target == GL_TEXTURE_2D; }
static int is_cube(const struct shape *shape) { return shape->target == GL_TEXTURE_CUBE_MAP; }

static GLsizei layers_of(const struct shape *shape, GLint level)
{
    return shape->target == GL_TEXTURE_3D ? of_level(shape->layers, level) : shape->layers;
}

static GLuint new_blocks(const struct format *format, const struct shape *shape)
{
    const GLuint name = new_texture(shape->target, shape->levels);
    if (is_flat(shape) || is_cube(shape))
        glTexStorage2D(shape->target, shape->levels, format->number, shape->width, shape->height);
    else
        glTexStorage3D(shape->target, shape->levels, format->number, shape->width, shape->height, shape->layers);
    return name;
}

/* Rows `first` on, in blocks, of a layer. */
static void put_rows(const struct format *format, const struct shape *shape, GLint level, GLsizei layer, GLsizei first,
                     GLsizei rows)
{
    const GLsizei width = of_level(shape->width, level), height = of_level(shape->height, level),
                  line = count_blocks(width, format->width) * format->bytes, y = first * format->height;
    const GLsizei down = rows * format->height < height - y ? rows * format->height : height - y;
    const uint8_t *data = blocks[level][layer] + first * line;
    if (rows <= 0) return;
    if (is_flat(shape) || is_cube(shape)) {
        const GLenum face = is_cube(shape) ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)layer : GL_TEXTURE_2D;
        glCompressedTexSubImage2D(face, level, 0, y, width, down, format->number, rows * line, data);
    } else
        glCompressedTexSubImage3D(shape->target, level, 0, y, layer, width, down, 1, format->number, rows * line, data);
}

/* The lower rows first: a part of a level leaves the rest of it. */
static void put_layer(const struct format *format, const struct shape *shape, GLint level, GLsizei layer)
{
    const GLsizei rows = count_blocks(of_level(shape->height, level), format->height), half = rows / 2;
    put_rows(format, shape, level, layer, half, rows - half);
    put_rows(format, shape, level, layer, 0, half);
}

static GLsizei lesser(GLsizei a, GLsizei b) { return a < b ? a : b; }

/* The second block of the second row of level 0 is another one. */
static void put_block(const struct format *format, const struct shape *shape)
{
    const GLsizei across = count_blocks(shape->width, format->width), x = format->width, y = format->height,
                  width = lesser(x, shape->width - x), height = lesser(y, shape->height - y);
    uint8_t *block = blocks[0][0] + (across + 1) * format->bytes;
    fill(format, block, format->bytes);
    if (is_flat(shape) || is_cube(shape))
        glCompressedTexSubImage2D(is_flat(shape) ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, x, y, width,
                                  height, format->number, format->bytes, block);
    else
        glCompressedTexSubImage3D(shape->target, 0, x, y, 0, width, height, 1, format->number, format->bytes, block);
}

static void put_all(const struct format *format, const struct shape *shape)
{
    for (GLint level = 0; level < shape->levels; level++)
        for (GLsizei layer = 0; layer < layers_of(shape, level); layer++) {
            fill(format, blocks[level][layer],
                 layer_bytes(format, of_level(shape->width, level), of_level(shape->height, level)));
            put_layer(format, shape, level, layer);
        }
    put_block(format, shape);
}

/* ---- texels ---- */

static void draw_texels(GLuint program, GLint level, GLsizei layer, float (*to)[4])
{
    glUseProgram(program);
    glUniform2i(glGetUniformLocation(program, "at"), level, layer);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, to);
}

/* The texels of blocks that are alone: a texture of one level. */
static void draw_alone(GLenum number, GLsizei width, GLsizei height, const uint8_t *data, GLsizei bytes, float (*to)[4])
{
    const GLuint name = new_texture(GL_TEXTURE_2D, 1);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, number, width, height, 0, bytes, data);
    draw_texels(flat_program, 0, 0, to);
    glDeleteTextures(1, &name);
}

static int same_texels(GLsizei width, GLsizei height)
{
    int same = 1;
    for (GLsizei y = 0; y < height; y++) {
        same &= !memcmp(texels[y * SIDE], wanted[y * SIDE], (size_t)width * sizeof *texels);
        gl_add(texels[y * SIDE], (size_t)width * sizeof *texels);
    }
    return same;
}

/* Faces are fetched from a view, which shows them as layers. */
static GLuint fetched_texture(GLenum number, const struct shape *shape, GLuint name)
{
    const GLenum target = is_cube(shape) ? GL_TEXTURE_2D_ARRAY : shape->target;
    GLuint view;
    glGenTextures(1, &view);
    glTextureView(view, target, name, number, 0, (GLuint)shape->levels, 0,
                  shape->target == GL_TEXTURE_3D ? 1 : (GLuint)shape->layers);
    glBindTexture(target, view);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return view;
}

/* All texels, seen as those of `number`, are those of the blocks. */
static void check_texels(const struct format *format, GLenum number, const struct shape *shape, GLuint name)
{
    const GLuint view = fetched_texture(number, shape, name);
    const GLuint program = is_flat(shape)                   ? flat_program
                           : shape->target == GL_TEXTURE_3D ? volume_program
                                                            : array_program;
    int same = 1;
    for (GLint level = 0; level < shape->levels; level++)
        for (GLsizei layer = 0; layer < layers_of(shape, level); layer++) {
            const GLsizei width = of_level(shape->width, level), height = of_level(shape->height, level);
            glBindTexture(is_flat(shape)                   ? GL_TEXTURE_2D
                          : shape->target == GL_TEXTURE_3D ? GL_TEXTURE_3D
                                                           : GL_TEXTURE_2D_ARRAY,
                          view);
            draw_texels(program, level, layer, texels);
            draw_alone(number, width, height, blocks[level][layer], layer_bytes(format, width, height), wanted);
            same &= same_texels(width, height);
        }
    gl_check(same, __LINE__, format->name);
    glDeleteTextures(1, &view);
}

/* What was uploaded comes back as it is. */
static void check_blocks(const struct format *format, const struct shape *shape, GLuint name)
{
    static uint8_t back[MOST_LAYERS * ROOM];
    int same = 1;
    glBindTexture(shape->target, name);
    for (GLint level = 0; level < shape->levels; level++) {
        const GLsizei bytes = layer_bytes(format, of_level(shape->width, level), of_level(shape->height, level));
        for (GLsizei layer = 0; is_cube(shape) && layer < shape->layers; layer++)
            glGetCompressedTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)layer, level, back + layer * bytes);
        if (!is_cube(shape)) glGetCompressedTexImage(shape->target, level, back);
        for (GLsizei layer = 0; layer < layers_of(shape, level); layer++)
            same &= !memcmp(back + layer * bytes, blocks[level][layer], (size_t)bytes);
    }
    gl_check(same, __LINE__, format->name);
}

/* ---- copies ---- */

static void copy(GLuint from, GLint from_level, GLint x, GLint y, GLuint to, GLint to_level, GLsizei width,
                 GLsizei height)
{
    glCopyImageSubData(from, GL_TEXTURE_2D, from_level, x, y, 0, to, GL_TEXTURE_2D, to_level, 0, 0, 0, width, height,
                       1);
}

/* Whole blocks of level 0 of a flat texture become texels of whole numbers, and some of these become blocks of another
 * texture's level 1. Blocks that levels have in part have no counterpart: boxes on both sides end within their levels
 * (18.3.3). */
static void check_copies(const struct format *format, GLuint name)
{
    const struct shape *shape = &shapes[0];
    static uint8_t words[ROOM];
    const GLsizei line = count_blocks(shape->width, format->width) * format->bytes,
                  across = shape->width / format->width, down = shape->height / format->height,
                  few = of_level(shape->width, 1) / format->width, low = of_level(shape->height, 1) / format->height,
                  left = across - few, top = down - low;
    const GLuint numbers = new_texture(GL_TEXTURE_2D, 1);
    int same = 1;
    glTexStorage2D(GL_TEXTURE_2D, 1, format->bytes == 8 ? GL_RG32UI : GL_RGBA32UI, across, down);
    copy(name, 0, 0, 0, numbers, 0, across * format->width, down * format->height);
    glGetTexImage(GL_TEXTURE_2D, 0, format->bytes == 8 ? GL_RG_INTEGER : GL_RGBA_INTEGER, GL_UNSIGNED_INT, words);
    for (GLsizei y = 0; y < down; y++)
        same &= !memcmp(words + y * across * format->bytes, blocks[0][0] + y * line, (size_t)(across * format->bytes));
    gl_check(same, __LINE__, format->name);

    const GLuint other = new_blocks(format, shape);
    copy(numbers, 0, left, top, other, 1, few, low);
    for (GLsizei y = 0; y < low; y++)
        memcpy(words + y * few * format->bytes, blocks[0][0] + (top + y) * line + left * format->bytes,
               (size_t)(few * format->bytes));
    draw_texels(flat_program, 1, 0, texels);
    draw_alone(format->number, few * format->width, low * format->height, words, few * low * format->bytes, wanted);
    gl_check(same_texels(few * format->width, low * format->height), __LINE__, format->name);
    glDeleteTextures(1, &numbers);
    glDeleteTextures(1, &other);
}

/* From a layer of an array to another one's, between formats that show the same blocks. */
static void check_layer_copies(const struct format *format, GLuint name)
{
    const struct shape *shape = &shapes[1];
    struct format shown = *format;
    if (format->other) shown.number = format->other;
    const GLuint other = new_blocks(&shown, shape);
    const GLsizei width = of_level(shape->width, 1), height = of_level(shape->height, 1);
    glCopyImageSubData(name, GL_TEXTURE_2D_ARRAY, 1, 0, 0, 0, other, GL_TEXTURE_2D_ARRAY, 1, 0, 0, 1, width, height, 2);
    for (GLsizei layer = 0; layer < 2; layer++) {
        glBindTexture(GL_TEXTURE_2D_ARRAY, other);
        draw_texels(array_program, 1, layer + 1, texels);
        draw_alone(shown.number, width, height, blocks[1][layer], layer_bytes(format, width, height), wanted);
        gl_check(same_texels(width, height), __LINE__, format->name);
    }
    glDeleteTextures(1, &other);
}

static void check_format(const struct format *format)
{
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const struct shape *shape = &shapes[s];
        if (shape->target == GL_TEXTURE_3D && !format->slices) continue;
        const GLuint name = new_blocks(format, shape);
        put_all(format, shape);
        check_blocks(format, shape, name);
        check_texels(format, format->number, shape, name);
        if (format->other) check_texels(format, format->other, shape, name);
        if (s == 0 && format->copied) check_copies(format, name);
        if (s == 1) check_layer_copies(format, name);
        glDeleteTextures(1, &name);
    }
    const GLenum error = glGetError();
    if (error) printf("%s: error 0x%x\n", format->name, error);
    gl_check(!error, __LINE__, format->name);
}

/* ---- texels for others ---- */

static void write_texels(FILE *file, const struct format *format)
{
    static uint8_t data[ROOM];
    const GLsizei width = SIDE / format->width * format->width, height = SIDE / format->height * format->height,
                  bytes = layer_bytes(format, width, height);
    fill(format, data, bytes);
    memset(texels, 0, sizeof texels);
    draw_alone(format->number, width, height, data, bytes, texels);
    fprintf(file, "%s %d %d %d %d %d\n", format->name, width, height, format->width, format->height, format->bytes);
    fwrite(data, 1, (size_t)bytes, file);
    for (GLsizei y = 0; y < height; y++) fwrite(texels[y * SIDE], sizeof *texels, (size_t)width, file);
}

static int has_extension(const char *name)
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++)
        if (!strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), name)) return 1;
    return 0;
}

static void begin(void)
{
    GLuint framebuffer, name;
    gl_begin();
    has[0] = 1;
    has[GL_S3TC] = has_extension("GL_EXT_texture_compression_s3tc");
    has[GL_ASTC] = has_extension("GL_KHR_texture_compression_astc_ldr");
    flat_program = gl_program(vertex, flat_fetch);
    array_program = gl_program(vertex, array_fetch);
    volume_program = gl_program(vertex, volume_fetch);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, SIDE, SIDE);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    glViewport(0, 0, SIDE, SIDE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
}

int main(int count, char **arguments)
{
    FILE *file = count > 1 ? fopen(arguments[1], "wb") : NULL;
    begin();
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
        if (!has[formats[f].extension]) continue;
        if (file)
            write_texels(file, &formats[f]);
        else
            check_format(&formats[f]);
    }
    if (file) CHECK(fclose(file) == 0);
    return gl_end();
}
