/* Our texels of pictures of blocks: a resource, a view of it, and a fetch of every texel (scheelite/lookup.h). */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"

static struct sch_context *context;
static struct sch_lookup *lookups;

bool blocks_ours_open(void)
{
    if (sch_context_create(NULL, &context) != SCH_OK) return false;
    lookups = calloc(BLOCKS_TEXELS, sizeof *lookups);
    for (uint32_t i = 0; lookups && i < BLOCKS_TEXELS; i++)
        lookups[i] = (struct sch_lookup){
            .size = sizeof *lookups, .operation = SCH_LOOKUP_FETCH, .texel = {i % BLOCKS_SIDE, i / BLOCKS_SIDE}};
    return lookups != NULL;
}

static bool fetch(struct sch_resource *resource, block_texel *texels)
{
    struct sch_view *view = NULL;
    if (sch_view_create(resource, NULL, &view) != SCH_OK) return false;
    uint32_t(*words)[4] = malloc(BLOCKS_TEXELS * sizeof *words);
    const bool done = words && sch_lookup_run(view, NULL, lookups, BLOCKS_TEXELS, 0, words) == SCH_OK;
    if (done) memcpy(texels, words, BLOCKS_TEXELS * sizeof *texels);
    free(words);
    sch_view_destroy(view);
    return done;
}

bool blocks_ours_decode(const struct block_format *format, const uint8_t *blocks, block_texel *texels)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_2D,
                                                 .format = format->format,
                                                 .width = BLOCKS_SIDE,
                                                 .height = BLOCKS_SIDE};
    struct sch_resource *resource = NULL;
    if (sch_resource_create(context, &options, NULL, &resource) != SCH_OK) return false;
    const bool done =
        sch_resource_write_all(resource, blocks, sch_resource_bytes(resource)) == SCH_OK && fetch(resource, texels);
    sch_resource_destroy(resource);
    return done;
}

void blocks_ours_close(void)
{
    free(lookups);
    sch_context_destroy(context);
}
