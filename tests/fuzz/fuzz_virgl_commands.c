/* Fuzz target: clients of the virgl protocol that mostly say what is right. The input's bytes choose records and
 * commands, and the words of each command one by one: a word has the kind of value that its name in the tables of
 * commands (src/virgl/commands.def, objects.def) stands for, a handle of the right kind of object for example, and
 * sometimes any other. Before them stands a scene that draws. What is checked of the recording that comes of it:
 * virgl_roundtrip.h. */
#include <math.h>
#include <string.h>

#include "../../src/virgl/client.h"
#include "../../src/virgl/protocol.h"
#include "../../src/virgl/record.h"
#include "draw_texts.h"
#include "fuzz.h"
#include "virgl_roundtrip.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    RESOURCES = 12,
    BUFFERS = 3, /* the first resources */
    WINDOW = 4,  /* the resource that is shown */
    WINDOW_WIDTH = 33,
    WINDOW_HEIGHT = 17,
    PER_KIND = 4, /* handles of each kind of object, and of the shaders of each stage */
    SHADERS = 100,
    STEPS = 160,
    WORDS = 1 << 13, /* of one submit */
    MOST = 1 << 18,  /* bytes of a recording */
    FILLING = 4096   /* bytes of client memory that are written */
};

/* The recording, the commands of its next submit, and the rest of the input: after its end all is 0. */
struct maker {
    const uint8_t *at, *end;
    uint8_t *bytes;
    size_t used;
    uint32_t words[WORDS], count;
    uint32_t kind, stage; /* of the command at hand */
};

static uint8_t take(struct maker *maker) { return maker->at < maker->end ? *maker->at++ : 0; }

/* ---- records ---- */

static void record(struct maker *maker, enum sch_virgl_record_kind kind, const void *head, size_t head_bytes,
                   const void *rest, size_t rest_bytes)
{
    const uint32_t start[2] = {kind, (uint32_t)(head_bytes + rest_bytes)};
    const size_t whole = sizeof start + start[1] + -start[1] % 4;
    if (whole > MOST - maker->used) return;
    uint8_t *to = maker->bytes + maker->used;
    memset(to, 0, whole);
    memcpy(to, start, sizeof start);
    memcpy(to + sizeof start, head, head_bytes);
    if (rest_bytes) memcpy(to + sizeof start + head_bytes, rest, rest_bytes);
    maker->used += whole;
}

static void submit(struct maker *maker)
{
    record(maker, SCH_VIRGL_RECORD_SUBMIT, maker->words, maker->count * sizeof *maker->words, NULL, 0);
    maker->count = 0;
}

/* ---- values ---- */

/* Any word: small, on the edge of something, or of any bytes. */
static uint32_t any_word(struct maker *maker)
{
    static const uint32_t odd[] = {UINT32_MAX, INT32_MAX, 1u << 31, UINT32_MAX - 3, 65535, 65536, 16384,    2048,
                                   4095,       4096,      16383,    1u << 24,       1024,  1023,  1u << 30, 0x7ffffffc};
    const uint8_t form = take(maker);
    if (form < 192) return form % 48;
    if (form < 208) return odd[form % COUNT(odd)];
    uint32_t word = 0;
    for (unsigned n = form < 232 ? 2 : 4; n; n--) word = word << 8 | take(maker);
    return word;
}

static uint32_t float_word(struct maker *maker)
{
    static const float odd[] = {0.0f,     1.0f, -0.0f,  INFINITY, -INFINITY, NAN,    1e-40f, 3.4e38f,
                                16384.0f, 0.5f, 255.0f, 64.0f,    -3e4f,     1e-20f, 33.0f,  2147483648.0f};
    const uint8_t form = take(maker);
    const float value = form < 192 ? (float)(form % 64) / 16 - 1 : odd[form % COUNT(odd)];
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return form == 255 ? any_word(maker) : word;
}

static uint32_t resource_word(struct maker *maker)
{
    const uint8_t form = take(maker);
    return form < 250 ? 1 + (uint32_t)form % RESOURCES : any_word(maker);
}

