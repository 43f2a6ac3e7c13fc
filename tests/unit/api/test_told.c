/* What the library tells about shaders and about its own tables: counts, registers, properties, forms of instructions,
 * stages. Expected values are read off the texts and the specification's tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../maxwell/maxwell_group.h"
#include "../support/api_program.h"
#include "../support/counting.h"
#include "../support/explained.h"
#include "api/api.h"

/* ---- shaders ---- */

static void shaders_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct sch_shader_info wanted;
    } rows[] = {
        {"COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 4\nPROPERTY CS_FIXED_BLOCK_DEPTH 2\n"
         "DCL SV[0..2], THREAD_ID\nDCL BUFFER[3]\nDCL BUFFER[1]\nDCL IMAGE[0..4], 2D, PIPE_FORMAT_R32_UINT, WR\n"
         "DCL TEMP[0..6]\nDCL TEMP[1]\nDCL MEMORY[0], SHARED\nIMM[0] UINT32 {1, 2, 3, 4}\nMOV TEMP[0], SV[0]\nEND\n",
         {.stage = SCH_STAGE_COMPUTE,
          .instructions = 2,
          .declarations = 7,
          .immediates = 1,
          .properties = 3,
          .system_values = 3,
          .temporaries = 7,
          .images = 5,
          .buffers = 4,
          .block = {8, 4, 2},
          .floats = SCH_FLOAT_TEXT_SOURCE}},
        {"FRAG\nDCL IN[2], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL SAMP[0..2]\n"
         "DCL SVIEW[0..1], 2D, FLOAT\nDCL CONST[0..7]\nDCL CONST[4][0..2]\nIMM[0] FLT32 {0.5, 1, 2, 3}\n"
         "IMM[1] FLT32 {0.5, 1, 2, 3}\nMOV OUT[0], IN[2]\nEND\n",
         {.stage = SCH_STAGE_FRAGMENT,
          .instructions = 2,
          .declarations = 7,
          .immediates = 2,
          .inputs = 3,
          .outputs = 2,
          .samplers = 3,
          .sampler_views = 2,
          .constant_buffers = 5,
          .floats = SCH_FLOAT_TEXT_DECIMAL}},
        {"VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL CONST[0..7]\nIMM[0] FLT32 {0x3f000000, 0x00000000, 0x00000000, "
         "0x00000000}\n"
         "MOV OUT[0], IN[0]\nEND\n",
         {.stage = SCH_STAGE_VERTEX,
          .instructions = 2,
          .declarations = 3,
          .immediates = 1,
          .inputs = 1,
          .outputs = 1,
          .constant_buffers = 1,
          .floats = SCH_FLOAT_TEXT_HEX}},
        {"FRAG\nDCL CONSTBUF[2]\nEND\n",
         {.stage = SCH_STAGE_FRAGMENT, .instructions = 1, .declarations = 1, .constant_buffers = 3}},
    };
    struct sch_context *context = api_context();
    uint64_t hashes[sizeof rows / sizeof *rows];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_shader *shader = api_shader(context, rows[i].text);
        struct sch_shader_info info;
        memset(&info, 0xa5, sizeof info);
        info.size = sizeof info;
        assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
        hashes[i] = info.hash;
        for (size_t k = 0; k < i; k++) assert_true(hashes[k] != hashes[i]);
        assert_int_equal(info.stage, rows[i].wanted.stage);
        assert_int_equal(info.instructions, rows[i].wanted.instructions);
        assert_int_equal(info.declarations, rows[i].wanted.declarations);
        assert_int_equal(info.immediates, rows[i].wanted.immediates);
        assert_int_equal(info.properties, rows[i].wanted.properties);
        assert_int_equal(info.inputs, rows[i].wanted.inputs);
        assert_int_equal(info.outputs, rows[i].wanted.outputs);
        assert_int_equal(info.system_values, rows[i].wanted.system_values);
        assert_int_equal(info.temporaries, rows[i].wanted.temporaries);
        assert_int_equal(info.samplers, rows[i].wanted.samplers);
        assert_int_equal(info.sampler_views, rows[i].wanted.sampler_views);
        assert_int_equal(info.images, rows[i].wanted.images);
        assert_int_equal(info.buffers, rows[i].wanted.buffers);
        assert_int_equal(info.constant_buffers, rows[i].wanted.constant_buffers);
        assert_memory_equal(info.block, rows[i].wanted.block, sizeof info.block);
        assert_int_equal(info.floats, rows[i].wanted.floats);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* tgsi.rst: PATCH, TESSOUTER and TESSINNER belong to the patch; other inputs and outputs to each of its vertices. */
