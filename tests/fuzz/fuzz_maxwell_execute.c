/* Fuzz target: executing one Maxwell texture instruction. The input is its word, a texture header and a sampler, then
 * what fills registers, predicates and memory, over and over. Whatever it says, it ends, with the same state at every
 * width. */
#include <string.h>

#include "fuzz.h"
#include "maxwell/run/warp.h"

enum { WORD = 8, ENTRY = SCH_MAXWELL_HEADER_BYTES, FILL = WORD + 2 * ENTRY, MEMORY = 1 << 14, LIMIT = 1 << 20 };

static uint8_t memory[MEMORY];
static struct sch_maxwell_warp before, after[2];

static uint32_t filling(const uint8_t *data, size_t bytes, size_t *at)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++, ++*at)
        if (bytes > FILL) word |= (uint32_t)data[FILL + *at % (bytes - FILL)] << 8 * i;
    return word;
}

static void fill(const uint8_t *data, size_t bytes)
{
    size_t at = 0;
    memset(&before, 0, sizeof before);
    for (unsigned i = 0; i < SCH_MAXWELL_GROUP_LANES; i++) /* by lane: neighbours differ */
        for (unsigned r = 0; r < SCH_MAXWELL_GROUP_REGISTERS; r++) before.registers[r].u[i] = filling(data, bytes, &at);
    for (unsigned p = 0; p < SCH_MAXWELL_GROUP_PREDICATES; p++) before.predicates[p] = filling(data, bytes, &at);
    before.active = ~filling(data, bytes, &at);
    before.killed = filling(data, bytes, &at);
    before.shader = filling(data, bytes, &at) & 1 ? SCH_MAXWELL_SHADER_OTHER : SCH_MAXWELL_SHADER_PIXEL;
    for (size_t i = 0; i + 4 <= MEMORY; i += 4) {
        uint32_t word = filling(data, bytes, &at);
        memcpy(memory + i, &word, 4);
    }
}

static enum sch_result run(const uint8_t *data, const struct sch_maxwell_instruction *in, unsigned lanes,
                           struct sch_maxwell_warp *warp)
{
    const uint32_t constant = 0;
    const struct sch_maxwell_machine_options options = {.headers = data + WORD,
                                                        .samplers = data + WORD + ENTRY,
                                                        .constants = &constant,
                                                        .constant_words = 1,
                                                        .memory = {memory, 0, MEMORY},
                                                        .half_rounding = in->guard & 1,
                                                        .lanes = lanes,
                                                        .memory_limit = LIMIT};
    struct sch_maxwell_machine *machine;
    enum sch_result status = sch_maxwell_machine_create(&options, &sch_allocator_libc, &machine);
    if (status != SCH_OK) return status;
    *warp = before;
    status = sch_maxwell_execute(machine, in, warp, (struct sch_position){0}, NULL);
    sch_maxwell_machine_destroy(machine);
    return status;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    uint64_t word = 0;
    struct sch_maxwell_instruction in;
    if (bytes < FILL) return NULL;
    for (unsigned i = 0; i < WORD; i++) word |= (uint64_t)data[i] << 8 * i;
    if (!sch_maxwell_decode(word, SCH_MAXWELL_SM_52, &in)) return NULL;
    fill(data, bytes);
    enum sch_result status = run(data, &in, 4, &after[0]);
    if (run(data, &in, 16, &after[1]) != status) return "another answer at another width";
    if (memcmp(&after[0], &after[1], sizeof after[0]) != 0) return "other results at another width";
    if (status != SCH_OK && memcmp(&after[0], &before, sizeof before) != 0) return "a refused instruction wrote";
    return NULL;
}

SCH_FUZZ_TARGET