/* Most commands that take buffers take nothing else. */
static uint32_t buffer_word(struct maker *maker)
{
    const uint8_t form = take(maker);
    return form < 200 ? 1 + (uint32_t)form % BUFFERS : form < 220 ? 0 : resource_word(maker);
}

static uint32_t object_word(struct maker *maker, uint32_t kind)
{
    const uint8_t form = take(maker);
    const uint32_t first = kind == OBJECT_SHADER ? SHADERS + maker->stage * PER_KIND : kind * PER_KIND + 1;
    return form < 244 ? first + form % PER_KIND : form < 250 ? 0 : any_word(maker);
}

static uint32_t format_word(struct maker *maker)
{
    static const uint16_t numbers[] = {
#define FORMAT(number, name) number,
#include "../../src/virgl/formats.def"
#undef FORMAT
    };
    static const uint16_t usual[] = {67, 1, 31, 28, 64, 29, 19, 16, 18, 105, 23, 127, 178, 94, 8, 5};
    const uint8_t form = take(maker);
    if (form < 160) return usual[form % COUNT(usual)];
    return form < 250 ? numbers[(form * 256u + take(maker)) % COUNT(numbers)] : any_word(maker) % 512;
}

static uint32_t flags_word(struct maker *maker)
{
    uint32_t word = 0;
    for (unsigned n = take(maker) % 5; n; n--) word = word << 8 | take(maker);
    return word;
}

/* What a name stands for that has no way of writing of its own. */
enum meaning { ANY, RESOURCE, BUFFER, OBJECT, OWN_HANDLE, NOUGHT, SIDE, FEW, STEP, LENGTH, WORD };
static const struct {
    const char *name;
    enum meaning means;
    uint32_t what; /* the kind of an object; a word, where nothing else is said */
} meanings[] = {
    {"resource", RESOURCE, 0},
    {"to", RESOURCE, 0},
    {"from", RESOURCE, 0},
    {"indirect", BUFFER, 0},
    {"count_resource", BUFFER, 0},
    {"view", OBJECT, OBJECT_SAMPLER_VIEW},
    {"sampler", OBJECT, OBJECT_SAMPLER_STATE},
    {"target", OBJECT, OBJECT_STREAMOUT_TARGET},
    {"color", OBJECT, OBJECT_SURFACE},
    {"depth_stencil", OBJECT, OBJECT_SURFACE},
    {"query", OBJECT, OBJECT_QUERY},
    {"handle", OWN_HANDLE, 0},
    {"level", NOUGHT, 0},
    {"first", NOUGHT, 0},
    {"offset", NOUGHT, 0},
    {"x", NOUGHT, 0},
    {"y", NOUGHT, 0},
    {"z", NOUGHT, 0},
    {"row_bytes", NOUGHT, 0},
    {"layer_bytes", NOUGHT, 0},
    {"usage", NOUGHT, 0},
    {"layers", NOUGHT, 0},
    {"levels", NOUGHT, 0},
    {"start", NOUGHT, 0},
    {"start_instance", NOUGHT, 0},
    {"divisor", NOUGHT, 0},
    {"count_offset", NOUGHT, 0},
    {"width", SIDE, 0},
    {"height", SIDE, 0},
    {"depth", FEW, 1},
    {"instances", FEW, 1},
    {"draws", FEW, 1},
    {"samples", FEW, 1},
    {"access", FEW, 3},
    {"block_x", SIDE, 0},
    {"block_y", FEW, 1},
    {"block_z", FEW, 1},
    {"grid_x", FEW, 1},
    {"grid_y", FEW, 1},
    {"grid_z", FEW, 1},
    {"direction", FEW, 1},
    {"id", FEW, 0},
    {"number", FEW, 0},
    {"buffer", FEW, 0},
    {"wait", FEW, 0},
    {"indexed", FEW, 0},
    {"restart", FEW, 0},
    {"patch_vertices", FEW, 3},
    {"condition", FEW, 0},
    {"mode", FEW, 0},
    {"stride", STEP, 16},
    {"index_bytes", WORD, 2},
    {"bytes", LENGTH, 64},
    {"swizzle", WORD, 0x688},
    {"most", WORD, UINT32_MAX},
};