static void registers_are_listed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][1..2], GENERIC[5]\nDCL OUT[][0], POSITION\n"
         "DCL OUT[3], PATCH[2]\nDCL OUT[4], TESSOUTER\nDCL OUT[5], TESSINNER\nDCL SV[0], INVOCATIONID\nEND\n"),
        "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], GENERIC[0]\nDCL IN[1], PATCH\nDCL OUT[0], POSITION\nEND\n",
        ("GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
         "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nEND\n"),
        "FRAG\nDCL IN[0], COLOR[1], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SV[2], FACE\nEND\n"};
    static const struct {
        uint8_t text;
        enum sch_file file;
        uint32_t position;
        uint32_t index, semantic_index;
        const char *name; /* NULL: there is none */
        bool per_vertex;
    } rows[] = {{0, SCH_FILE_INPUT, 0, 1, 5, "GENERIC", true},
                {0, SCH_FILE_INPUT, 1, 2, 6, "GENERIC", true},
                {0, SCH_FILE_INPUT, 2, 0, 0, NULL, false},
                {0, SCH_FILE_OUTPUT, 0, 0, 0, "POSITION", true},
                {0, SCH_FILE_OUTPUT, 1, 3, 2, "PATCH", false},
                {0, SCH_FILE_OUTPUT, 2, 4, 0, "TESSOUTER", false},
                {0, SCH_FILE_OUTPUT, 3, 5, 0, "TESSINNER", false},
                {0, SCH_FILE_OUTPUT, 4, 0, 0, NULL, false},
                {0, SCH_FILE_SYSTEM_VALUE, 0, 0, 0, "INVOCATIONID", false},
                {1, SCH_FILE_INPUT, 0, 0, 0, "GENERIC", true},
                {1, SCH_FILE_INPUT, 1, 1, 0, "PATCH", false},
                {1, SCH_FILE_OUTPUT, 0, 0, 0, "POSITION", false},
                {2, SCH_FILE_INPUT, 0, 0, 0, "POSITION", true},
                {2, SCH_FILE_OUTPUT, 0, 0, 0, "POSITION", false},
                {3, SCH_FILE_INPUT, 0, 0, 1, "COLOR", false},
                {3, SCH_FILE_OUTPUT, 0, 0, 0, "COLOR", false},
                {3, SCH_FILE_SYSTEM_VALUE, 0, 2, 0, "FACE", false},
                {3, SCH_FILE_SYSTEM_VALUE, 1, 0, 0, NULL, false},
                {3, SCH_FILE_TEMPORARY, 0, 0, 0, NULL, false}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_shader *shader = api_shader(context, texts[rows[i].text]);
        struct sch_register_info info = {.size = sizeof info};
        bool told = sch_shader_register(shader, rows[i].file, rows[i].position, &info);
        if (told != (rows[i].name != NULL)) fail_msg("row %zu", i);
        if (told) {
            assert_int_equal(info.index, rows[i].index);
            assert_int_equal(info.semantic_index, rows[i].semantic_index);
            assert_string_equal(info.semantic_name, rows[i].name);
            assert_true(info.semantic >= 0);
            if (info.per_vertex != rows[i].per_vertex) fail_msg("row %zu", i);
        }
        sch_shader_destroy(shader);
    }
    struct sch_shader *shader = api_shader(context, "VERT\nDCL IN[4]\nEND\n");
    struct sch_register_info info = {.size = sizeof info};
    assert_true(sch_shader_register(shader, SCH_FILE_INPUT, 0, &info));
    assert_int_equal(info.index, 4);
    assert_int_equal(info.semantic, -1);
    assert_string_equal(info.semantic_name, "");
    sch_shader_destroy(shader);
    shader = api_shader(context, texts[0]);
    assert_int_equal(sch_shader_property(shader, "TCS_VERTICES_OUT", 9), 3);
    assert_int_equal(sch_shader_property(shader, "TES_PRIM_MODE", 9), 9);
    assert_int_equal(sch_shader_property(shader, "NO_PROPERTY", 7), 7);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* The hash is FNV-1a of the tokens, low byte first; a changed bit anywhere changes it. */
static void hashes_are_fnv(void **state)
{
    (void)state;
    static const char *const texts[] = {"FRAG\nEND\n", "VERT\nEND\n",
                                        "FRAG\nIMM[0] UINT32 {1, 2, 3, 4294967295}\nEND\n"};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sch_shader *shader = api_shader(context, texts[i]);
        struct sch_shader_info info = {.size = sizeof info};
        uint32_t *words;
        size_t count;
        uint64_t hash = UINT64_C(14695981039346656037);
        assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
        assert_int_equal(sch_shader_tokens(shader, NULL, &words, &count), SCH_OK);
        for (size_t w = 0; w < count; w++)
            for (unsigned byte = 0; byte < 4; byte++)
                hash = (hash ^ (words[w] >> 8 * byte & 0xff)) * UINT64_C(1099511628211);
        assert_true(info.hash == hash);
        sch_free(context, words);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* ---- tables ---- */

/* Rows of each table, whole: what tgsi.rst, the class headers and docs/maxwell.md say. */
static void opcodes_have_rows(void **state)
{
    (void)state;
    static const struct sch_opcode_info opcodes[] = {{.name = "ARL",
                                                      .section = "Core ISA",
                                                      .title = "Address Register Load",
                                                      .signature = "I_F",
                                                      .number = 0,
                                                      .destinations = 1,
                                                      .sources = 1,
                                                      .flags = ""},
                                                     {.name = "DP3",
                                                      .section = "Core ISA",
                                                      .title = "3-component Dot Product",
                                                      .signature = "F_FF",
                                                      .number = 9,
                                                      .destinations = 1,
                                                      .sources = 2,
                                                      .flags = "canonical-nan legacy-math fused"},
                                                     {.name = "MIN",
                                                      .section = "Core ISA",
                                                      .title = "Minimum",
                                                      .signature = "F_FF",
                                                      .number = 12,
                                                      .destinations = 1,
                                                      .sources = 2,
                                                      .flags = "canonical-nan d3d-rules"},
                                                     {.name = "TXD",
                                                      .section = "Core ISA",
                                                      .title = "Texture Lookup with Derivatives",
                                                      .signature = "X_FFFR",
                                                      .number = 53,
                                                      .destinations = 1,
                                                      .sources = 4,
                                                      .flags = "texture"},
                                                     {.name = "KILL_IF",
                                                      .section = "Core ISA",
                                                      .title = "Conditional Discard",
                                                      .signature = "N_F",
                                                      .number = 116,
                                                      .destinations = 0,
                                                      .sources = 1,
                                                      .flags = "fragment-only"},
                                                     {.name = "EMIT",
                                                      .section = "Geometry ISA",
                                                      .title = "Emit",
                                                      .signature = "N_U",
                                                      .number = 97,
                                                      .destinations = 0,
                                                      .sources = 1,
                                                      .flags = "geometry-only"},
                                                     {.name = "CAL",
                                                      .section = "GLSL ISA",
                                                      .title = "Subroutine Call",
                                                      .signature = "N_N",
                                                      .number = 63,
                                                      .destinations = 0,
                                                      .sources = 0,
                                                      .flags = "branch"},
                                                     {.name = "SAMPLE",
                                                      .section = "Resource Sampling Opcodes",
                                                      .title = "Sample a Texture",
                                                      .signature = "X_FRR",
                                                      .number = 145,
                                                      .destinations = 1,
                                                      .sources = 3,
                                                      .flags = "derivative sample"},
                                                     {.name = "BARRIER",
                                                      .section = "Inter-thread synchronization opcodes",
                                                      .title = "Thread group barrier",
                                                      .signature = "N_N",
                                                      .number = 166,
                                                      .destinations = 0,
                                                      .sources = 0,
                                                      .flags = "barrier"},
                                                     {.name = "ATOMUADD",
                                                      .section = "Atomic opcodes",
                                                      .title = "Atomic integer addition",
                                                      .signature = "U_RIU",
                                                      .number = 167,
                                                      .destinations = 1,
                                                      .sources = 3,
                                                      .flags = "memory store atomic"},
                                                     {.name = "VOTE_ANY",
                                                      .section = "Inter-lane opcodes",
                                                      .title = "Value is set in any of the active invocations",
                                                      .signature = "U_U",
                                                      .number = 223,
                                                      .destinations = 1,
                                                      .sources = 1,
                                                      .flags = "cross-lane"}};
    struct sch_opcode_info opcode = {.size = sizeof opcode};
    unsigned found = 0;
    for (size_t row = 0; sch_table_opcode(row, &opcode); row++)
        for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
            if (strcmp(opcodes[i].name, opcode.name)) continue;
            found++;
            assert_string_equal(opcode.section, opcodes[i].section);
            assert_string_equal(opcode.title, opcodes[i].title);
            assert_string_equal(opcode.signature, opcodes[i].signature);
            assert_string_equal(opcode.flags, opcodes[i].flags);
            assert_int_equal(opcode.number, opcodes[i].number);
            assert_int_equal(opcode.destinations, opcodes[i].destinations);
            assert_int_equal(opcode.sources, opcodes[i].sources);
        }
    assert_int_equal(found, sizeof opcodes / sizeof *opcodes);
}

