/* What is decided of a program when it is made, field by field: where registers live, which constants, inputs and
 * outputs there are, what memory means, and which units of the bindings it reads. Expected values are read off the
 * texts. What programs compute is tested elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../support/exec_program.h"
#include "exec/exec.h"
#include "exec/program.h"
#include "exec/units.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void expect(const char *text, const char *what, uint64_t got, uint64_t wanted)
{
    if (got != wanted)
        fail_msg("%s%s: %llu, not %llu", text, what, (unsigned long long)got, (unsigned long long)wanted);
}

static const struct {
    const char *text;
    uint32_t temporaries, addresses, outputs, values, inputs, immediates;
    uint32_t vectors;               /* constants that are named directly */
    struct sch_pair constant[4];    /* (buffer, index) */
    uint32_t input_count, input[4]; /* registers that can be read */
    uint8_t mask[4];                /* of each register of IN */
    uint32_t declared_values, declared_outputs, declared_views;
} layouts[] = {
    {.text = "VERT\nEND\n"},
    {.text = "VERT\nDCL IN[0..7]\nDCL OUT[0..3], GENERIC[2]\nDCL TEMP[0..9]\nDCL ADDR[0..1]\nDCL SV[0..2], VERTEXID\n"
             "DCL SVIEW[0..4], 2D, FLOAT\nDCL CONST[0..9]\nIMM[0] UINT32 {1, 2, 3, 4}\nIMM[1] UINT32 {1, 2, 3, 4}\n"
             "END\n",
     .immediates = 2,
     .declared_values = 3,
     .declared_outputs = 4,
     .declared_views = 5},
    {.text = "VERT\nDCL IN[0..7]\nDCL OUT[0..3], GENERIC[2]\nDCL TEMP[0..9]\nDCL SV[0..2], VERTEXID\nDCL CONST[0..9]\n"
             "ADD TEMP[4], IN[3].xxyy, CONST[5]\nADD TEMP[2].x, CONST[7], CONST[5]\nMOV OUT[1], SV[1]\n"
             "MOV OUT[0].x, IN[1].wwww\nEND\n",
     .temporaries = 5,
     .outputs = 2,
     .values = 2,
     .inputs = 4,
     .vectors = 2,
     .constant = {{0, 5}, {0, 7}},
     .input_count = 2,
     .input = {1, 3},
     .mask = {0, 8, 0, 3},
     .declared_values = 3,
     .declared_outputs = 4},
    /* Registers choose: all that are declared, and what is named beyond. */
    {.text = "VERT\nDCL IN[0..2]\nDCL OUT[0..3], GENERIC[2]\nDCL TEMP[0..9]\nDCL ADDR[0]\n"
             "UARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[1], IN[ADDR[0].x+1]\nMOV OUT[ADDR[0].x], TEMP[ADDR[0].x]\nEND\n",
     .temporaries = 10,
     .addresses = 1,
     .outputs = 4,
     .inputs = 3,
     .input_count = 3,
     .input = {0, 1, 2},
     .mask = {15, 15, 15},
     .declared_outputs = 4},
    {.text = "VERT\nDCL TEMP[0..1]\nDCL ADDR[0]\nDCL OUT[0], POSITION\nMOV TEMP[5], TEMP[ADDR[0].x]\n"
             "MOV OUT[0], TEMP[TEMP[7].x]\nEND\n",
     .temporaries = 8,
     .addresses = 1,
     .outputs = 1,
     .declared_outputs = 1},
    /* Constants: by buffer; as index registers; of a second bracket; of destinations and offsets. */
    {.text = "FRAG\nDCL CONST[2][0..9]\nDCL CONST[0..9]\nDCL TEMP[0..3]\nDCL SAMP[0]\nDCL OUT[0], COLOR\n"
             "MOV TEMP[0], CONST[2][3]\nMOV TEMP[1], CONST[3]\nMOV TEMP[CONST[8].x], CONST[2][CONST[9].x]\nEND\n",
     .temporaries = 4,
     .vectors = 4,
     .constant = {{2, 3}, {0, 3}, {0, 8}, {0, 9}},
     .declared_outputs = 1},
    {.text = "FRAG\nDCL CONST[0..9]\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], CONST[1], SAMP[0], 2D, CONST[4].xyz\nEND\n",
     .temporaries = 1,
     .vectors = 2,
     .constant = {{0, 1}, {0, 4}}},
    {.text = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL SV[3], FACE\nDCL TEMP[0]\nMOV TEMP[0].x, SV[5].xxxx\n"
             "MOV TEMP[0].y, IN[2].zzzz\nEND\n",
     .temporaries = 1,
     .values = 6,
     .inputs = 3,
     .input_count = 1,
     .input = {2},
     .mask = {0, 0, 4},
     .declared_values = 6}};