static uint32_t named_word(struct maker *maker, const char *name, size_t length)
{
    size_t at = 0;
    while (at < COUNT(meanings) && (strncmp(meanings[at].name, name, length) != 0 || meanings[at].name[length])) at++;
    const uint32_t what = at < COUNT(meanings) ? meanings[at].what : 0;
    const uint8_t form = at < COUNT(meanings) && meanings[at].means > OWN_HANDLE ? take(maker) : 0;
    if (form >= 200) return any_word(maker);
    switch (at < COUNT(meanings) ? meanings[at].means : ANY) {
    case RESOURCE:
        return resource_word(maker);
    case BUFFER:
        return take(maker) < 192 ? 0 : buffer_word(maker);
    case OBJECT:
        return object_word(maker, what);
    case OWN_HANDLE:
        return object_word(maker, maker->kind);
    case NOUGHT:
        return form < 144 ? 0 : form % 8;
    case SIDE:
        return 1 + form % 16;
    case FEW:
        return form < 96 ? what : form % 5;
    case STEP:
        return form < 96 ? what : form % 5 * 16;
    case LENGTH:
        return what + form;
    case WORD:
        return what;
    default:
        return any_word(maker);
    }
}

static uint32_t halves(struct maker *maker)
{
    const uint32_t low = take(maker);
    return low < 160 ? low % 8 * 0x10001u : (low % 16) | (any_word(maker) & 0xffff) << 16;
}

/* The next word of a command, as `how` it is written in the tables, and where that says nothing, by its name. */
static uint32_t make_word(struct maker *maker, char how, const char *name, size_t length)
{
    static const char *const words[] = {"swizzle", "most"};
    switch (how) {
    case 'f':
        return float_word(maker);
    case 's':
        return take(maker) < 240 ? maker->stage : any_word(maker);
    case 'p':
        return take(maker) % 16;
    case 'F':
        return format_word(maker);
    case 'm':
        return format_word(maker) | (uint32_t)(take(maker) % 10) << 24;
    case 'h':
        return take(maker) < 128 ? 0 : halves(maker);
    case 'b':
        return take(maker) < 128 ? 0 : any_word(maker);
    case 'x':
        for (unsigned n = 0; n < COUNT(words); n++)
            if (length == strlen(words[n]) && !strncmp(words[n], name, length)) return named_word(maker, name, length);
        return flags_word(maker);
    default:
        return named_word(maker, name, length);
    }
}

/* ---- commands ---- */

static const struct row {
    uint32_t number, least, most;
    const char *words;
} commands[] =
    {
#define COMMAND(number, name, least, most, waits, function, words) {number, least, most, words},
#include "../../src/virgl/commands.def"
#undef COMMAND
},
  objects[OBJECT_KINDS] = {
#define OBJECT(name, least, most, words) [OBJECT_##name] = {OBJECT_##name, least, most, words},
#include "../../src/virgl/objects.def"
#undef OBJECT
};

static void put(struct maker *maker, uint32_t word)
{
    if (maker->count < WORDS) maker->words[maker->count++] = word;
}