static void names_and_limits_have_rows(void **state)
{
    (void)state;
    static const struct {
        enum sch_name_table table;
        size_t row;
        const char *name, *word, *type, *doc;
    } names[] = {{SCH_NAMES_PROPERTIES, 2, "GS_MAX_OUTPUT_VERTICES", "GS_MAX_OUTPUT_VERTICES", "UINT",
                  "vertices that one invocation may emit"},
                 {SCH_NAMES_FORMATS, 1, "R64_UINT", "R64_UINT", "x001", "up64"},
                 {SCH_NAMES_TARGETS, 2, "2D", "2D", "", "two-dimensional"},
                 {SCH_NAMES_FILES, 2, "INPUT", "IN", "", "inputs of the stage"},
                 {SCH_NAMES_SEMANTICS, 9, "PRIMID", "PRIM_ID", "integer", "primitive id in x"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sch_name_info name = {.size = sizeof name};
        assert_true(sch_table_name(names[i].table, names[i].row, &name));
        assert_string_equal(name.name, names[i].name);
        assert_string_equal(name.word, names[i].word);
        assert_string_equal(name.type, names[i].type);
        assert_string_equal(name.doc, names[i].doc);
        assert_int_equal(name.number, names[i].row);
    }

    static const struct {
        const char *name;
        uint64_t fallback, most;
    } limits[] = {{"source_bytes", 268435456, SIZE_MAX}, {"instructions", 262144, UINT32_MAX},
                  {"declarations", 65536, UINT32_MAX},   {"nesting", 1024, UINT32_MAX},
                  {"registers", 65536, UINT32_MAX},      {"diagnostics", 100, UINT32_MAX},
                  {"memory", 1073741824, SIZE_MAX},      {"context_memory", 2147483648, SIZE_MAX}};
    struct sch_limit_info limit = {.size = sizeof limit};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        assert_true(sch_table_limit(i, &limit));
        assert_string_equal(limit.name, limits[i].name);
        assert_true(limit.fallback == limits[i].fallback && limit.most == limits[i].most);
    }
}

static void facts_of_maxwell_have_rows(void **state)
{
    (void)state;
    static const struct sch_maxwell_info facts[] = {
        {.operation = "TLD4",
         .form = "TLD4",
         .kind = "field",
         .name = "paramA",
         .bits = "30:28",
         .text = "0 1D, 1 ARRAY_1D, 2 2D, 3 ARRAY_2D, 4 3D, 5 ARRAY_3D, 6 CUBE, 7 ARRAY_CUBE"},
        {.operation = "TMML",
         .form = "TMML",
         .kind = "word",
         .name = "sm_50",
         .bits = "",
         .text = "df58000000000000 in the bits fff8000000000000"}};
    struct sch_maxwell_info fact = {.size = sizeof fact};
    unsigned found = 0;
    for (size_t row = 0; sch_table_maxwell(row, &fact); row++)
        for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
            if (strcmp(facts[i].form, fact.form) || strcmp(facts[i].kind, fact.kind) ||
                strcmp(facts[i].name, fact.name))
                continue;
            found++;
            assert_string_equal(fact.operation, facts[i].operation);
            assert_string_equal(fact.bits, facts[i].bits);
            assert_string_equal(fact.text, facts[i].text);
        }
    assert_int_equal(found, sizeof facts / sizeof *facts);
}

/* The facts of a name are those of the whole table that have it for an operation or a form, in the same order. */
static void maxwell_facts_are_found_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"TEX", "tex.b", "TEXS", "LDG", "nop", "FFMA.B", "TE", ""};
    static const size_t least[] = {20, 5, 10, 3, 3, 0, 0, 0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sch_maxwell_info row = {.size = sizeof row}, fact = {.size = sizeof fact};
        size_t count = 0;
        for (size_t index = 0; sch_table_maxwell(index, &row); index++) {
            if (strcasecmp(row.operation, names[i]) != 0 && strcasecmp(row.form, names[i]) != 0) continue;
            assert_true(sch_table_maxwell_named(names[i], count++, &fact));
            assert_memory_equal(&fact, &row, sizeof row);
        }
        assert_true(count >= least[i]);
        assert_false(sch_table_maxwell_named(names[i], count, &fact));
    }
}