/* A file is as large as what can be reached: the highest register that an operand names, and, where an index register
 * is used, all that are declared. */
static void files_hold_what_is_reached(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(layouts); i++) {
        const char *text = layouts[i].text;
        struct sch_exec_program *program = exec_program(text, NULL);
        const struct sch_prepared_file *files = program->prepared.files;
        expect(text, "TEMP", files[SCH_FILE_TEMPORARY].count, layouts[i].temporaries);
        expect(text, "ADDR", files[SCH_FILE_ADDRESS].count, layouts[i].addresses);
        expect(text, "OUT", files[SCH_FILE_OUTPUT].count, layouts[i].outputs);
        expect(text, "SV", files[SCH_FILE_SYSTEM_VALUE].count, layouts[i].values);
        expect(text, "IN", files[SCH_FILE_INPUT].count, layouts[i].inputs);
        expect(text, "IMM", files[SCH_FILE_IMMEDIATE].count, layouts[i].immediates);
        /* one behind the other, inputs last; only what is written begins cleared */
        uint32_t next = 0;
        static const uint8_t order[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT, SCH_FILE_SYSTEM_VALUE,
                                        SCH_FILE_INPUT};
        for (size_t f = 0; f < COUNT(order); f++) {
            const struct sch_prepared_file *file = &files[order[f]];
            expect(text, "base", file->base, next);
            expect(text, "space", file->space, SCH_SPACE_STATE);
            expect(text, "cleared", program->cleared[order[f]], f < 3);
            expect(text, "stored", file->stored, true);
            next += order[f] == SCH_FILE_INPUT ? 0 : 4 * file->count;
        }
        expect(text, "channels", program->prepared.channels[SCH_SPACE_STATE], next);
        expect(text, "channels of constants", program->prepared.channels[SCH_SPACE_RUN], 4 * layouts[i].vectors);
        expect(text, "channels of immediates", program->prepared.channels[SCH_SPACE_PROGRAM],
               1 + 4 * layouts[i].immediates);
        expect(text, "base of immediates", files[SCH_FILE_IMMEDIATE].base, 1);
        expect(text, "space of immediates", files[SCH_FILE_IMMEDIATE].space, SCH_SPACE_PROGRAM);
        for (uint32_t n = 0; n < 4 * layouts[i].immediates; n++)
            expect(text, "immediate", program->program_space[1 + n].u[31], n % 4 + 1);
        expect(text, "zeros", program->program_space[0].u[31], 0);
        expect(text, "constants", program->prepared.constants.count, layouts[i].vectors);
        for (uint32_t n = 0; n < layouts[i].vectors; n++) {
            const struct sch_pair *wanted = &layouts[i].constant[n];
            const uint32_t place = sch_prepared_constant_slot(&program->prepared, wanted->first, wanted->second);
            if (place >= layouts[i].vectors) fail_msg("%sno CONST[%u][%u]", text, wanted->first, wanted->second);
            expect(text, "buffer", program->prepared.constants.items[place].first, wanted->first);
            expect(text, "vector", program->prepared.constants.items[place].second, wanted->second);
        }
        expect(text, "inputs", program->prepared.input_count, layouts[i].input_count);
        for (uint32_t n = 0; n < layouts[i].input_count; n++)
            expect(text, "input", program->prepared.inputs[n], layouts[i].input[n]);
        for (uint32_t n = 0; n < layouts[i].inputs; n++)
            expect(text, "mask", program->prepared.input_masks[n], layouts[i].mask[n]);
        expect(text, "declared values", program->prepared.system_value_count, layouts[i].declared_values);
        expect(text, "declared outputs", program->prepared.interface.output_count, layouts[i].declared_outputs);
        expect(text, "declared views", program->prepared.view_target_count, layouts[i].declared_views);
        sch_exec_destroy(program);
    }
}