/* A command whose words are all known. */
static void say(struct maker *maker, uint32_t number, uint32_t kind, uint32_t count, const uint32_t *words)
{
    if (maker->count + count + 1 > WORDS) submit(maker);
    put(maker, count << 16 | kind << 8 | number);
    for (uint32_t n = 0; n < count; n++) put(maker, words[n]);
}
#define SAY(maker, name, kind, ...)                                                                                    \
    say((maker), SCH_VIRGL_##name, (kind), COUNT(((const uint32_t[]){__VA_ARGS__})), (const uint32_t[]){__VA_ARGS__})

/* How many words: the least, the most, or with more of those that come again. */
static uint32_t length_of(struct maker *maker, const struct row *row)
{
    const uint32_t room = row->most - row->least;
    if (!room) return row->least;
    const char *again = strchr(row->words, '|');
    uint32_t group = 1;
    for (const char *at = again; at && *at; at++) group += *at == ' ';
    const uint32_t more = room < 64 && !again ? take(maker) % (room + 1) : take(maker) % 5 * group;
    return row->least + (more < room ? more : room);
}

/* Words that say how many others there are do. */
static void mend(struct maker *maker, const struct row *row, uint32_t *words, uint32_t count)
{
    if (row->number == SCH_VIRGL_SET_FRAMEBUFFER_STATE && take(maker) < 240) words[0] = count - 2;
    if (row->number == SCH_VIRGL_RESOURCE_INLINE_WRITE && take(maker) < 192) {
        words[8] = (count - 11) * (uint32_t)sizeof *words;
        words[9] = words[10] = 1;
    }
}

static void make_command(struct maker *maker, const struct row *row, uint32_t number, uint32_t kind)
{
    const uint32_t count = length_of(maker, row);
    if (maker->count + count + 1 > WORDS) submit(maker);
    const uint32_t first = maker->count + 1;
    put(maker, count << 16 | kind << 8 | number);
    const char *at = row->words, *again = NULL;
    while (maker->count - first < count) {
        if (!*at && again) at = again;
        if (*at == '|') again = ++at;
        const size_t whole = strcspn(at, " "), length = strcspn(at, ": ");
        put(maker, make_word(maker, length < whole ? at[length + 1] : 0, at, length));
        at += whole + (at[whole] == ' ');
    }
    mend(maker, row, maker->words + first, count);
}

/* ---- shaders ---- */

static const char *const grid_texts[] = {
    "COMP\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL IMAGE[0], 2D, WR\nDCL CONST[0][0..1]\n"
    "DCL TEMP[0..1]\nIMM[0] UINT32 {4, 1, 0, 16}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
    "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].wwww, TEMP[0].xxxx\nLOAD TEMP[1], BUFFER[0], TEMP[0].xxxx\n"
    "ATOMUADD TEMP[1].x, BUFFER[0], TEMP[0].xxxx, IMM[0].yyyy\nADD TEMP[1], TEMP[1], CONST[0][1]\n"
    "STORE IMAGE[0], SV[0], TEMP[1], 2D\nEND\n",
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
    "DCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL HWATOMIC[0]\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"
    "IMM[0] UINT32 {4, 0, 1, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
    "STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\nBARRIER\nLOAD TEMP[1].x, MEMORY[0], IMM[0].yyyy\n"
    "ATOMUADD TEMP[1].y, HWATOMIC[0], IMM[0].yyyy, IMM[0].zzzz\nSTORE BUFFER[0].xy, TEMP[0].xxxx, TEMP[1]\nEND\n",
};

static const char *const lookup_texts[] = {
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0..3]\nDCL SVIEW[0], 2D, FLOAT\n"
    "DCL SVIEW[1], 3D, FLOAT\nDCL SVIEW[2], CUBE, FLOAT\nDCL SVIEW[3], 2D_ARRAY, FLOAT\nDCL TEMP[0..1]\n"
    "TEX TEMP[0], IN[0], SAMP[0], 2D\nTXL TEMP[1], IN[0], SAMP[1], 3D\nADD TEMP[0], TEMP[0], TEMP[1]\n"
    "TXB TEMP[1], IN[0], SAMP[2], CUBE\nADD TEMP[0], TEMP[0], TEMP[1]\nTEX TEMP[1], IN[0], SAMP[3], 2D_ARRAY\n"
    "ADD OUT[0], TEMP[0], TEMP[1]\nEND\n",
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0..1]\nDCL SVIEW[0], BUFFER, FLOAT\n"
    "DCL SVIEW[1], 2D_MSAA, FLOAT\nDCL CONST[1][0..15]\nDCL TEMP[0..1]\nF2I TEMP[0], IN[0]\n"
    "TXF TEMP[1], TEMP[0], SAMP[0], BUFFER\nTXF TEMP[0], TEMP[0], SAMP[1], 2D_MSAA\nADD TEMP[0], TEMP[0], TEMP[1]\n"
    "ADD OUT[0], TEMP[0], CONST[1][3]\nEND\n",
};