static void instructions_have_forms(void **state)
{
    (void)state;
    static const struct {
        const char *name, *form, *example, *of_image;
    } rows[] = {
        {"NOP", "NOP", "NOP", ""},
        {"MOV", "MOV dst, src", "MOV TEMP[0], IN[0]", ""},
        {"ADD", "ADD dst, src0, src1", "ADD TEMP[0], IN[0], IN[0]", ""},
        {"MAD", "MAD dst, src0, src1, src2", "MAD TEMP[0], IN[0], IN[0], IN[0]", ""},
        {"BFI", "BFI dst, src0, src1, src2, src3", "BFI TEMP[0], IN[0], IN[0], IN[0], IN[0]", ""},
        {"DFRACEXP", "DFRACEXP dst0, dst1, src", "DFRACEXP TEMP[0], TEMP[1], IN[0]", ""},
        {"ARL", "ARL dst, src", "ARL ADDR[0], IN[0]", ""},
        {"ARR", "ARR dst, src", "ARR ADDR[0], IN[0]", ""},
        {"UARL", "UARL dst, src", "UARL ADDR[0], IN[0]", ""},
        {"KILL_IF", "KILL_IF src", "KILL_IF IN[0]", ""},
        {"IF", "IF src [:label]", "IF IN[0] :0", ""},
        {"UIF", "UIF src [:label]", "UIF IN[0] :0", ""},
        {"CASE", "CASE src", "CASE IMM[0].xxxx", ""},
        {"EMIT", "EMIT src", "EMIT IMM[0].xxxx", ""},
        {"ENDPRIM", "ENDPRIM src", "ENDPRIM IMM[0].xxxx", ""},
        {"MEMBAR", "MEMBAR src", "MEMBAR IMM[0].xxxx", ""},
        {"SWITCH", "SWITCH src", "SWITCH IN[0]", ""},
        {"TEX", "TEX dst, src0, SAMP[#], TARGET [, offset]", "TEX TEMP[0], IN[0], SAMP[0], 2D", ""},
        {"TG4", "TG4 dst, src0, src1, SAMP[#], TARGET [, offset] (one or four)",
         "TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[0], 2D", ""},
        {"TXD", "TXD dst, src0, src1, src2, SAMP[#], TARGET [, offset]",
         "TXD TEMP[0], IN[0], IN[0], IN[0], SAMP[0], 2D", ""},
        {"SAMPLE", "SAMPLE dst, src0, SVIEW[#], SAMP[#] [, offset]", "SAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0]", ""},
        {"RESQ", "RESQ dst, IMAGE[#]|BUFFER[#]|RES[#] [, QUALIFIER]... [, TARGET] [, FORMAT]",
         "RESQ TEMP[0], BUFFER[0]", "RESQ TEMP[0], IMAGE[0], 2D, PIPE_FORMAT_R32_UINT"},
        {"STORE", "STORE IMAGE[#]|BUFFER[#]|MEMORY[#]|RES[#], src0, src1 [, QUALIFIER]... [, TARGET] [, FORMAT]",
         "STORE BUFFER[0], IN[0], IN[0]", "STORE IMAGE[0], IN[0], IN[0], 2D, PIPE_FORMAT_R32_UINT"},
        {"LOAD",
         "LOAD dst, IMAGE[#]|BUFFER[#]|MEMORY[#]|CONSTBUF[#]|HWATOMIC[#]|RES[#], src1 [, QUALIFIER]... [, TARGET] "
         "[, FORMAT]",
         "LOAD TEMP[0], BUFFER[0], IN[0]", "LOAD TEMP[0], IMAGE[0], IN[0], 2D, PIPE_FORMAT_R32_UINT"},
        {"ATOMUADD",
         "ATOMUADD dst, IMAGE[#]|BUFFER[#]|MEMORY[#]|HWATOMIC[#]|RES[#], src1, src2 [, QUALIFIER]... [, TARGET] "
         "[, FORMAT]",
         "ATOMUADD TEMP[0], BUFFER[0], IN[0], IN[0]",
         "ATOMUADD TEMP[0], IMAGE[0], IN[0], IN[0], 2D, PIPE_FORMAT_R32_UINT"},
    };
    unsigned found = 0;
    struct sch_opcode_info opcode = {.size = sizeof opcode};
    struct sch_opcode_form_info form = {.size = sizeof form};
    for (size_t row = 0; sch_table_opcode(row, &opcode); row++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            if (strcmp(rows[i].name, opcode.name)) continue;
            found++;
            assert_true(sch_table_opcode_form(row, &form));
            assert_string_equal(form.form, rows[i].form);
            assert_string_equal(form.example[0], rows[i].example);
            assert_string_equal(form.example[1], rows[i].of_image);
        }
    assert_int_equal(found, sizeof rows / sizeof *rows);
    assert_false(sch_table_opcode_form(0, NULL));
}

/* Every example is what it says: text that is read as an instruction of that opcode. */
static void examples_are_read(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_opcode_form_info form = {.size = sizeof form};
    for (size_t row = 0; sch_table_opcode_form(row, &form); row++)
        for (unsigned e = 0; e < 2 && *form.example[e]; e++) {
            char text[512];
            struct sch_shader *shader = NULL;
            struct sch_shader_info info = {.size = sizeof info};
            snprintf(text, sizeof text, "FRAG\nIMM[0] UINT32 {0, 0, 0, 0}\n%s\n", form.example[e]);
            if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) fail_msg("%s", text);
            assert_int_equal(sch_shader_get_info(shader, &info), SCH_OK);
            assert_int_equal(info.instructions, 1);
            sch_shader_destroy(shader);
        }
    sch_context_destroy(context);
}

