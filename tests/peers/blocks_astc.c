/* Blocks of ASTC decoded by astcenc's command: a file of blocks in, a KTX file out, in a folder of its own. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "blocks.h"

extern char **environ;

enum { ASTC_HEADER = 16, KTX_HEADER = 64 };

static char folder[64], from[80], to[80];

/* ---- the command ---- */

/* Its words are not shown: what the test prints is TAP. */
static bool spawn(pid_t *child, char *const arguments[])
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return false;
    const bool done = !posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) &&
                      !posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return done;
}

static bool run(const char *option)
{
    char name[] = "astcenc", quiet[] = "-silent", threads[] = "-j", one[] = "1", chosen[12];
    char *with[] = {name, chosen, from, to, quiet, threads, one, NULL}, *alone[] = {name, chosen, NULL};
    pid_t child;
    int status;
    snprintf(chosen, sizeof chosen, "%s", option);
    if (!spawn(&child, option[1] == 'd' ? with : alone)) return false;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool astcenc_open(const char *name, char *why, size_t room)
{
    (void)name;
    const char *base = getenv("TMPDIR");
    if (!run("-version")) {
        snprintf(why, room, "no astcenc");
        return false;
    }
    snprintf(folder, sizeof folder, "%.40s/blocks.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        snprintf(why, room, "no folder %s: %s", folder, strerror(errno));
        return false;
    }
    snprintf(from, sizeof from, "%s/in.astc", folder);
    snprintf(to, sizeof to, "%s/out.ktx", folder);
    return true;
}

static void astcenc_close(void)
{
    unlink(from);
    unlink(to);
    rmdir(folder);
}

static bool astcenc_has(const struct block_format *format) { return format->family == FAMILY_ASTC; }

/* ---- files ---- */

static uint32_t little(const uint8_t *bytes, unsigned count)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++) value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

static bool write_blocks(const struct block_format *format, const uint8_t *blocks)
{
    const size_t count = BLOCKS_SIDE / format->width * (BLOCKS_SIDE / format->height);
    const uint8_t header[ASTC_HEADER] = {
        0x13,        0xab, 0xa1, 0x5c, (uint8_t)format->width, (uint8_t)format->height, 1, BLOCKS_SIDE, 0, 0,
        BLOCKS_SIDE, 0,    0,    1};
    FILE *file = fopen(from, "wb");
    if (!file) return false;
    const bool written = fwrite(header, sizeof header, 1, file) == 1 && fwrite(blocks, 16, count, file) == count;
    return !fclose(file) && written;
}

/* Components of OpenGL's base formats L, LA, RGB, RGBA: astcenc leaves out what a whole picture has no use for. */
static unsigned components_of(uint32_t gl_format)
{
    static const uint32_t formats[5] = {0, 0x1909, 0x190a, 0x1907, 0x1908};
    for (unsigned n = 4; n > 0; n--)
        if (formats[n] == gl_format) return n;
    return 0;
}

static float float_of_half(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 1023;
    uint32_t word = sign | (exponent + 112) << 23 | fraction << 13;
    float value;
    if (exponent == 31) word = sign | 0x7f800000 | fraction << 13;
    if (exponent == 0) {
        const float size = (float)fraction / (1 << 24);
        return sign ? -size : size;
    }
    memcpy(&value, &word, sizeof value);
    return value;
}

/* sRGB's curve. */
static double linear_of(uint32_t code)
{
    const double x = code / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

/* A component of 8 bits or of a half. */
static float component(const uint8_t *bytes, const struct block_format *format, unsigned channel)
{
    if (format->profile == PROFILE_HDR) return float_of_half(little(bytes, 2));
    return format->profile == PROFILE_SRGB && channel < 3 ? (float)linear_of(bytes[0]) : (float)bytes[0] / 255;
}

static void read_row(const uint8_t *row, const struct block_format *format, unsigned count, block_texel *texels)
{
    static const uint8_t source[5][4] = {{0}, {0, 0, 0, 4}, {0, 0, 0, 1}, {0, 1, 2, 4}, {0, 1, 2, 3}};
    const unsigned bytes = format->profile == PROFILE_HDR ? 2 : 1;
    for (unsigned x = 0; x < BLOCKS_SIDE; x++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned which = source[count][c];
            texels[x][c] = which < count ? component(row + (x * count + which) * bytes, format, c) : 1;
        }
}

static bool read_texels(const struct block_format *format, block_texel *texels)
{
    static uint8_t data[KTX_HEADER + 4096 + BLOCKS_TEXELS * 8];
    FILE *file = fopen(to, "rb");
    if (!file) return false;
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    if (size < KTX_HEADER + 4) return false;
    const unsigned count = components_of(little(data + 24, 4)), bytes = format->profile == PROFILE_HDR ? 2 : 1;
    const size_t first = KTX_HEADER + 4 + (size_t)little(data + 60, 4), row = (size_t)BLOCKS_SIDE * count * bytes;
    if (!count || little(data + 20, 4) != bytes || size != first + row * BLOCKS_SIDE) return false;
    for (unsigned y = 0; y < BLOCKS_SIDE; y++)
        read_row(data + first + y * row, format, count, texels + y * BLOCKS_SIDE);
    return true;
}

static bool astcenc_decode(const struct block_format *format, const uint8_t *blocks, block_texel *texels)
{
    static const char *const options[] = {[PROFILE_LDR] = "-dl", [PROFILE_HDR] = "-dh", [PROFILE_SRGB] = "-ds"};
    return write_blocks(format, blocks) && run(options[format->profile]) && read_texels(format, texels);
}

const struct block_peer blocks_astcenc = {"astcenc", astcenc_open, astcenc_has, astcenc_decode, astcenc_close};