static const char *text_of(uint32_t stage, uint8_t which)
{
    static const struct {
        const char *const *texts;
        size_t count;
    } all[STAGES] = {[STAGE_VERTEX] = {vertex_texts, COUNT(vertex_texts)},
                     [STAGE_FRAGMENT] = {fragment_texts, COUNT(fragment_texts)},
                     [STAGE_GEOMETRY] = {geometry_texts, COUNT(geometry_texts)},
                     [STAGE_TESS_CTRL] = {control_texts, COUNT(control_texts) - 1}, /* the last is Direct3D's */
                     [STAGE_TESS_EVAL] = {evaluation_texts, COUNT(evaluation_texts) - 1},
                     [STAGE_COMPUTE] = {grid_texts, COUNT(grid_texts)}};
    const size_t more = stage == STAGE_FRAGMENT ? COUNT(lookup_texts) : 0, chosen = which % (all[stage].count + more);
    return chosen < all[stage].count ? all[stage].texts[chosen] : lookup_texts[chosen - all[stage].count];
}

/* A shader in one command, or in two; with `outputs` words of stream outputs. */
static void say_shader(struct maker *maker, uint32_t handle, const char *text, const uint32_t *outputs, uint32_t some,
                       bool in_parts)
{
    enum { HEADER = 5, TEXT = 1024 };
    const uint32_t bytes = (uint32_t)strlen(text) + 1, count = (bytes + 3) / 4, used = some ? 4 + 2 * some : 0;
    uint32_t words[HEADER + 12 + TEXT] = {handle, maker->stage, bytes, 0, some};
    if (count > TEXT) return;
    if (used) memcpy(words + HEADER, outputs, used * sizeof *words);
    const uint32_t now = in_parts ? count / 2 : count;
    memcpy(words + HEADER + used, text, now == count ? bytes : now * sizeof *words);
    say(maker, SCH_VIRGL_CREATE_OBJECT, OBJECT_SHADER, HEADER + used + now, words);
    if (now == count) return;
    uint32_t rest[HEADER + TEXT] = {handle, maker->stage, now * 4 | 1u << 31, 0, 0};
    memcpy(rest + HEADER, text + now * sizeof *rest, bytes - now * sizeof *rest);
    say(maker, SCH_VIRGL_CREATE_OBJECT, OBJECT_SHADER, HEADER + count - now, rest);
}

static void make_shader(struct maker *maker)
{
    uint32_t outputs[12] = {16, 16, 16, 16};
    const uint32_t handle = object_word(maker, OBJECT_SHADER), how = take(maker);
    const uint32_t some = how < 160 || maker->stage == STAGE_COMPUTE ? 0 : 1 + how % 4;
    for (uint32_t n = 0; n < some; n++) {
        const uint32_t form = take(maker);
        outputs[4 + 2 * n] = form < 200 ? n % 2 | 4u << 10 | (form % 4) << 13 : any_word(maker);
        outputs[5 + 2 * n] = form < 200 ? 0 : form % 4;
    }
    const char *text = text_of(maker->stage, take(maker));
    SAY(maker, DESTROY_OBJECT, OBJECT_SHADER, handle);
    say_shader(maker, handle, text, outputs, some, how % 8 == 1);
    if (how % 16 != 2) SAY(maker, BIND_SHADER, 0, handle, maker->stage);
}

/* ---- a scene ---- */

static void make_resource(struct maker *maker, uint32_t handle, const struct sch_virgl_resource_options *options)
{
    uint32_t memory[2 + FILLING / 4] = {handle, 0};
    const uint32_t attached[2] = {handle, 1 << 14};
    record(maker, SCH_VIRGL_RECORD_CREATE, &handle, sizeof handle, options, sizeof *options);
    record(maker, SCH_VIRGL_RECORD_ATTACH, attached, sizeof attached, NULL, 0);
    for (unsigned n = 0; n < FILLING / 4; n++) {
        const float value = (float)(n * 7 % 11) / 5 - 1;
        memcpy(&memory[2 + n], &value, sizeof value);
    }
    record(maker, SCH_VIRGL_RECORD_MEMORY, memory, sizeof memory, NULL, 0);
}