static void words_have_forms(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *word, *form;
    } rows[] = {{"stage", "FRAG", "FRAG, the first word of the text"},
                {"interpolation", "PERSPECTIVE", "DCL IN[0], GENERIC[0], PERSPECTIVE"},
                {"location", "CENTROID", "DCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID"},
                {"memory kind", "SHARED", "DCL MEMORY[0], SHARED"},
                {"memory qualifier", "COHERENT", "LOAD TEMP[0], BUFFER[0], IN[0], COHERENT"},
                {"return type", "UNORM", "DCL SVIEW[0], 2D, UNORM"},
                {"immediate type", "FLT32", "IMM[0] FLT32 {0, 0, 0, 0}"},
                {"immediate type", "UINT32", "IMM[0] UINT32 {0, 0, 0, 0}"},
                {"immediate type", "FLT64", "IMM[0] FLT64 {0, 0}"},
                {"immediate type", "UINT64", "IMM[0] UINT64 {0, 0}"},
                {"immediate type", "INT64", "IMM[0] INT64 {0, 0}"},
                {"primitive", "TRIANGLES", "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLES"},
                {"origin", "LOWER_LEFT", "PROPERTY FS_COORD_ORIGIN LOWER_LEFT"},
                {"pixel centre", "INTEGER", "PROPERTY FS_COORD_PIXEL_CENTER INTEGER"},
                {"statement", "IMM", "IMM[0] FLT32 {0.0, 0.5, 1.0, 2.0}"}};
    unsigned found = 0;
    struct sch_keyword_info word = {.size = sizeof word};
    for (size_t row = 0; sch_table_keyword(row, &word); row++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (!strcmp(rows[i].kind, word.kind) && !strcmp(rows[i].word, word.word)) {
                found++;
                assert_string_equal(word.form, rows[i].form);
            }
    assert_int_equal(found, sizeof rows / sizeof *rows);
    assert_false(sch_table_keyword(0, NULL));
}

static void semantics_have_stages(void **state)
{
    (void)state;
    static const struct {
        const char *word, *type, *input, *output, *system_value, *produced;
    } rows[] = {
        {"POSITION", "float", "VERT TESS_CTRL TESS_EVAL GEOM FRAG", "VERT TESS_CTRL TESS_EVAL GEOM FRAG", "FRAG", ""},
        {"BCOLOR", "float", "", "VERT TESS_CTRL TESS_EVAL GEOM", "", "TESS_CTRL TESS_EVAL GEOM"},
        {"FACE", "float", "FRAG", "", "FRAG", ""},
        {"EDGEFLAG", "float", "VERT", "VERT", "", ""},
        {"THREAD_ID", "integer", "", "", "COMP", ""},
        {"CLIPDIST", "float", "all", "all", "", ""},
        {"SUBGROUP_SIZE", "integer", "", "", "all", ""},
        {"INVOCATIONID", "integer", "", "", "GEOM", "TESS_CTRL"},
        {"VIEWPORT_INDEX", "integer", "FRAG", "VERT TESS_EVAL GEOM", "", ""}};
    static const struct {
        const char *word, *stages;
    } properties[] = {
        {"GS_INPUT_PRIMITIVE", "GEOM"},    {"FS_COORD_ORIGIN", "FRAG"},    {"VS_PROHIBIT_UCPS", "VERT TESS_EVAL GEOM"},
        {"TCS_VERTICES_OUT", "TESS_CTRL"}, {"TES_PRIM_MODE", "TESS_EVAL"}, {"CS_FIXED_BLOCK_WIDTH", "COMP"},
        {"NUM_CLIPDIST_ENABLED", "all"}};
    struct sch_stages_info stages = {.size = sizeof stages};
    struct sch_name_info name = {.size = sizeof name};
    unsigned found = 0;
    for (size_t row = 0; sch_table_name(SCH_NAMES_SEMANTICS, row, &name); row++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            if (strcmp(rows[i].word, name.word)) continue;
            found++;
            assert_true(sch_table_stages(SCH_NAMES_SEMANTICS, row, &stages));
            assert_string_equal(name.type, rows[i].type);
            assert_string_equal(stages.input, rows[i].input);
            assert_string_equal(stages.output, rows[i].output);
            assert_string_equal(stages.system_value, rows[i].system_value);
            assert_string_equal(stages.produced, rows[i].produced);
            assert_string_equal(stages.property, "");
        }
    assert_int_equal(found, sizeof rows / sizeof *rows);
    for (size_t row = 0; sch_table_name(SCH_NAMES_PROPERTIES, row, &name); row++)
        for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
            if (strcmp(properties[i].word, name.word)) continue;
            found++;
            assert_true(sch_table_stages(SCH_NAMES_PROPERTIES, row, &stages));
            assert_string_equal(stages.property, properties[i].stages);
            assert_string_equal(stages.input, "");
        }
    assert_int_equal(found, sizeof rows / sizeof *rows + sizeof properties / sizeof *properties);
}

/* Fields of each encoding, as clb097tex.h places them. */
static void header_fields_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *name, *versions, *bits, *value, *fallback, *meaning, *words;
    } rows[] = {
        {"ADDRESS", "BLOCKLINEAR BLOCKLINEAR_COLOR_KEY", "63:41, 79:64", "multiple of 512", "0x0",
         "of layer 0, level 0: a multiple of 512", ""},
        {"ADDRESS", "PITCH_COLOR_KEY PITCH", "63:37, 79:64", "multiple of 32", "0x0",
         "of the first row: a multiple of 32", ""},
        {"ADDRESS", "ONE_D_BUFFER", "63:32, 79:64", "number", "0x0", "of the first element", ""},
        {"GOBS_PER_BLOCK_WIDTH", "BLOCKLINEAR BLOCKLINEAR_COLOR_KEY", "98:96", "power of two", "1", "1 only", ""},
        {"WIDTH", "PITCH_COLOR_KEY PITCH BLOCKLINEAR BLOCKLINEAR_COLOR_KEY", "143:128", "number, from 1", "1",
         "texels of level 0", ""},
        {"WIDTH", "ONE_D_BUFFER", "143:128, 111:96", "number, from 1", "1", "elements", ""},
        {"MIN_LOD_CLAMP", "PITCH BLOCKLINEAR", "247:236", "U4.8", "0.0",
         "the least level of detail, from the first level seen", ""},
        {"ADDRESS_U", "SAMPLER", "2:0", "word", "WRAP", "what coordinates outside the texture read",
         "WRAP=0 MIRROR=1 CLAMP_TO_EDGE=2 BORDER=3 CLAMP_OGL=4 MIRROR_ONCE_CLAMP_TO_EDGE=5 MIRROR_ONCE_BORDER=6 "
         "MIRROR_ONCE_CLAMP_OGL=7"},
        {"MIP_LOD_BIAS", "SAMPLER", "56:44", "S5.8", "0.0", "added to the level of detail", ""},
        {"BORDER_COLOR_G", "SAMPLER", "191:160", "float", "0.0", "G", ""}};
    struct sch_header_field_info view = {.size = sizeof view};
    unsigned found = 0;
    for (size_t row = 0; sch_table_header_field(row, &view); row++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            if (strcmp(view.name, rows[i].name) || strcmp(view.versions, rows[i].versions)) continue;
            found++;
            assert_string_equal(view.bits, rows[i].bits);
            assert_string_equal(view.value, rows[i].value);
            assert_string_equal(view.fallback, rows[i].fallback);
            assert_string_equal(view.meaning, rows[i].meaning);
            assert_string_equal(view.words, rows[i].words);
        }
    assert_int_equal(found, sizeof rows / sizeof *rows);
    assert_false(sch_table_header_field(0, NULL));
}

