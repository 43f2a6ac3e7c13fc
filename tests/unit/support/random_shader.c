/* See random_shader.h. A shader is a list of lines, an instruction each. Lines that the validator refuses are taken
 * out, until it refuses none; those of the structure (IF, loops, subroutines) it must take. */
#include "random_shader.h"

#include <stdio.h>
#include <string.h>

#include "../tgsi/tgsi_support.h"
#include "ir/check.h"
#include "isa/isa.h"

enum {
    UNITS = 4,
    TEMPS = 8,
    ARRAY_END = 14,
    MOST_LOOPS = 12,
    SCRATCH = 14,
    HANDLES = 15,
    FIRST_COUNTER = 16,
    SUM = FIRST_COUNTER + MOST_LOOPS
};

static unsigned below(struct random_shader *s, unsigned limit)
{
    return (unsigned)((random_number(&s->seed) >> 32) % limit);
}
static bool one_in(struct random_shader *s, unsigned n) { return below(s, n) == 0; }

/* ---- lines ---- */

__attribute__((format(printf, 3, 4))) static struct random_shader_line *add(struct random_shader *s, bool fixed,
                                                                            const char *format, ...)
{
    assert_true(s->line_count < RANDOM_SHADER_LINES);
    struct random_shader_line *line = &s->lines[s->line_count++];
    *line = (struct random_shader_line){.fixed = fixed, .calls = -1, .begins = -1};
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line->text, sizeof line->text, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, RANDOM_SHADER_LINE - 1);
    return line;
}

__attribute__((format(printf, 2, 3))) static void declare(struct random_shader *s, const char *format, ...)
{
    size_t used = strlen(s->head);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(s->head + used, sizeof s->head - used, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof s->head - used - 1);
    for (const char *at = s->head + used; *at; at++) s->head_lines += *at == '\n';
}

/* ---- declarations ---- */

