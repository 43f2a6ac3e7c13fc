/* Which of the sets of block_codec.h can run here. */
#include "../ops/block_codec.h"
#include "ops/ops.h"

#define LEVEL(name, needs) extern const struct block_codec block_codec_##name;
#include "isa/levels.def"
#undef LEVEL

unsigned block_codecs(const struct block_codec *codecs[BLOCK_CODECS])
{
    static const struct block_codec *const all[] = {
#define LEVEL(name, needs) &block_codec_##name,
#include "isa/levels.def"
#undef LEVEL
    };
    unsigned count;
    sch_ops_levels(&count);
    for (unsigned i = 0; i < count; i++) codecs[i] = all[i];
    return count;
}