/* Words in a text of 8 bytes, one after the other: what does not fit is cut, and nothing behind is touched. */
static void words_are_appended(void **state)
{
    (void)state;
    static const struct {
        const char *separator, *words[4], *wanted;
    } rows[] = {{" ", {""}, ""},
                {" ", {"ab"}, "ab"},
                {" ", {"ab", "c"}, "ab c"},
                {", ", {"a", "b", "c"}, "a, b, c"},
                {", ", {"a", "b", "cd"}, "a, b, c"},
                {", ", {"a", "b", "c", "d"}, "a, b, c"},
                {"", {"abc", "def"}, "abcdef"},
                {"", {"abcd", "efg"}, "abcdefg"},
                {"", {"abcd", "efgh"}, "abcdefg"},
                {"|", {"abcdefgh"}, "abcdefg"},
                {"|", {"abcdef", "g"}, "abcdef|"},
                {"|", {"abcdefg", "h"}, "abcdefg"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[10] = "";
        memset(text + 1, 0x55, sizeof text - 1);
        for (unsigned w = 0; w < 4 && rows[i].words[w]; w++)
            sch_api_append(text, 8, rows[i].separator, rows[i].words[w]);
        assert_string_equal(text, rows[i].wanted);
        assert_memory_equal(text + 8, "UU", 2);
    }
}

/* A struct of another length is filled as far as it goes; what is longer is zeroed behind; a shorter one is refused. */
static void structs_of_other_lengths_are_filled(void **state)
{
    (void)state;
    struct {
        struct sch_keyword_info view;
        unsigned char more[16];
    } longer;
    memset(&longer, 0xa5, sizeof longer);
    longer.view.size = sizeof longer;
    assert_true(sch_table_keyword(0, &longer.view));
    assert_int_equal(longer.view.size, sizeof longer);
    for (size_t i = 0; i < sizeof longer.more; i++) assert_int_equal(longer.more[i], 0);
    longer.view.size = sizeof longer.view - 1;
    assert_false(sch_table_keyword(0, &longer.view));
    longer.view.size = sizeof longer.view;
    assert_true(sch_table_keyword(0, &longer.view));
    longer.view.size = SIZE_MAX;
    assert_false(sch_table_keyword(0, &longer.view));
}

/* The texts that calls were given are the caller's again when they return: a list keeps none of them. */
static void lists_keep_no_text(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_diagnostics_list *list = NULL;
    struct sch_shader *shader = NULL;
    struct sch_shader *program = NULL;
    uint64_t word;
    void *pool;
    size_t bytes;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_int_equal(sch_shader_read(context, "FRAG\nEND\n", 9, NULL, list, &shader), SCH_OK);
    assert_null(list->list.text);
    assert_int_equal(maxwell_read(context, ".word 5\n", 8, NULL, list, &program), SCH_OK);
    assert_null(list->list.text);
    assert_int_equal(sch_maxwell_pool_assemble(context, "", 0, NULL, list, &pool, &bytes), SCH_OK);
    assert_null(list->list.text);
    sch_free(context, pool);
    assert_int_equal(sch_maxwell_assemble("NOX;", 4, NULL, list, &word, NULL), SCH_ERROR_INVALID);
    assert_null(list->list.text);
    sch_shader_destroy(program);
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

/* ---- dispatches ---- */

static const char unbound_text[] = "COMP\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0]\nLOAD TEMP[0].x, BUFFER[0], "
                                   "SV[0].xxxx\nEND\n";

/* Reports of a run bear the program's name, and a list that has it once takes no more memory of every run. */
static void runs_are_reported_under_the_programs_name(void **state)
{
    (void)state;
    struct counting counting = {0};
    const struct sch_allocator memory = counting_callbacks(&counting);
    const struct sch_context_options options = {.size = sizeof options, .memory = &memory};
    struct sch_context *context = NULL;
    struct sch_diagnostics_list *list = NULL;
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    const struct sch_read_options named = {.size = sizeof named, .name = "unbound.tgsi"};
    assert_int_equal(sch_shader_read(context, unbound_text, strlen(unbound_text), &named, NULL, &shader), SCH_OK);
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    sch_shader_destroy(shader);
    const struct sch_dispatch_options run = {.size = sizeof run, .diagnostics = list};
    const uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    assert_int_equal(sch_dispatch_grid(program, NULL, grid, block, &run, NULL), SCH_OK);
    struct sch_diagnostic_info view = {.size = sizeof view};
    assert_true(sch_diagnostics_get(list, 0, &view));
    assert_string_equal(view.source, "unbound.tgsi");
    const long live = counting.live;
    for (unsigned i = 0; i < 2000; i++)
        assert_int_equal(sch_dispatch_grid(program, NULL, grid, block, &run, NULL), SCH_OK);
    assert_int_equal(counting.live, live);
    sch_program_destroy(program);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    assert_int_equal(counting.live, 0);
}

/* A work group's size is the caller's where the shader fixes none, and must be the shader's where it does. */
static void fixed_blocks_hold(void **state)
{
    (void)state;
    static const struct {
        uint32_t fixed[3], given[3];
        bool no_block;
        enum sch_result wanted;
    } rows[] = {{{4, 2, 1}, {4, 2, 1}, false, SCH_OK},
                {{4, 2, 1}, {0, 0, 0}, false, SCH_OK},
                {{4, 2, 1}, {0, 0, 0}, true, SCH_OK},
                {{4, 2, 1}, {4, 0, 1}, false, SCH_OK},
                {{4, 2, 1}, {5, 2, 1}, false, SCH_ERROR_ARGUMENT},
                {{4, 2, 1}, {4, 1, 1}, false, SCH_ERROR_ARGUMENT},
                {{4, 2, 1}, {4, 2, 2}, false, SCH_ERROR_ARGUMENT},
                {{0, 0, 0}, {3, 1, 2}, false, SCH_OK},
                {{0, 0, 0}, {0, 0, 0}, true, SCH_OK}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512], properties[256] = "";
        if (rows[i].fixed[0])
            snprintf(
                properties, sizeof properties,
                "PROPERTY CS_FIXED_BLOCK_WIDTH %u\nPROPERTY CS_FIXED_BLOCK_HEIGHT %u\nPROPERTY CS_FIXED_BLOCK_DEPTH "
                "%u\n",
                rows[i].fixed[0], rows[i].fixed[1], rows[i].fixed[2]);
        snprintf(
            text, sizeof text,
            "COMP\n%sDCL SV[0], BLOCK_SIZE\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nSTORE BUFFER[0].xyz, IMM[0], "
            "SV[0]\nEND\n",
            properties);
        struct sch_shader *shader = api_shader(context, text);
        struct sch_program *program = NULL;
        assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
        sch_shader_destroy(shader);
        uint32_t size[4] = {9, 9, 9, 9};
        const struct sch_storage_buffer buffer = {.data = size, .bytes = sizeof size};
        const struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
        assert_int_equal(
            sch_dispatch_grid(program, &bindings, NULL, rows[i].no_block ? NULL : rows[i].given, NULL, NULL),
            rows[i].wanted);
        for (unsigned c = 0; c < 3; c++) {
            const uint32_t given = rows[i].given[c], fixed = rows[i].fixed[c];
            assert_int_equal(size[c], rows[i].wanted != SCH_OK ? 9 : given ? given : fixed ? fixed : 1);
        }
        sch_program_destroy(program);
    }
    sch_context_destroy(context);
}

/* The report of a run that was refused has no place and no instructions, whatever stood there. */
static void refused_runs_report_nothing(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *shaders[2] = {api_shader(context, "COMP\nEND\n"), api_shader(context, "FRAG\nEND\n")};
    struct sch_program *compute = NULL, *fragment = NULL;
    assert_int_equal(sch_program_create(context, shaders[0], NULL, NULL, &compute), SCH_OK);
    assert_int_equal(sch_program_create(context, shaders[1], NULL, NULL, &fragment), SCH_OK);
    const struct sch_bindings right = {.size = sizeof right}, wrong = {.size = sizeof wrong, .view_count = 1};
    const struct sch_invocations work = {.size = sizeof work, .count = 1},
                                 odd = {.size = sizeof odd, .count = 1, .samples = 3};
    const struct sch_rectangle square = {.size = sizeof square, .width = 2, .height = 2},
                               crooked = {.size = sizeof crooked, .x = 1, .width = 2, .height = 2};
    const uint32_t huge[3] = {1u << 17, 1, 1}, one[3] = {1, 1, 1};
    struct sch_dispatch_report reports[8], zero;
    memset(reports, 0x5a, sizeof reports);
    memset(&zero, 0, sizeof zero);
    zero.size = sizeof zero;
    for (unsigned i = 0; i < 8; i++) reports[i].size = sizeof *reports;
    assert_int_equal(sch_dispatch(fragment, &wrong, &work, NULL, &reports[0]), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch(fragment, &right, &odd, NULL, &reports[1]), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch(fragment, &wrong, &odd, NULL, &reports[2]), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_rectangle(fragment, &wrong, &square, NULL, &reports[3]), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_rectangle(fragment, &right, &crooked, NULL, &reports[4]), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_rectangle(compute, &right, &square, NULL, &reports[5]), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_grid(compute, &wrong, one, one, NULL, &reports[6]), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_grid(compute, &right, one, huge, NULL, &reports[7]), SCH_ERROR_LIMIT);
    for (unsigned i = 0; i < 8; i++) {
        zero.stage = i < 5 ? SCH_STAGE_FRAGMENT : SCH_STAGE_COMPUTE;
        assert_memory_equal(&reports[i], &zero, sizeof zero);
    }

    /* and of one that ran the instructions of its groups: END, of each group of 32 */
    const uint32_t grid[3] = {2, 3, 1}, block[3] = {33, 1, 1};
    assert_int_equal(sch_dispatch_grid(compute, &right, grid, block, NULL, &reports[0]), SCH_OK);
    zero.instructions = 12;
    assert_memory_equal(&reports[0], &zero, sizeof zero);
    sch_program_destroy(compute);
    sch_program_destroy(fragment);
    sch_shader_destroy(shaders[0]);
    sch_shader_destroy(shaders[1]);
    sch_context_destroy(context);
}

/* What a caller gives beside no memory, or where words do not stand, is refused, and the report names it. */
static void wrong_bindings_are_named(void **state)
{
    (void)state;
    static uint32_t words[4];
    unsigned char *const odd = (unsigned char *)words + 1;
    const struct sch_storage_buffer good = {words, 16}, bare = {NULL, 4}, none = {NULL, 0}, crooked = {odd, 4};
    const struct sch_storage_buffer second_bare[2] = {good, bare}, second_crooked[2] = {good, crooked};
    const struct sch_constant_buffer constants[2] = {{words, 16}, {NULL, 16}}, crooked_constants = {odd, 4};
    const struct {
        struct sch_bindings bindings;
        const char *message; /* "": right */
    } rows[] = {
        {{.buffers = &good, .buffer_count = 1}, ""},
        {{.buffers = &none, .buffer_count = 1}, ""},
        {{.buffers = &good, .buffer_count = 0}, ""},
        {{.buffer_count = 1}, "buffers: 1 of no array"},
        {{.buffers = &bare, .buffer_count = 1}, "buffers[0]: 4 bytes of no memory"},
        {{.buffers = second_bare, .buffer_count = 1}, ""},
        {{.buffers = second_bare, .buffer_count = 2}, "buffers[1]: 4 bytes of no memory"},
        {{.buffers = second_crooked, .buffer_count = 2}, "buffers[1]: memory that is not aligned to words"},
        {{.hw_atomic_count = 3}, "hw_atomics: 3 of no array"},
        {{.hw_atomics = &bare, .hw_atomic_count = 1}, "hw_atomics[0]: 4 bytes of no memory"},
        {{.hw_atomics = &crooked, .hw_atomic_count = 1}, "hw_atomics[0]: memory that is not aligned to words"},
        {{.global_memory = {NULL, 4}}, "global_memory[0]: 4 bytes of no memory"},
        {{.global_memory = {odd, 4}}, "global_memory[0]: memory that is not aligned to words"},
        {{.global_memory = {words, 4}, .input_memory = {odd, 4}}, ""}, /* bytes, which stand anywhere */
        {{.input_memory = {NULL, 4}}, "input_memory: 4 bytes of no memory"},
        {{.constants = constants, .constant_count = 1}, ""},
        {{.constants = &crooked_constants, .constant_count = 1}, ""},
        {{.constants = constants, .constant_count = 2}, "constants[1]: 16 bytes of no memory"},
        {{.constant_count = 2}, "constants: 2 of no array"},
        {{.view_count = 1}, "views: 1 of no array"},
        {{.sampler_count = 1}, "samplers: 1 of no array"},
        {{.image_count = 1}, "images: 1 of no array"},
        {{.color_buffer_count = 1}, "color_buffers: 1 of no array"},
        {{.interface_count = 1}, "interfaces: 1 of no array"},
    };
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, "COMP\nEND\n");
    struct sch_program *program = NULL;
    assert_int_equal(sch_program_create(context, shader, NULL, NULL, &program), SCH_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_diagnostics_list *list = NULL;
        struct sch_bindings bindings = rows[i].bindings;
        bindings.size = sizeof bindings;
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        const struct sch_dispatch_options run = {.size = sizeof run, .diagnostics = list};
        const enum sch_result result = sch_dispatch_grid(program, &bindings, NULL, NULL, &run, NULL);
        if (result != (*rows[i].message ? SCH_ERROR_ARGUMENT : SCH_OK)) fail_msg("row %zu: %d", i, result);
        struct sch_diagnostic_info view = {.size = sizeof view};
        assert_int_equal(sch_diagnostics_get(list, 0, &view), *rows[i].message != 0);
        if (*rows[i].message) assert_string_equal(view.message, rows[i].message);
        sch_diagnostics_destroy(list);
    }
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* ---- lookups ---- */

/* Faces and layers are those of targets that have them, and of lookups that filter; else -1. */
static void explanations_name_faces_and_layers(void **state)
{
    (void)state;
    static const struct {
        enum sch_target target;
        enum sch_lookup_operation lookup;
        float at[4];
        int32_t face, layer;
    } rows[] = {{SCH_TARGET_2D, SCH_LOOKUP_SAMPLE_L, {0.5f, 0.5f}, -1, -1},
                {SCH_TARGET_2D_ARRAY, SCH_LOOKUP_SAMPLE_L, {0.5f, 0.5f, 3}, -1, 3},
                {SCH_TARGET_CUBE, SCH_LOOKUP_SAMPLE_L, {0, 0, -1}, 5, -1},
                {SCH_TARGET_2D, SCH_LOOKUP_FETCH, {0}, -1, -1},
                {SCH_TARGET_2D_ARRAY, SCH_LOOKUP_FETCH, {0}, -1, -1},
                {SCH_TARGET_CUBE, SCH_LOOKUP_SIZE, {0}, -1, -1},
                {SCH_TARGET_2D, SCH_LOOKUP_SAMPLES, {0}, -1, -1}};
    static struct explained why;
    struct sch_context *context = api_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_resource_options shape = {.size = sizeof shape,
                                             .target = rows[i].target,
                                             .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                             .width = 4,
                                             .height = 4,
                                             .depth = 1,
                                             .layers = rows[i].target == SCH_TARGET_CUBE       ? 6
                                                       : rows[i].target == SCH_TARGET_2D_ARRAY ? 6
                                                                                               : 1,
                                             .levels = 1};
        struct sch_resource *resource = NULL;
        struct sch_view *view = NULL;
        struct sch_sampler *sampler = NULL;
        const struct sch_sampler_options plain = {.size = sizeof plain};
        assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
        assert_int_equal(sch_view_create(resource, NULL, &view), SCH_OK);
        assert_int_equal(sch_sampler_create(context, &plain, NULL, &sampler), SCH_OK);
        struct sch_lookup lookup = {.size = sizeof lookup, .operation = rows[i].lookup};
        memcpy(lookup.at, rows[i].at, sizeof rows[i].at);
        memset(&why, 0xa5, sizeof why);
        assert_int_equal(explain(context, view, sampler, &lookup, &why), SCH_OK);
        if (why.info.face != rows[i].face || why.info.layer != rows[i].layer)
            fail_msg("row %zu: face %d, layer %d", i, why.info.face, why.info.layer);
        sch_sampler_destroy(sampler);
        sch_view_destroy(view);
        sch_resource_destroy(resource);
    }
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaders_are_counted),
        cmocka_unit_test(registers_are_listed),
        cmocka_unit_test(hashes_are_fnv),
        cmocka_unit_test(opcodes_have_rows),
        cmocka_unit_test(names_and_limits_have_rows),
        cmocka_unit_test(facts_of_maxwell_have_rows),
        cmocka_unit_test(maxwell_facts_are_found_by_name),
        cmocka_unit_test(instructions_have_forms),
        cmocka_unit_test(examples_are_read),
        cmocka_unit_test(words_have_forms),
        cmocka_unit_test(semantics_have_stages),
        cmocka_unit_test(header_fields_are_told),
        cmocka_unit_test(words_are_appended),
        cmocka_unit_test(structs_of_other_lengths_are_filled),
        cmocka_unit_test(lists_keep_no_text),
        cmocka_unit_test(runs_are_reported_under_the_programs_name),
        cmocka_unit_test(fixed_blocks_hold),
        cmocka_unit_test(refused_runs_report_nothing),
        cmocka_unit_test(wrong_bindings_are_named),
        cmocka_unit_test(explanations_name_faces_and_layers),
    };
    return cmocka_run_group_tests_name("told", tests, NULL, NULL);
}