/* What declarations say of system values, outputs and views, register by register. */
static void declarations_are_kept(void **state)
{
    (void)state;
    struct sch_exec_program *program = exec_program(
        "FRAG\nDCL SV[1..2], SAMPLEID\nDCL SV[4], FACE[3]\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n"
        "DCL OUT[2], STENCIL\nDCL OUT[4..5], COLOR[2]\nDCL SVIEW[1..2], CUBE, FLOAT\nDCL SVIEW[4], 3D, SINT\n"
        "DCL TEMP[0]\nMOV OUT[5], TEMP[0]\nEND\n",
        NULL);
    static const struct {
        bool declared;
        unsigned semantic, index;
    } values[] = {{false, 0, 0},
                  {true, SCH_SEMANTIC_SAMPLEID, 0},
                  {true, SCH_SEMANTIC_SAMPLEID, 0},
                  {false, 0, 0},
                  {true, SCH_SEMANTIC_FACE, 3}};
    expect("", "values", program->prepared.system_value_count, COUNT(values));
    for (size_t r = 0; r < COUNT(values); r++) {
        expect("", "declared", program->prepared.system_values[r].declared, values[r].declared);
        expect("", "semantic", program->prepared.system_values[r].semantic, values[r].semantic);
        expect("", "semantic index", program->prepared.system_values[r].semantic_index, values[r].index);
    }
    static const uint8_t masks[] = {15, 4, 2, 15, 15, 15};
    static const uint32_t numbers[] = {0, 0, 0, 0, 2, 3};
    expect("", "outputs", program->prepared.files[SCH_FILE_OUTPUT].count, COUNT(masks));
    expect("", "numbers", program->prepared.interface.output_count, COUNT(numbers));
    for (size_t r = 0; r < COUNT(masks); r++) {
        expect("", "mask", program->prepared.output_masks[r], masks[r]);
        expect("", "number", program->prepared.interface.outputs[r].semantic_index, numbers[r]);
    }
    static const uint8_t targets[] = {SCH_TARGET_UNKNOWN, SCH_TARGET_CUBE, SCH_TARGET_CUBE, SCH_TARGET_UNKNOWN,
                                      SCH_TARGET_3D};
    expect("", "views", program->prepared.view_target_count, COUNT(targets));
    for (size_t r = 0; r < COUNT(targets); r++) expect("", "target", program->prepared.view_targets[r], targets[r]);
    sch_exec_destroy(program);

    /* Elsewhere POSITION and STENCIL take all components. */
    program = exec_program("VERT\nDCL OUT[0], POSITION\nDCL OUT[1], STENCIL\nDCL TEMP[0]\nMOV OUT[0], TEMP[0]\n"
                           "MOV OUT[1], TEMP[0]\nEND\n",
                           NULL);
    expect("", "mask", program->prepared.output_masks[0], 15);
    expect("", "mask", program->prepared.output_masks[1], 15);
    sch_exec_destroy(program);
}

#define RESOURCES                                                                                                      \
    "COMP\nDCL MEMORY[1], SHARED\nDCL MEMORY[3..4], PRIVATE\nDCL RES[0], BUFFER\nDCL RES[2], 2D, WR\n"                 \
    "DCL IMAGE[1..2], 3D, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0..1]\nDCL BUFFER[0]\n"