static void make_transfer(struct maker *maker, enum sch_virgl_record_kind kind, uint32_t resource, uint32_t width,
                          uint32_t height)
{
    const struct sch_virgl_record_transfer transfer = {.resource = resource, .box = {0, 0, 0, width, height, 1}};
    record(maker, kind, &transfer, sizeof transfer, NULL, 0);
}

static void make_resources(struct maker *maker)
{
    /* target, format, bind, width, height, depth, layers, last level, samples */
    static const struct sch_virgl_resource_options made[] = {{0, 64, 16, 512, 1, 1, 1, 0, 0},
                                                             {0, 64, 0x4000 | 64, 256, 1, 1, 1, 0, 0},
                                                             {0, 64, 0x2000, 64, 1, 1, 1, 0, 0},
                                                             {2, 67, 2 | 128, WINDOW_WIDTH, WINDOW_HEIGHT, 1, 1, 0, 0},
                                                             {2, 19, 1, WINDOW_WIDTH, WINDOW_HEIGHT, 1, 1, 0, 0},
                                                             {7, 67, 2 | 8, 16, 16, 1, 5, 2, 0},
                                                             {3, 28, 2 | 8, 8, 8, 5, 1, 1, 0},
                                                             {2, 67, 2 | 8, 16, 16, 1, 1, 0, 4},
                                                             {4, 105, 8, 16, 16, 1, 6, 2, 0},
                                                             {2, 31, 2 | 8, 33, 17, 1, 1, 0, 0}};
    for (uint32_t n = 0; n < COUNT(made); n++) make_resource(maker, n + 1, &made[n]);
    for (uint32_t n = 1; n <= BUFFERS; n++) make_transfer(maker, SCH_VIRGL_RECORD_PUT, n, made[n - 1].width, 1);
}

/* A surface of each kind of resource, and views of them. */
static void make_surfaces(struct maker *maker)
{
    enum { SURFACE = OBJECT_SURFACE * PER_KIND + 1, VIEW = OBJECT_SAMPLER_VIEW * PER_KIND + 1, PLAIN = 0x688 };
    SAY(maker, CREATE_OBJECT, OBJECT_SURFACE, SURFACE, WINDOW, 67, 0, 0);
    SAY(maker, CREATE_OBJECT, OBJECT_SURFACE, SURFACE + 1, 5, 19, 0, 0);
    SAY(maker, CREATE_OBJECT, OBJECT_SURFACE, SURFACE + 2, 6, 67, 1, 4u << 16);
    SAY(maker, CREATE_OBJECT, OBJECT_SURFACE, SURFACE + 3, 8, 67, 0, 0);
    SAY(maker, SET_FRAMEBUFFER_STATE, 0, 1, SURFACE + 1, SURFACE);
    SAY(maker, CREATE_OBJECT, OBJECT_SAMPLER_VIEW, VIEW, 10, 31 | 2u << 24, 0, 0, PLAIN);
    SAY(maker, CREATE_OBJECT, OBJECT_SAMPLER_VIEW, VIEW + 1, 7, 28 | 3u << 24, 0, 1u << 8, PLAIN);
    SAY(maker, CREATE_OBJECT, OBJECT_SAMPLER_VIEW, VIEW + 2, 9, 105 | 4u << 24, 5u << 16, 2u << 8, PLAIN);
    SAY(maker, CREATE_OBJECT, OBJECT_SAMPLER_VIEW, VIEW + 3, 6, 67 | 7u << 24, 4u << 16, 0, PLAIN);
    SAY(maker, SET_SAMPLER_VIEWS, 0, STAGE_FRAGMENT, 0, VIEW, VIEW + 1, VIEW + 2, VIEW + 3);
}

