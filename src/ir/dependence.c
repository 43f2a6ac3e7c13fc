/* Where the coordinates of a lookup come from. */
#include "ir/analysis.h"

typedef const struct sch_prepared_instruction instruction;

enum { MOST_CHANNELS = 64, MOST_INSTRUCTIONS = 512 };

/* Channels that what is asked about may be computed from. */
struct origins {
    uint32_t channel[MOST_CHANNELS];
    unsigned count;
};

static void add(struct origins *origins, const struct sch_prepared_src *src, unsigned c)
{
    if (src->access != SCH_ACCESS_PLAIN || src->space != SCH_SPACE_STATE) return;
    for (unsigned i = 0; i < origins->count; i++)
        if (origins->channel[i] == src->channel[c]) return;
    if (origins->count < MOST_CHANNELS) origins->channel[origins->count++] = src->channel[c];
}

/* The bits of the channels that an instruction reads for one that it writes; 0: it does not write that one. */
static unsigned read_for(instruction *in, uint32_t channel)
{
    for (unsigned d = 0; d < in->dst_count; d++) {
        const struct sch_prepared_dst *dst = &in->dst[d];
        const uint32_t c = channel - dst->channel;
        if (dst->access != SCH_ACCESS_PLAIN || c > 3 || !(dst->mask >> c & 1)) continue;
        return sch_op_info(in->opcode)->shape == SCH_SHAPE_COMP ? 1u << c : sch_ir_channels_read(in);
    }
    return 0;
}

bool sch_ir_follows_lookup(const struct sch_prepared *program, uint32_t n, uint32_t loop)
{
    const struct sch_ir_construct *construct = &program->flow.constructs[loop];
    instruction *lookup = &program->instructions[n];
    struct origins origins = {.count = 0};
    if (construct->end - construct->opener > MOST_INSTRUCTIONS) return false;
    for (unsigned c = 0; c < lookup->lookup->axes; c++) add(&origins, &lookup->src[0], c);
    for (unsigned i = 0; i < origins.count; i++)
        for (uint32_t at = construct->opener; at < construct->end; at++) {
            instruction *in = &program->instructions[at];
            const unsigned channels = read_for(in, origins.channel[i]);
            if (channels && in->lookup) return true;
            for (unsigned s = 0; s < in->src_count; s++)
                for (unsigned c = 0; c < 4; c++)
                    if (channels >> c & 1) add(&origins, &in->src[s], c);
        }
    return false;
}