/* What memory registers are, and whether a program waits, or writes what others may see. */
static void memory_is_listed(void **state)
{
    (void)state;
    struct sch_exec_program *program = exec_program(RESOURCES "END\n", NULL);
    const struct sch_prepared_memory *memory = &program->prepared.memory;
    static const uint8_t kinds[] = {SCH_MEMORY_KIND_COUNT, SCH_MEMORY_SHARED, SCH_MEMORY_KIND_COUNT, SCH_MEMORY_PRIVATE,
                                    SCH_MEMORY_PRIVATE};
    expect("", "kinds", memory->kind_count, COUNT(kinds));
    for (size_t r = 0; r < COUNT(kinds); r++) expect("", "kind", memory->kinds[r], kinds[r]);
    expect("", "first kind", memory->first_kind, SCH_MEMORY_SHARED);
    expect("", "declared kinds", memory->declared_kinds, 1u << SCH_MEMORY_SHARED | 1u << SCH_MEMORY_PRIVATE);
    expect("", "resources", memory->resource_count, 3);
    expect("", "RES[0]", memory->resources[0].declared && memory->resources[0].target == SCH_TARGET_BUFFER, true);
    expect("", "RES[0] writable", memory->resources[0].writable, false);
    expect("", "RES[1]", memory->resources[1].declared, false);
    expect("", "RES[2]", memory->resources[2].declared && memory->resources[2].writable, true);
    expect("", "RES[2] target", memory->resources[2].target, SCH_TARGET_2D);
    expect("", "images", memory->image_count, 3);
    expect("", "IMAGE[0]", memory->images[0].declared, false);
    expect("", "IMAGE[2]", memory->images[2].declared && memory->images[2].target == SCH_TARGET_3D, true);
    sch_exec_destroy(program);

    static const struct {
        const char *text;
        bool barriers, outside;
    } rows[] = {{RESOURCES "END\n", false, false},
                {RESOURCES "BARRIER\nEND\n", true, false},
                {RESOURCES "MEMBAR TEMP[0].xxxx\nEND\n", false, false},
                {RESOURCES "LOAD TEMP[0], BUFFER[0], TEMP[1]\nEND\n", false, false},
                {RESOURCES "STORE BUFFER[0], TEMP[0], TEMP[1]\nEND\n", false, true},
                {RESOURCES "STORE IMAGE[1], TEMP[0], TEMP[1], 3D\nEND\n", false, true},
                {RESOURCES "STORE MEMORY[1], TEMP[0], TEMP[1]\nEND\n", false, false},
                {RESOURCES "DCL MEMORY[5], GLOBAL\nSTORE MEMORY[1], TEMP[0], TEMP[1]\nEND\n", false, true},
                {RESOURCES "DCL MEMORY[5], GLOBAL\nLOAD TEMP[0], MEMORY[5], TEMP[1]\nEND\n", false, false},
                {RESOURCES "ATOMUADD TEMP[0].x, MEMORY[1], TEMP[0].xxxx, TEMP[1].xxxx\nEND\n", false, false},
                {RESOURCES "ATOMUADD TEMP[0].x, BUFFER[0], TEMP[0].xxxx, TEMP[1].xxxx\nEND\n", false, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        program = exec_program(rows[i].text, NULL);
        expect(rows[i].text, "barriers", program->prepared.memory.barriers, rows[i].barriers);
        expect(rows[i].text, "writes outside", program->prepared.memory.writes_outside, rows[i].outside);
        sch_exec_destroy(program);
    }

    /* Of the declared ones the lowest stands for those that are not, in whatever order. */
    program = exec_program("COMP\nDCL MEMORY[3], INPUT\nDCL MEMORY[2], SHARED\nDCL MEMORY[7], GLOBAL\nEND\n", NULL);
    expect("", "first kind", program->prepared.memory.first_kind, SCH_MEMORY_SHARED);
    sch_exec_destroy(program);
}

#define FRAGMENT "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL ADDR[0]\n"
#define COMPUTE  "COMP\nDCL TEMP[0..1]\nDCL ADDR[0]\n"

enum { C = SCH_EXEC_UNIT_CONSTANTS, NO = SCH_TARGET_UNKNOWN };
static const struct {
    const char *text;
    uint32_t count;
    struct sch_exec_unit unit[3];
} listings[] = {
    {.text = FRAGMENT "DCL SAMP[0..9]\nDCL CONST[0..9]\nEND\n"},
    {.text = FRAGMENT "TXF TEMP[0], IN[0], SAMP[ADDR[0].x], 2D\nEND\n"},
    {.text = FRAGMENT "MOV TEMP[0], CONST[ADDR[0].x][1]\nEND\n"},
    {FRAGMENT "DCL SAMP[2]\nTEX TEMP[0], IN[0], SAMP[2], CUBE\nTEX TEMP[1], IN[0], SAMP[2], CUBE\nEND\n",
     2,
     {{.kind = SCH_EXEC_UNIT_VIEW,
       .file = SCH_FILE_SAMPLER,
       .target = SCH_TARGET_CUBE,
       .reads = true,
       .first = 2,
       .count = 1},
      {.kind = SCH_EXEC_UNIT_SAMPLER,
       .file = SCH_FILE_SAMPLER,
       .target = SCH_TARGET_CUBE,
       .reads = true,
       .with_view = true,
       .first = 2,
       .count = 1}}},
    {FRAGMENT "DCL SAMP[2]\nDCL SVIEW[1], 3D, FLOAT\nSAMPLE TEMP[0], IN[0], SVIEW[1], SAMP[2]\nEND\n",
     2,
     {{.kind = SCH_EXEC_UNIT_VIEW,
       .file = SCH_FILE_SAMPLER_VIEW,
       .target = SCH_TARGET_3D,
       .reads = true,
       .first = 1,
       .count = 1},
      {.kind = SCH_EXEC_UNIT_SAMPLER,
       .file = SCH_FILE_SAMPLER,
       .target = SCH_TARGET_3D,
       .reads = true,
       .first = 2,
       .count = 1}}},
    {FRAGMENT "DCL SAMP[0]\nTXF TEMP[0], IN[0], SAMP[0], 2D\nEND\n",
     1,
     {{.kind = SCH_EXEC_UNIT_VIEW, .file = SCH_FILE_SAMPLER, .target = SCH_TARGET_2D, .reads = true, .count = 1}}},
    {FRAGMENT "DCL SAMP[0..3]\nDCL SAMP[6]\nTXF TEMP[0], IN[0], SAMP[ADDR[0].x+3], 2D\n"
              "TXF TEMP[0], IN[0], SAMP[ADDR[0].x+6], 2D\nEND\n",
     1,
     {{.kind = SCH_EXEC_UNIT_VIEW,
       .file = SCH_FILE_SAMPLER,
       .target = SCH_TARGET_2D,
       .reads = true,
       .indexed = true,
       .count = 4}}},
    /* Constants: vectors up to the highest that is named; of what registers choose, up to the declared end. */
    {FRAGMENT "DCL CONST[0..9]\nDCL CONST[3][0..7]\nADD TEMP[0], CONST[4], CONST[3][2]\nMOV TEMP[0], CONST[2]\nEND\n",
     2,
     {{.kind = C, .file = SCH_FILE_CONSTANT, .target = NO, .reads = true, .count = 1, .vectors = 5},
      {.kind = C,
       .file = SCH_FILE_CONSTANT,
       .target = NO,
       .reads = true,
       .two_dimensional = true,
       .first = 3,
       .count = 1,
       .vectors = 3}}},
    {FRAGMENT "DCL CONST[0..9]\nDCL CONST[3][0..4095]\nMOV TEMP[0], CONST[ADDR[0].x+1]\n"
              "MOV TEMP[0], CONST[3][ADDR[0].x]\nEND\n",
     2,
     {{.kind = C,
       .file = SCH_FILE_CONSTANT,
       .target = NO,
       .reads = true,
       .vectors_indexed = true,
       .count = 1,
       .vectors = 10},
      {.kind = C,
       .file = SCH_FILE_CONSTANT,
       .target = NO,
       .reads = true,
       .vectors_indexed = true,
       .two_dimensional = true,
       .first = 3,
       .count = 1}}},
    {FRAGMENT "DCL CONST[0..9]\nDCL CONST[3][0..4094]\nMOV TEMP[0], CONST[3][ADDR[0].x]\nMOV TEMP[0], CONST[9]\n"
              "MOV TEMP[0], CONST[3][2]\nEND\n",
     2,
     {{.kind = C,
       .file = SCH_FILE_CONSTANT,
       .target = NO,
       .reads = true,
       .vectors_indexed = true,
       .two_dimensional = true,
       .first = 3,
       .count = 1,
       .vectors = 4095},
      {.kind = C, .file = SCH_FILE_CONSTANT, .target = NO, .reads = true, .count = 1, .vectors = 10}}},
    {FRAGMENT "DCL CONST[1][0..9]\nDCL CONST[4][0..7]\nMOV TEMP[0], CONST[ADDR[0].x][1]\nEND\n",
     1,
     {{.kind = C,
       .file = SCH_FILE_CONSTANT,
       .target = NO,
       .reads = true,
       .indexed = true,
       .two_dimensional = true,
       .first = 1,
       .count = 4}}},
    /* Memory of each kind; SHARED and PRIVATE are the program's own. */
    {COMPUTE "DCL MEMORY[0], GLOBAL\nDCL MEMORY[1], INPUT\nDCL MEMORY[2], SHARED\nLOAD TEMP[0], MEMORY[1], TEMP[1]\n"
             "LOAD TEMP[0], MEMORY[2], TEMP[1]\nSTORE MEMORY[0], TEMP[0], TEMP[1]\nEND\n",
     2,
     {{.kind = SCH_EXEC_UNIT_INPUT, .file = SCH_FILE_MEMORY, .target = NO, .reads = true, .first = 1, .count = 1},
      {.kind = SCH_EXEC_UNIT_GLOBAL, .file = SCH_FILE_MEMORY, .target = NO, .writes = true, .count = 1}}},
    {COMPUTE "DCL MEMORY[1], INPUT\nDCL MEMORY[2], SHARED\nLOAD TEMP[0], MEMORY[5], TEMP[1]\n"
             "LOAD TEMP[0], MEMORY[0], TEMP[1]\nEND\n",
     2,
     {{.kind = SCH_EXEC_UNIT_INPUT, .file = SCH_FILE_MEMORY, .target = NO, .reads = true, .first = 5, .count = 1},
      {.kind = SCH_EXEC_UNIT_INPUT, .file = SCH_FILE_MEMORY, .target = NO, .reads = true, .count = 1}}},
    {COMPUTE "DCL BUFFER[3]\nATOMUADD TEMP[0].x, BUFFER[3], TEMP[0].xxxx, TEMP[1].xxxx\nEND\n",
     1,
     {{.kind = SCH_EXEC_UNIT_BUFFER,
       .file = SCH_FILE_BUFFER,
       .target = NO,
       .reads = true,
       .writes = true,
       .first = 3,
       .count = 1}}},
    {COMPUTE "DCL BUFFER[3]\nLOAD TEMP[0], BUFFER[3], TEMP[1]\nSTORE BUFFER[3], TEMP[0], TEMP[1]\nEND\n",
     1,
     {{.kind = SCH_EXEC_UNIT_BUFFER,
       .file = SCH_FILE_BUFFER,
       .target = NO,
       .reads = true,
       .writes = true,
       .first = 3,
       .count = 1}}},
    {COMPUTE "DCL IMAGE[1], 3D, PIPE_FORMAT_R32_UINT, WR\nSTORE IMAGE[1], TEMP[0], TEMP[1], 3D\nEND\n",
     1,
     {{.kind = SCH_EXEC_UNIT_IMAGE,
       .file = SCH_FILE_IMAGE,
       .target = SCH_TARGET_3D,
       .writes = true,
       .first = 1,
       .count = 1}}},
    {COMPUTE "DCL RES[0], BUFFER\nDCL RES[1], 2D\nDCL RES[2], 3D, WR\nLOAD TEMP[0], RES[0], TEMP[1]\n"
             "LOAD TEMP[0], RES[1], TEMP[1]\nLOAD TEMP[0], RES[2], TEMP[1]\nLOAD TEMP[0], RES[3], TEMP[1]\nEND\n",
     3,
     {{.kind = SCH_EXEC_UNIT_BUFFER, .file = SCH_FILE_RESOURCE, .target = SCH_TARGET_BUFFER, .reads = true, .count = 1},
      {.kind = SCH_EXEC_UNIT_VIEW,
       .file = SCH_FILE_RESOURCE,
       .target = SCH_TARGET_2D,
       .reads = true,
       .first = 1,
       .count = 1},
      {.kind = SCH_EXEC_UNIT_IMAGE,
       .file = SCH_FILE_RESOURCE,
       .target = SCH_TARGET_3D,
       .reads = true,
       .first = 2,
       .count = 1}}},
    {.text = FRAGMENT "FBFETCH TEMP[0], OUT[1]\nFBFETCH TEMP[0], OUT[ADDR[0].x]\nEND\n"},
    {FRAGMENT "DCL SAMP[0]\nDCL CONST[0..9]\nTXQ TEMP[0], TEMP[1], SAMP[0], 2D\n"
              "TXF TEMP[0], IN[0], SAMP[0], 2D, CONST[4].xyz\nEND\n",
     2,
     {{.kind = SCH_EXEC_UNIT_VIEW, .file = SCH_FILE_SAMPLER, .target = SCH_TARGET_2D, .reads = true, .count = 1},
      {.kind = C, .file = SCH_FILE_CONSTANT, .target = NO, .reads = true, .count = 1, .vectors = 5}}},
    {FRAGMENT "DCL CONST[0..9]\nDCL BUFFER[0..2]\nLOAD TEMP[CONST[6].x], BUFFER[CONST[7].y], TEMP[CONST[3].x]\nEND\n",
     2,
     {{.kind = C, .file = SCH_FILE_CONSTANT, .target = NO, .reads = true, .count = 1, .vectors = 8},
      {.kind = SCH_EXEC_UNIT_BUFFER,
       .file = SCH_FILE_BUFFER,
       .target = NO,
       .reads = true,
       .indexed = true,
       .count = 3}}},
    {FRAGMENT "DCL OUT[1], COLOR[3]\nFBFETCH TEMP[0], OUT[1]\nEND\n",
     1,
     {{.kind = SCH_EXEC_UNIT_COLOR, .file = SCH_FILE_OUTPUT, .target = NO, .reads = true, .first = 3, .count = 1}}}};

/* Each unit with all that is said of it, in the order in which instructions name them. */
static void units_are_listed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(listings); i++) {
        const char *text = listings[i].text;
        struct sch_exec_program *program = exec_program(text, NULL);
        uint32_t count;
        const struct sch_exec_unit *units = sch_exec_units(program, &count);
        expect(text, "units", count, listings[i].count);
        for (uint32_t u = 0; u < count; u++) {
            const struct sch_exec_unit *got = &units[u], *wanted = &listings[i].unit[u];
            expect(text, "kind", got->kind, wanted->kind);
            expect(text, "file", got->file, wanted->file);
            expect(text, "target", got->target, wanted->target);
            expect(text, "two dimensions", got->two_dimensional, wanted->two_dimensional);
            expect(text, "indexed", got->indexed, wanted->indexed);
            expect(text, "reads", got->reads, wanted->reads);
            expect(text, "writes", got->writes, wanted->writes);
            expect(text, "with its view", got->with_view, wanted->with_view);
            expect(text, "vectors indexed", got->vectors_indexed, wanted->vectors_indexed);
            expect(text, "first", got->first, wanted->first);
            expect(text, "count", got->count, wanted->count);
            expect(text, "vectors", got->vectors, wanted->vectors);
            expect(text, "a place", got->position.line > 0, true);
        }
        sch_exec_destroy(program);
    }
}