static void make_states(struct maker *maker)
{
    enum { ONE = 0x3f800000, ALL = 0x78000000, SAMPLER = OBJECT_SAMPLER_STATE * PER_KIND + 1 };
    const uint32_t x = 0x41840000, y = 0x41080000; /* 16.5, 8.5 */
    SAY(maker, CREATE_OBJECT, OBJECT_BLEND, 5, 0, 0, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL);
    SAY(maker, BIND_OBJECT, OBJECT_BLEND, 5);
    SAY(maker, CREATE_OBJECT, OBJECT_RASTERIZER, 9, 0x20000002, ONE, 0, 0, ONE, 0, 0, 0);
    SAY(maker, BIND_OBJECT, OBJECT_RASTERIZER, 9);
    SAY(maker, CREATE_OBJECT, OBJECT_DSA, 13, 0, 0, 0, 0);
    SAY(maker, BIND_OBJECT, OBJECT_DSA, 13);
    SAY(maker, CREATE_OBJECT, OBJECT_VERTEX_ELEMENTS, 21, 0, 0, 0, 31, 16, 0, 0, 31);
    SAY(maker, BIND_OBJECT, OBJECT_VERTEX_ELEMENTS, 21);
    SAY(maker, SET_VERTEX_BUFFERS, 0, 32, 0, 1);
    SAY(maker, SET_VIEWPORT_STATE, 0, 0, x, y, ONE, x, y, 0);
    SAY(maker, CREATE_OBJECT, OBJECT_SAMPLER_STATE, SAMPLER, 0, 0, 0, ONE, 0, 0, 0, 0);
    SAY(maker, BIND_SAMPLER_STATES, 0, STAGE_FRAGMENT, 0, SAMPLER, SAMPLER, SAMPLER, SAMPLER);
    SAY(maker, SET_SHADER_BUFFERS, 0, STAGE_COMPUTE, 0, 0, 256, 2);
    SAY(maker, SET_SHADER_BUFFERS, 0, STAGE_FRAGMENT, 0, 0, 256, 2);
    SAY(maker, SET_SHADER_IMAGES, 0, STAGE_COMPUTE, 0, 67, 3, 0, 0, WINDOW);
    SAY(maker, SET_ATOMIC_BUFFERS, 0, 0, 0, 64, 3);
    SAY(maker, SET_INDEX_BUFFER, 0, 3, 2, 0);
    SAY(maker, CREATE_OBJECT, OBJECT_QUERY, OBJECT_QUERY * PER_KIND + 1, 0, 0, 3);
    SAY(maker, CREATE_OBJECT, OBJECT_STREAMOUT_TARGET, OBJECT_STREAMOUT_TARGET * PER_KIND + 1, 2, 0, 256);
}

static void make_scene(struct maker *maker)
{
    static const uint32_t stages[] = {STAGE_VERTEX, STAGE_FRAGMENT, STAGE_COMPUTE};
    make_resources(maker);
    make_surfaces(maker);
    make_states(maker);
    for (unsigned n = 0; n < COUNT(stages); n++) {
        maker->stage = stages[n];
        say_shader(maker, SHADERS + stages[n] * PER_KIND, text_of(stages[n], 0), NULL, 0, false);
        SAY(maker, BIND_SHADER, 0, SHADERS + stages[n] * PER_KIND, stages[n]);
    }
    submit(maker);
}

/* ---- steps ---- */

/* An object takes the place of the one with its handle. */
static void make_object(struct maker *maker)
{
    maker->kind = 1 + take(maker) % (OBJECT_KINDS - 1);
    if (maker->kind == OBJECT_SHADER) {
        make_shader(maker);
        return;
    }
    const uint32_t at = maker->count, room = WORDS - 512;
    if (at > room) submit(maker);
    SAY(maker, DESTROY_OBJECT, maker->kind, 0);
    const uint32_t destroyed = maker->count - 1;
    make_command(maker, &objects[maker->kind], SCH_VIRGL_CREATE_OBJECT, maker->kind);
    maker->words[destroyed] = maker->words[destroyed + 2];
    if (maker->kind == OBJECT_BLEND || maker->kind == OBJECT_RASTERIZER || maker->kind == OBJECT_DSA ||
        maker->kind == OBJECT_VERTEX_ELEMENTS)
        SAY(maker, BIND_OBJECT, maker->kind, maker->words[destroyed]);
}

