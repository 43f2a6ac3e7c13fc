/* scheelite sample --explain: a result in words. */
#include <stdlib.h>
#include <string.h>

#include "footprint.h"

unsigned sch_cli_target_axes(enum sch_target target)
{
    switch (target) {
    case SCH_TARGET_BUFFER:
    case SCH_TARGET_1D:
    case SCH_TARGET_1D_ARRAY:
        return 1;
    case SCH_TARGET_3D:
        return 3;
    default:
        return 2;
    }
}

void sch_cli_view_size(const struct sch_cli_lookup *lookup, uint32_t level, uint32_t size[4])
{
    const struct sch_lookup request = {.size = sizeof request, .operation = SCH_LOOKUP_SIZE, .level = level};
    sch_lookup_run(lookup->view, lookup->sampler, &request, 1, 0, (uint32_t(*)[4])size);
}

static const char *target_word(enum sch_target target)
{
    for (const struct sch_cli_word *row = sch_cli_targets; row->word; row++)
        if (row->value == (int)target) return row->word;
    return "?";
}

/* Components as the format's numbers. */
static void print_value(const uint32_t *words, unsigned count, bool integers)
{
    for (unsigned c = 0; c < count; c++) {
        float number;
        memcpy(&number, &words[c], sizeof number);
        if (integers)
            printf("%s%d", c ? ", " : "", (int32_t)words[c]);
        else
            printf("%s%.9g", c ? ", " : "", (double)number);
    }
}

static void print_texture(const struct sch_cli_lookup_options *options, const struct sch_cli_lookup *lookup)
{
    uint32_t size[4] = {0};
    if (!lookup->view) {
        puts("texture      none: every lookup gives 0");
        return;
    }
    sch_cli_view_size(lookup, 0, size);
    printf("texture      %s of %s, %u", target_word(options->state.target), lookup->format, size[0]);
    for (unsigned i = 1; i < 3; i++)
        if (size[i]) printf(" x %u", size[i]);
    if (size[3] > 1) printf(", %u levels", size[3]);
    putchar('\n');
}

/* What only lookups with a sampler have. */
static void print_lod(const struct sch_explanation_info *why, unsigned axes)
{
    printf("derivatives  in texels of level 0:");
    for (unsigned i = 0; i < axes; i++) printf(" %.9g", (double)why->ddx[i]);
    printf(" for a step in x,");
    for (unsigned i = 0; i < axes; i++) printf(" %.9g", (double)why->ddy[i]);
    printf(" in y\n");
    printf("LOD          %.9g; with the biases %.9g; after the clamps %.9g: %s\n", (double)why->lod_computed,
           (double)why->lod_biased, (double)why->lod, why->magnified ? "magnified" : "minified");
    if (!why->taps)
        printf("level        none: the clamps leave nothing of the view\n");
    else if (why->level_weight > 0)
        printf("levels       %u, and %u with weight %.9g\n", why->level[0], why->level[1], (double)why->level_weight);
    else
        printf("level        %u\n", why->level[0]);
    printf("taps         %u\n", why->taps);
}

static void print_place(const struct sch_explanation_info *why)
{
    static const char *const faces[] = {"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
    if (why->face >= 0) printf("face         %d (%s)\n", why->face, why->face < 6 ? faces[why->face] : "?");
    if (why->layer >= 0) printf("layer        %d\n", why->layer);
}

static void print_texel(const struct sch_footprint_texel *texel, const struct sch_lookup *request, unsigned taps,
                        bool integers)
{
    printf("texel        level %u", texel->level);
    if (taps > 1) printf(", tap %u", texel->tap);
    if (texel->border)
        printf(", border colour");
    else
        printf(", x %u, y %u, layer %u", texel->x, texel->y, texel->z);
    if (texel->sample) printf(", sample %u", texel->sample);
    printf(", weight %.9g: ", (double)texel->weight);
    print_value(texel->value, request->compare ? 1 : 4, !request->compare && integers);
    putchar('\n');
}

static void print_words(const struct sch_cli_lookup_options *options, const struct sch_cli_lookup *lookup,
                        const struct sch_cli_explanation *why)
{
    enum sch_lookup_operation kind = lookup->request.operation;
    bool integers = sch_cli_format_is_integer(lookup->format) && !lookup->request.compare;
    print_texture(options, lookup);
    bool with_lod = kind <= SCH_LOOKUP_SAMPLE_D || kind == SCH_LOOKUP_LOD;
    if (with_lod && lookup->view) {
        unsigned axes = sch_cli_target_axes(options->state.target);
        bool cube = options->state.target == SCH_TARGET_CUBE || options->state.target == SCH_TARGET_CUBE_ARRAY;
        print_lod(&why->info, cube ? 2 : axes);
    }
    if (lookup->view) print_place(&why->info);
    for (uint32_t i = 0; i < why->info.texel_count; i++)
        print_texel(&why->texels[i], &lookup->request, why->info.taps, integers);
    printf("result       ");
    print_value(why->info.result, 4, integers || kind == SCH_LOOKUP_SIZE || kind == SCH_LOOKUP_SAMPLES);
    putchar('\n');
}

/* False: no memory. */
static bool collect(const struct sch_explanation *explanation, struct sch_cli_explanation *why)
{
    *why = (struct sch_cli_explanation){.info = {.size = sizeof why->info}};
    sch_explanation_get_info(explanation, &why->info);
    why->texels = calloc((size_t)why->info.texel_count + 1, sizeof *why->texels);
    for (uint32_t i = 0; why->texels && i < why->info.texel_count; i++) {
        why->texels[i].size = sizeof *why->texels;
        sch_explanation_texel(explanation, i, &why->texels[i]);
    }
    return why->texels;
}

enum sch_cli_exit sch_cli_explain_lookup(const struct sch_cli_lookup_options *options,
                                         const struct sch_cli_lookup *lookup, bool words, const char *picture)
{
    struct sch_explanation *explanation;
    struct sch_cli_explanation why;
    enum sch_result result =
        sch_lookup_explain(lookup->context, lookup->view, lookup->sampler, &lookup->request, &explanation);
    enum sch_cli_exit exit = sch_cli_lookup_exit(result);
    if (result != SCH_OK) return sch_cli_fail(exit, "sample: %s", sch_cli_lookup_problem(result));
    if (!collect(explanation, &why)) exit = sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    if (why.texels && words) print_words(options, lookup, &why);
    if (why.texels && picture) exit = sch_cli_draw_footprint(lookup, &options->state, &why, picture);
    free(why.texels);
    sch_explanation_destroy(explanation);
    return exit;
}