/* Which vectors of a buffer are read from a place on. */
static void vectors_behind_an_end(void **state)
{
    (void)state;
    struct sch_exec_program *program =
        exec_program(FRAGMENT "DCL CONST[0..9]\nDCL CONST[3][0..9]\nADD TEMP[0], CONST[7], CONST[2]\n"
                              "ADD TEMP[0], CONST[9], CONST[3][8]\nMOV TEMP[0], CONST[2]\nEND\n",
                     NULL);
    static const struct {
        uint32_t buffer, from, lowest, more;
    } rows[] = {{0, 0, 2, 2},           {0, 2, 2, 2}, {0, 3, 7, 1}, {0, 8, 9, 0},          {0, 9, 9, 0},
                {0, 10, UINT32_MAX, 0}, {3, 0, 8, 0}, {3, 8, 8, 0}, {3, 9, UINT32_MAX, 0}, {1, 0, UINT32_MAX, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t more = 99;
        expect("", "lowest", sch_exec_next_vector(program, rows[i].buffer, rows[i].from, &more), rows[i].lowest);
        expect("", "more", more, rows[i].more);
    }
    sch_exec_destroy(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_hold_what_is_reached), cmocka_unit_test(declarations_are_kept),
        cmocka_unit_test(memory_is_listed),           cmocka_unit_test(units_are_listed),
        cmocka_unit_test(vectors_behind_an_end),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