static void declare_stage(struct random_shader *s)
{
    static const char *const names[] = {
        [SCH_STAGE_FRAGMENT] = "FRAG",       [SCH_STAGE_VERTEX] = "VERT",         [SCH_STAGE_GEOMETRY] = "GEOM",
        [SCH_STAGE_TESS_CTRL] = "TESS_CTRL", [SCH_STAGE_TESS_EVAL] = "TESS_EVAL", [SCH_STAGE_COMPUTE] = "COMP"};
    declare(s, "%s\n", names[s->stage]);
    if (one_in(s, 4)) declare(s, "PROPERTY %s 1\n", one_in(s, 2) ? "D3D_RULES" : "LEGACY_MATH_RULES");
    switch (s->stage) {
    case SCH_STAGE_FRAGMENT:
        declare(s,
                "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], LINEAR\nDCL IN[2], GENERIC[2], CONSTANT\n"
                "DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL SV[0], SAMPLEID\nDCL SV[1], FACE\n");
        break;
    case SCH_STAGE_VERTEX:
        declare(s, "DCL IN[0..2]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL SV[0], VERTEXID\nDCL SV[1], "
                   "INSTANCEID\n");
        break;
    case SCH_STAGE_GEOMETRY:
        declare(s, "PROPERTY GS_INPUT_PRIMITIVE LINES_ADJACENCY\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
                   "PROPERTY GS_MAX_OUTPUT_VERTICES 8\nPROPERTY GS_INVOCATIONS 1\nDCL IN[][0], POSITION\n"
                   "DCL IN[][1], GENERIC[0]\nDCL IN[][2], GENERIC[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                   "DCL SV[0], INVOCATIONID\nDCL SV[1], PRIM_ID\n");
        break;
    case SCH_STAGE_TESS_CTRL:
        declare(
            s,
            "PROPERTY TCS_VERTICES_OUT %u\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL IN[][2], "
            "GENERIC[1]\nDCL OUT[][0], GENERIC[0]\nDCL OUT[1], PATCH\nDCL SV[0], INVOCATIONID\nDCL SV[1], PRIM_ID\n",
            4 + 4 * below(s, 2));
        break;
    case SCH_STAGE_TESS_EVAL:
        declare(s, "PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nPROPERTY TES_VERTEX_ORDER_CW 0\nPROPERTY "
                   "TES_POINT_MODE 0\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\nDCL IN[2], PATCH\n"
                   "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL SV[0], TESSCOORD\nDCL SV[1], PRIM_ID\n");
        break;
    default:
        declare(s,
                "PROPERTY CS_FIXED_BLOCK_WIDTH %u\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\n",
                one_in(s, 3) ? 64 : 70);
        break;
    }
}

/* The same for all shaders of a pool; all targets take turns. */
static unsigned unit_target(const struct random_shader *s, unsigned unit)
{
    return (s->pool * UNITS + unit) * 5 % SCH_TARGET_UNKNOWN;
}

static const char *target_word(unsigned target) { return sch_word_by_number(SCH_WORDS_TARGET, target)->word; }

static void declare_resources(struct random_shader *s)
{
    for (unsigned u = 0; u < UNITS; u++) {
        declare(s, "DCL SAMP[%u]\n", u);
        declare(s, "DCL SVIEW[%u], %s, %s\n", u, target_word(unit_target(s, u)), u % 3 == 2 ? "UINT" : "FLOAT");
    }
    declare(s,
            "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL IMAGE[1], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\n"
            "DCL IMAGE[2], BUFFER, PIPE_FORMAT_R32G32B32A32_FLOAT, WR\n"
            "DCL RES[1], BUFFER, RAW, WR\nDCL RES[4], 2D\nDCL CONSTBUF[0..1]\nDCL BUFFER[0..2]\nDCL "
            "HWATOMIC[0][0..7]\nDCL CONST[0][0..15]\nDCL CONST[1][0..15]\nDCL TEMP[0..7]\n"
            "DCL TEMP[8..13], ARRAY(1)\nDCL TEMP[14..%u]\nDCL ADDR[0..1]\n",
            SUM);
    declare(s,
            "IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] FLT32 {0.5, -1.5, 3.0, 0.0}\nIMM[2] UINT32 {60, 4, 7, 5}\n"
            "IMM[3] UINT32 {%u, %u, 2143289344, 4286578688}\nIMM[4] INT32 {-1, -8, 31, 2147483647}\n",
            (unsigned)random_number(&s->seed), (unsigned)random_number(&s->seed));
}

/* ---- operands ---- */

struct operand {
    char text[80];
};

static const char *swizzle(struct random_shader *s)
{
    static const char *const all[] = {"",      "",      "",      ".xxxx", ".yyyy", ".wzyx",
                                      ".zzww", ".xyxy", ".yxwz", ".zwxy", ".wwwx"};
    return all[below(s, sizeof all / sizeof *all)];
}

static bool has_vertices(const struct random_shader *s, unsigned input)
{
    if (s->stage == SCH_STAGE_TESS_EVAL) return input < 2;
    return s->stage == SCH_STAGE_GEOMETRY || s->stage == SCH_STAGE_TESS_CTRL;
}

static struct operand input(struct random_shader *s)
{
    struct operand o;
    unsigned number = below(s, 3);
    if (s->stage == SCH_STAGE_COMPUTE)
        snprintf(o.text, sizeof o.text, "SV[%u]", below(s, 2));
    else if (!has_vertices(s, number))
        snprintf(o.text, sizeof o.text, "IN[%u]", number);
    else if (one_in(s, 3))
        snprintf(o.text, sizeof o.text, "IN[ADDR[0].x][%u]", number);
    else
        snprintf(o.text, sizeof o.text, "IN[%u][%u]", below(s, 4), number);
    return o;
}

/* One that was written, mostly: what nothing wrote is zero, of which compilers make little. */
static struct operand temporary(struct random_shader *s)
{
    struct operand o;
    unsigned number = below(s, TEMPS);
    for (unsigned n = 0; n < 4 && !s->written[number]; n++) number = below(s, TEMPS);
    if (!s->written[number] && !one_in(s, 4)) return input(s);
    snprintf(o.text, sizeof o.text, "TEMP[%u]", number);
    return o;
}

static struct operand register_read(struct random_shader *s)
{
    struct operand o;
    unsigned kind = below(s, 16);
    if (kind < 7 || (kind == 7 && !s->indexes))
        return temporary(s);
    else if (kind == 7)
        snprintf(o.text, sizeof o.text, "TEMP[ADDR[%u].%c+%u](1)", below(s, 2), "xyzw"[below(s, 4)], 8 + below(s, 3));
    else if (kind == 8)
        snprintf(o.text, sizeof o.text, "CONST[%u][%u]", below(s, 2), below(s, 16));
    else if (kind == 9)
        snprintf(o.text, sizeof o.text, "CONST[1][ADDR[0].%c+%u]", "xyzw"[below(s, 4)], below(s, 4));
    else if (kind == 10)
        snprintf(o.text, sizeof o.text, "SV[%u]", below(s, 2));
    else if (kind == 11)
        snprintf(o.text, sizeof o.text, "TEMP[%u]", 8 + below(s, 6));
    else if (kind == 12)
        snprintf(o.text, sizeof o.text, "%s",
                 s->stage == SCH_STAGE_COMPUTE     ? "TEMP[9]"
                 : s->stage == SCH_STAGE_TESS_CTRL ? (one_in(s, 2) ? "OUT[ADDR[0].x][0]" : "OUT[1]")
                 : one_in(s, 2)                    ? "OUT[0]"
                                                   : "OUT[1]");
    else if (kind < 14)
        snprintf(o.text, sizeof o.text, "IMM[%u]", below(s, 5));
    else
        o = input(s);
    return o;
}

/* `type`: a letter of the signature. */
static struct operand source(struct random_shader *s, char type)
{
    struct operand plain = register_read(s), o;
    bool modified = (type == 'F' || type == 'I' || type == 'D' || type == 'X' || type == 'L') && one_in(s, 3);
    static const char *const modifiers[][2] = {{"-", ""}, {"|", "|"}, {"-|", "|"}};
    const char *const *around = modifiers[below(s, 3)];
    snprintf(o.text, sizeof o.text, "%s%.60s%s%s", modified ? around[0] : "", plain.text, swizzle(s),
             modified ? around[1] : "");
    return o;
}

enum { MASKS = 10 };

/* Code is made channel by channel, so most destinations of the small shaders are one. */
static const char *destination_mask(struct random_shader *s)
{
    static const char *const few[MASKS] = {".x", ".y", ".z", ".w", ".x", ".y", ".z", ".w", ".xz", ""};
    static const char *const many[MASKS] = {"", "", ".x", ".y", ".xy", ".zw", ".xyz", ".w", ".xz", ".yzw"};
    return (s->size == RANDOM_LARGE ? many : few)[below(s, MASKS)];
}

/* The destination of a temporary, which is noted. */
static struct operand write_temporary(struct random_shader *s, unsigned number, const char *mask)
{
    struct operand o;
    snprintf(o.text, sizeof o.text, "TEMP[%u]%s", number, mask);
    for (const char *c = *mask ? mask + 1 : "xyzw"; *c; c++) s->written[number] |= 1u << (strchr("xyzw", *c) - "xyzw");
    return o;
}

static struct operand destination_with(struct random_shader *s, const char *mask)
{
    struct operand o;
    unsigned kind = below(s, 12);
    if (kind < 9 || (kind == 9 && !s->indexes)) return write_temporary(s, below(s, TEMPS), mask);
    if (kind == 9) {
        for (unsigned t = TEMPS; t < ARRAY_END; t++) write_temporary(s, t, mask);
        snprintf(o.text, sizeof o.text, "TEMP[ADDR[%u].%c+8](1)%s", below(s, 2), "xyzw"[below(s, 4)], mask);
    } else if (s->stage == SCH_STAGE_COMPUTE)
        return write_temporary(s, TEMPS + below(s, ARRAY_END - TEMPS), mask);
    else if (s->stage == SCH_STAGE_TESS_CTRL && one_in(s, 2))
        snprintf(o.text, sizeof o.text, "OUT[ADDR[1].x][0]%s", mask);
    else
        snprintf(o.text, sizeof o.text, "OUT[%u]%s", below(s, 2), mask);
    return o;
}

static struct operand destination(struct random_shader *s) { return destination_with(s, destination_mask(s)); }

/* ---- instructions ---- */

/* No opcode has this number or a greater one. Another bound draws other programs from the same seeds, so it does not
 * follow the room that there is for opcodes. */
enum { OPCODES = 272 };

/* The opcodes that `wanted` likes: one of them. */
static const struct sch_op_info *any_opcode(struct random_shader *s, bool (*wanted)(const struct sch_op_info *))
{
    for (;;) {
        const struct sch_op_info *info = sch_op_info(below(s, OPCODES));
        if (info && info->name && wanted(info)) return info;
    }
}

static bool is_arithmetic(const struct sch_op_info *info) { return SCH_SHAPE_IS_ARITHMETIC(info->shape); }
static bool is_lookup(const struct sch_op_info *info) { return info->shape == SCH_SHAPE_TEX; }
static bool is_atomic(const struct sch_op_info *info) { return info->shape == SCH_SHAPE_ATOMIC; }
static bool is_lane(const struct sch_op_info *info) { return info->shape == SCH_SHAPE_LANE; }

/* Results of 64 bits want pairs of channels. */
static bool makes_pairs(const struct sch_op_info *info)
{
    return info->shape == SCH_SHAPE_COMP64 || info->shape == SCH_SHAPE_WIDEN64 || info->shape == SCH_SHAPE_FRACEXP;
}

static void add_arithmetic(struct random_shader *s)
{
    const struct sch_op_info *info = any_opcode(s, is_arithmetic);
    static const char *const suffixes[] = {"", "", "", "", "_SAT", "_PRECISE", "_SAT_PRECISE"};
    static const char *const pairs[] = {".xy", ".zw", ".xy", ""};
    char text[RANDOM_SHADER_LINE];
    bool address = info->opcode == SCH_OP_ARL || info->opcode == SCH_OP_ARR || info->opcode == SCH_OP_UARL;
    int at = snprintf(text, sizeof text, "%s%s ", info->name, address ? "" : suffixes[below(s, 7)]);
    for (unsigned d = 0; d < info->dsts; d++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%s", d ? ", " : "",
                       address             ? (one_in(s, 2) ? "ADDR[0]" : "ADDR[1].xz")
                       : makes_pairs(info) ? destination_with(s, pairs[below(s, 4)]).text
                                           : destination(s).text);
    for (unsigned n = 0; n < info->srcs && at < (int)sizeof text; n++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%s", n || info->dsts ? ", " : "",
                       source(s, info->src_type[n]).text);
    if (at < (int)sizeof text) add(s, false, "%s", text);
}

/* An address register with numbers that mostly fit. */
static void add_address(struct random_shader *s)
{
    add(s, false, "AND TEMP[%u], %s, IMM[%s", SCRATCH, source(s, 'U').text, one_in(s, 2) ? "0].wwzy" : "2].zzww");
    add(s, false, "UARL ADDR[%u], TEMP[%u]", below(s, 2), SCRATCH);
}

static void add_lookup(struct random_shader *s)
{
    const struct sch_op_info *info = any_opcode(s, is_lookup);
    while (!(info->flags & SCH_OPF_SAMPLE) == s->samples) info = any_opcode(s, is_lookup);
    unsigned unit = below(s, UNITS), registers = 0;
    bool handle = !s->samples && one_in(s, 6);
    char text[RANDOM_SHADER_LINE];
    if (handle) add(s, false, "SAMP2HND TEMP[%u], SAMP[%u], %s", HANDLES, unit, target_word(unit_target(s, unit)));
    int at = snprintf(text, sizeof text, "%s%s %s", info->name, one_in(s, 8) ? "_SAT" : "", destination(s).text);
    for (unsigned n = 0; n < info->srcs && at < (int)sizeof text; n++) {
        char place[32];
        bool resource = info->src_type[n] == 'R';
        snprintf(place, sizeof place, "%s[%u]", s->samples && resource && registers++ == 0 ? "SVIEW" : "SAMP", unit);
        if (handle) snprintf(place, sizeof place, "TEMP[%u]", HANDLES);
        at +=
            snprintf(text + at, sizeof text - (size_t)at, ", %s", resource ? place : source(s, info->src_type[n]).text);
    }
    if (!s->samples && at < (int)sizeof text)
        at += snprintf(text + at, sizeof text - (size_t)at, ", %s", target_word(unit_target(s, unit)));
    if (one_in(s, 4) && at < (int)sizeof text)
        at += snprintf(text + at, sizeof text - (size_t)at, ", IMM[%u].xyz", one_in(s, 2) ? 0u : 4u);
    if (at < (int)sizeof text) add(s, false, "%s", text);
}

/* Memory, and what stands behind the operands that name it. */
struct memory_place {
    const char *name, *tail;
};

static struct memory_place memory(struct random_shader *s)
{
    static const struct memory_place places[] = {
        {"BUFFER[0]", ""},
        {"BUFFER[1]", ""},
        {"BUFFER[2]", ""},
        {"BUFFER[0]", ""},
        {"BUFFER[ADDR[0].x]", ""},
        {"RES[1]", ""},
        {"RES[4]", ""},
        {"CONSTBUF[1]", ""},
        {"IMAGE[0]", ", 2D, PIPE_FORMAT_R32_UINT"},
        {"IMAGE[1]", ", 2D, PIPE_FORMAT_R8G8B8A8_UNORM"},
        {"IMAGE[2]", ", BUFFER, PIPE_FORMAT_R32G32B32A32_FLOAT"},
        {"IMAGE[0]", ", 2D, PIPE_FORMAT_R32_UINT"},
        {"MEMORY[0]", ""},
        {"MEMORY[1]", ""},
        {"MEMORY[0]", ""},
    };
    enum { ALL = sizeof places / sizeof *places, OF_COMPUTE = 3 };
    struct memory_place place = places[below(s, s->stage == SCH_STAGE_COMPUTE ? ALL : ALL - OF_COMPUTE)];
    if (!*place.tail || !one_in(s, 4)) return place;
    add(s, false, "IMG2HND TEMP[%u], %s, %.*s", HANDLES, place.name, (int)strcspn(place.tail + 2, ","), place.tail + 2);
    place.name = "TEMP[15]";
    return place;
}

static void add_memory(struct random_shader *s)
{
    static const char *const masks[] = {"", ".x", ".xy", ".xyz"};
    const struct memory_place at = memory(s);
    const char *place = at.name, *tail = at.tail;
    struct operand address = source(s, 'U'), a = source(s, 'U'), b = source(s, 'U'), to = destination(s);
    if (!one_in(s, 4)) {
        add(s, false, "AND TEMP[%u], %s, IMM[2]%s", SCRATCH, address.text, one_in(s, 2) ? ".xxxx" : ".zzzz");
        snprintf(address.text, sizeof address.text, "TEMP[%u]%s", SCRATCH, one_in(s, 2) ? ".xxxx" : "");
    }
    switch (below(s, 6)) {
    case 0:
    case 1:
        add(s, false, "LOAD %s, %s, %s%s", to.text, place, address.text, tail);
        break;
    case 2:
        add(s, false, "STORE %s%s, %s, %s%s", place, masks[below(s, 4)], address.text, a.text, tail);
        break;
    case 3:
        add(s, false, "RESQ %s, %s%s", to.text, place, tail);
        break;
    case 4:
        if (one_in(s, 2)) place = "HWATOMIC[0][2]", tail = "";
        /* fallthrough */
    default: {
        const struct sch_op_info *info = any_opcode(s, is_atomic);
        bool four = info->srcs == 4;
        add(s, false, "%s %s, %s, %s, %s%s%s%s", info->name, to.text, place, address.text, a.text, four ? ", " : "",
            four ? b.text : "", tail);
    }
    }
}

static void add_lane(struct random_shader *s)
{
    const struct sch_op_info *info = any_opcode(s, is_lane);
    struct operand to = destination(s), a = source(s, 'U'), b = source(s, 'U');
    add(s, false, "%s %s%s%s%s%s", info->name, to.text, info->srcs > 0 ? ", " : "", info->srcs > 0 ? a.text : "",
        info->srcs > 1 ? ", " : "", info->srcs > 1 ? b.text : "");
}

static void add_special(struct random_shader *s)
{
    struct operand to = destination(s), a = source(s, 'F'), b = source(s, 'F');
    switch (s->stage) {
    case SCH_STAGE_GEOMETRY:
        add(s, false, "%s IMM[0].%s", one_in(s, 3) ? "ENDPRIM" : "EMIT", one_in(s, 5) ? "yyyy" : "xxxx");
        return;
    case SCH_STAGE_FRAGMENT:
        switch (below(s, 7)) {
        case 0:
            add(s, false, "KILL_IF %s", a.text);
            return;
        case 1:
            add(s, false, "INTERP_CENTROID %s, IN[%u]", to.text, below(s, 3));
            return;
        case 2:
            add(s, false, "INTERP_SAMPLE %s, IN[%u], %s", to.text, below(s, 3), b.text);
            return;
        case 3:
            add(s, false, "INTERP_OFFSET %s, IN[%u], %s", to.text, below(s, 3), b.text);
            return;
        case 4:
            add(s, false, "%s", one_in(s, 6) ? "KILL" : "DEMOTE");
            return;
        case 5:
            add(s, false, "FBFETCH %s, OUT[%u]", to.text, below(s, 2));
            return;
        default:
            add(s, false, "READ_HELPER %s", to.text);
            return;
        }
    default:
        add(s, false, "MEMBAR IMM[%u].xxxx", below(s, 4));
        return;
    }
}

static void add_simple(struct random_shader *s)
{
    unsigned what = below(s, 20);
    if (what < 11)
        add_arithmetic(s);
    else if (what < 12)
        add_address(s);
    else if (what < 14)
        add_lookup(s);
    else if (what < 16)
        add_memory(s);
    else if (what < 17)
        add_lane(s);
    else if (what < 18)
        add_special(s);
    else if (what == 18)
        add_arithmetic(s);
    else if (one_in(s, 40))
        add(s, false, "ABORT");
    else
        add(s, false, "NOP");
}

/* ---- structure ---- */

struct place {
    unsigned depth, function;
    bool in_loop, in_switch;
    bool together; /* all invocations that have not ended are here, unless a jump parted them */
};

static void add_list(struct random_shader *s, struct place place, unsigned statements);

static void add_branch(struct random_shader *s, struct place place)
{
    bool integer = one_in(s, 2);
    place.together = false;
    add(s, true, "%s %s", integer ? "UIF" : "IF", source(s, integer ? 'U' : 'F').text);
    add_list(s, place, 4);
    if (one_in(s, 2)) {
        add(s, true, "ELSE");
        add_list(s, place, 4);
    }
    add(s, true, "ENDIF");
}

static void add_loop(struct random_shader *s, struct place place)
{
    unsigned counter = FIRST_COUNTER + s->loops++;
    place.in_loop = true;
    place.in_switch = false;
    place.together = place.together && one_in(s, 2);
    struct operand begin = source(s, 'U');
    if (place.together) strcpy(begin.text, "IMM[0].zzzz");
    add(s, true, "AND TEMP[%u].x, %s, IMM[0].%s", counter, begin.text, one_in(s, 3) ? "wwww" : "yyyy");
    add(s, true, "BGNLOOP");
    add(s, true, "USGE TEMP[%u].y, TEMP[%u].xxxx, IMM[0].wwww", counter, counter);
    add(s, true, "UIF TEMP[%u].yyyy", counter);
    add(s, true, "BRK");
    add(s, true, "ENDIF");
    add(s, true, "UADD TEMP[%u].x, TEMP[%u].xxxx, IMM[0].yyyy", counter, counter);
    add_list(s, place, 5);
    add(s, true, "ENDLOOP");
}

static void add_switch(struct random_shader *s, struct place place)
{
    place.in_switch = true;
    place.together = false;
    unsigned labels = 1 + below(s, 4), fallback = below(s, 6);
    add(s, false, "AND TEMP[%u].x, %s, IMM[0].wwww", SCRATCH, source(s, 'U').text);
    add(s, true, "SWITCH TEMP[%u].xxxx", SCRATCH);
    for (unsigned n = 0; n < labels; n++) {
        if (n == fallback)
            add(s, true, "DEFAULT");
        else
            add(s, true, "CASE IMM[0].%s", (const char *[]){"xxxx", "yyyy", "zzzz", "wwww"}[n]);
        if (!one_in(s, 4)) add_list(s, place, 3);
        if (!one_in(s, 3)) add(s, true, "BRK");
    }
    add(s, true, "ENDSWITCH");
}

static void add_jump(struct random_shader *s, struct place place)
{
    if (place.in_loop && one_in(s, 2))
        add(s, true, "CONT");
    else if (place.in_loop || place.in_switch)
        add(s, true, "BRK");
    else if (place.depth && one_in(s, 3))
        add(s, true, "RET");
}

static void add_call(struct random_shader *s, struct place place)
{
    unsigned callee = place.function + below(s, RANDOM_SHADER_SUBROUTINES - place.function);
    add(s, true, "CAL")->calls = (int)callee;
    s->called[callee] = true;
}

static void add_list(struct random_shader *s, struct place place, unsigned statements)
{
    static const uint8_t depths[RANDOM_SIZES] = {2, 3, 5, 5};
    place.depth++;
    for (unsigned n = 1 + below(s, statements); n > 0 && s->left > 0; n--, s->left--) {
        unsigned what = below(s, s->size == RANDOM_TINY ? 21 : 14); /* few of them have constructs */
        bool room = s->line_count < RANDOM_SHADER_LINES - 150 && place.depth < depths[s->size];
        if (what < 2 && room)
            add_branch(s, place);
        else if (what == 2 && room && s->loops < (s->size < RANDOM_MIDDLE ? 2 : MOST_LOOPS))
            add_loop(s, place);
        else if (what == 3 && room)
            add_switch(s, place);
        else if (what == 4 && place.function < RANDOM_SHADER_SUBROUTINES && room && s->subroutines)
            add_call(s, place);
        else if (what == 5)
            add_jump(s, place);
        else if (what == 6 && place.together && place.in_loop)
            add(s, false, "BARRIER");
        else if (s->line_count < RANDOM_SHADER_LINES - 80)
            add_simple(s);
    }
}

/* What is left in registers shows in outputs, or in memory: of most that are written all channels are in the sum. */
static void add_sum(struct random_shader *s)
{
    static const char *const masks[] = {"",   ".x",  ".y",  ".xy",  ".z",  ".xz",  ".yz",  ".xyz",
                                        ".w", ".xw", ".yw", ".xyw", ".zw", ".xzw", ".yzw", ".xyzw"};
    unsigned all = 0;
    for (unsigned t = 0; t < ARRAY_END; t++) {
        if (!s->written[t] || one_in(s, t < TEMPS ? 5 : 2)) continue;
        add(s, false, "XOR TEMP[%u]%s, TEMP[%u], TEMP[%u]", SUM, masks[s->written[t]], SUM, t);
        all |= s->written[t];
    }
    if (s->stage != SCH_STAGE_COMPUTE) {
        if (all) add(s, false, "MOV OUT[%u]%s, TEMP[%u]", below(s, 2), masks[all], SUM);
        return;
    }
    for (unsigned c = 1; c < 4; c++)
        if (all >> c & 1)
            add(s, false, "XOR TEMP[%u].x, TEMP[%u], TEMP[%u].%.4s", SUM, SUM, SUM, &"xxxxyyyyzzzzwwww"[4 * c]);
    add(s, false, "SHL TEMP[%u].x, SV[0].xxxx, IMM[0].zzzz", SCRATCH);
    add(s, false, "ATOMXOR TEMP[14].y, BUFFER[%u], TEMP[14].xxxx, TEMP[%u].xxxx", below(s, 3), SUM);
}

static void add_outputs(struct random_shader *s)
{
    for (unsigned o = 0; o < 2; o++)
        for (unsigned c = 0; c < 4; c++)
            if (one_in(s, s->size < RANDOM_MIDDLE ? 16 : 2))
                add(s, false, "XOR OUT[%u].%c, TEMP[%u].xxxx, TEMP[%u].wzyx", o, "xyzw"[c], below(s, TEMPS),
                    below(s, TEMPS));
}

/* Compiling costs what it costs for each instruction, so that many programs are small ones. */
static void choose_size(struct random_shader *s)
{
    static const uint8_t least[RANDOM_SIZES] = {1, 4, 10, 255}, range[RANDOM_SIZES] = {2, 5, 16, 1};
    unsigned turn = below(s, 4000);
    s->size = turn < 1 ? RANDOM_LARGE : turn < 40 ? RANDOM_MIDDLE : turn < 160 ? RANDOM_SMALL : RANDOM_TINY;
    s->left = least[s->size] + (int)below(s, range[s->size]);
}

static void add_subroutines(struct random_shader *s)
{
    for (unsigned f = 0; f < RANDOM_SHADER_SUBROUTINES; f++) {
        if (!s->subroutines || (!s->called[f] && s->size < RANDOM_MIDDLE && !one_in(s, 20))) continue;
        if (s->size != RANDOM_LARGE) s->left = 1 + (int)below(s, 3);
        add(s, true, "BGNSUB")->begins = (int)f;
        add_list(s, (struct place){.function = f + 1}, 4);
        add(s, true, "ENDSUB");
    }
}

static void add_body(struct random_shader *s)
{
    choose_size(s);
    for (unsigned t = 0; t < TEMPS; t++)
        if (s->size == RANDOM_LARGE ? !one_in(s, 4) : one_in(s, 16))
            add(s, false, "MOV %s, %s", write_temporary(s, t, destination_mask(s)).text, input(s).text);
    unsigned phases = s->stage == SCH_STAGE_COMPUTE || s->stage == SCH_STAGE_TESS_CTRL ? 1 + below(s, 3) : 1;
    const int share = (s->left + (int)phases - 1) / (int)phases;
    for (unsigned phase = 0; phase < phases; phase++) {
        s->left = share;
        if (phase) add(s, false, "BARRIER");
        add_list(s, (struct place){.together = phases > 1}, 16);
    }
    add_sum(s);
    if (s->stage != SCH_STAGE_COMPUTE) add_outputs(s);
    if (s->stage == SCH_STAGE_GEOMETRY) add(s, false, "EMIT IMM[0].xxxx");
    add(s, true, "END");
    add_subroutines(s);
}

/* ---- the text ---- */

static void print(struct random_shader *s)
{
    unsigned begins[RANDOM_SHADER_SUBROUTINES] = {0};
    for (unsigned n = 0; n < s->line_count; n++)
        if (s->lines[n].begins >= 0) begins[s->lines[n].begins] = n;
    size_t at = strlen(s->head);
    memcpy(s->text, s->head, at);
    for (unsigned n = 0; n < s->line_count; n++) {
        const struct random_shader_line *line = &s->lines[n];
        char call[32];
        snprintf(call, sizeof call, "CAL :%u", line->calls >= 0 ? begins[line->calls] : 0);
        const char *text = line->calls >= 0 ? call : line->text;
        size_t length = strlen(text);
        assert_true(at + length + 2 < sizeof s->text);
        memcpy(s->text + at, text, length);
        s->text[at + length] = '\n';
        at += length + 1;
    }
    s->text[at] = 0;
}

/* Takes out what is refused; false: nothing is. A parser stops at its first error, the validator lists many. */
static bool take_out(struct random_shader *s)
{
    struct reading reading = read_string(s->text);
    bool drop[RANDOM_SHADER_LINES] = {0}, any = false;
    if (reading.shader) sch_ir_check(reading.shader, &reading.diagnostics);
    for (size_t i = 0; i < reading.diagnostics.count; i++) {
        const struct sch_diagnostic *d = &reading.diagnostics.items[i];
        if (d->severity != SCH_SEVERITY_ERROR) continue;
        unsigned line = d->position.line;
        unsigned n = line - s->head_lines - 1;
        if (line <= s->head_lines || n >= s->line_count || s->lines[n].fixed)
            fail_msg("line %u: %s: %s", line, d->message, n < s->line_count ? s->lines[n].text : s->text);
        drop[n] = any = true;
    }
    release(&reading);
    unsigned kept = 0;
    for (unsigned n = 0; n < s->line_count; n++)
        if (!drop[n]) s->lines[kept++] = s->lines[n];
    s->line_count = kept;
    return any;
}

void random_shader_make(struct random_shader *shader, uint64_t number)
{
    static const uint8_t stages[] = {SCH_STAGE_FRAGMENT, SCH_STAGE_COMPUTE,   SCH_STAGE_VERTEX,    SCH_STAGE_FRAGMENT,
                                     SCH_STAGE_GEOMETRY, SCH_STAGE_TESS_CTRL, SCH_STAGE_TESS_EVAL, SCH_STAGE_COMPUTE};
    *shader = (struct random_shader){
        .seed = number * 0x9e3779b97f4a7c15u + 1,
        .stage = stages[number % 8],
        .pool = (unsigned)(number / RANDOM_SHADER_CHUNK * RANDOM_SHADER_POOLS + number / 8 % RANDOM_SHADER_POOLS)};
    shader->samples = one_in(shader, 2);
    shader->indexes = one_in(shader, 2);
    shader->subroutines = one_in(shader, 2);
    declare_stage(shader);
    declare_resources(shader);
    add_body(shader);
    do print(shader);
    while (take_out(shader));
}