static void make_any(struct maker *maker)
{
    const struct row *row = &commands[take(maker) % COUNT(commands)];
    maker->kind = row->number == SCH_VIRGL_BIND_SHADER ? (uint32_t)OBJECT_SHADER : take(maker) % OBJECT_KINDS;
    if (row->number == SCH_VIRGL_CREATE_OBJECT)
        make_object(maker);
    else
        make_command(maker, row, row->number, maker->kind);
}

static void make_draw(struct maker *maker)
{
    const uint32_t count = take(maker) % 48, mode = take(maker), instances = 1 + take(maker) % 3;
    SAY(maker, DRAW_VBO, 0, 0, count, mode % 15, mode >> 7, instances, 0, 0, 0, 0, 0, UINT32_MAX, 0, 1 + mode % 5, 0);
}

static void make_record(struct maker *maker, uint8_t what)
{
    const uint32_t handle = 1 + take(maker) % RESOURCES;
    submit(maker);
    if (what % 4 == 0) {
        const uint32_t target = take(maker) % 9, side = 1 + take(maker) % 40;
        const bool flat = target == 0 || target == 1 || target == 6;
        const struct sch_virgl_resource_options options = {.target = target,
                                                           .format = format_word(maker),
                                                           .bind = flags_word(maker),
                                                           .width = side,
                                                           .height = flat ? 1 : side,
                                                           .depth = target == 3 ? 1 + take(maker) % 6 : 1,
                                                           .layers =
                                                               target == 4 || target == 8 ? 6 : 1 + take(maker) % 4,
                                                           .last_level = take(maker) % 4,
                                                           .samples = take(maker) % 5};
        record(maker, SCH_VIRGL_RECORD_DESTROY, &handle, sizeof handle, NULL, 0);
        make_resource(maker, handle, &options);
    } else if (what % 4 == 1) {
        record(maker, SCH_VIRGL_RECORD_DESTROY, &handle, sizeof handle, NULL, 0);
    } else {
        uint32_t words[11] = {handle};
        for (unsigned n = 1; n < COUNT(words); n++) words[n] = n == 5 || n == 6 || n == 7 ? 1 : 0;
        for (unsigned n = take(maker) % 4; n; n--) words[1 + take(maker) % 10] = any_word(maker);
        record(maker, what % 4 == 2 ? SCH_VIRGL_RECORD_PUT : SCH_VIRGL_RECORD_GET, words, sizeof words, NULL, 0);
    }
}

static void make_step(struct maker *maker)
{
    const uint8_t what = take(maker);
    maker->stage = what % STAGES;
    if (what < 64)
        make_object(maker);
    else if (what < 96)
        make_draw(maker);
    else if (what < 232)
        make_any(maker);
    else
        make_record(maker, what);
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    const struct sch_virgl_record_header header = {.name = "SCHVIRGL", .version = SCH_VIRGL_RECORDING_VERSION};
    struct maker *maker = calloc(1, sizeof *maker);
    const char *finding = NULL;
    if (maker && (maker->bytes = malloc(MOST))) {
        maker->at = data;
        maker->end = data + bytes;
        memcpy(maker->bytes, &header, sizeof header);
        maker->used = sizeof header;
        make_scene(maker);
        for (unsigned n = 0; n < STEPS && maker->at < maker->end; n++) make_step(maker);
        submit(maker);
        make_transfer(maker, SCH_VIRGL_RECORD_GET, WINDOW, WINDOW_WIDTH, WINDOW_HEIGHT);
        finding = sch_fuzz_recording(maker->bytes, maker->used);
        free(maker->bytes);
    }
    free(maker);
    return finding;
}

SCH_FUZZ_TARGET
