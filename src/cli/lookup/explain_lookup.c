/* scheelite sample --explain: a result in words, or as JSON. */
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

/* ---- words ---- */

static void print_value(const uint32_t *words, unsigned count, enum sch_value_type type)
{
    for (unsigned c = 0; c < count; c++) {
        float number;
        memcpy(&number, &words[c], sizeof number);
        if (c) fputs(", ", stdout);
        if (type == SCH_VALUE_UINT)
            printf("%u", words[c]);
        else if (type == SCH_VALUE_INT)
            printf("%d", (int32_t)words[c]);
        else
            printf("%.9g", (double)number);
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
    printf("texture      %s of %s, %u", sch_target_words[options->state.target], lookup->format, size[0]);
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
                        enum sch_value_type type)
{
    printf("texel        level %u", texel->level);
    if (taps > 1) printf(", tap %u", texel->tap);
    if (texel->border)
        printf(", border colour");
    else
        printf(", x %u, y %u, layer %u", texel->x, texel->y, texel->z);
    if (texel->sample) printf(", sample %u", texel->sample);
    printf(", weight %.9g: ", (double)texel->weight);
    print_value(texel->value, request->compare ? 1 : 4, type);
    putchar('\n');
}

/* Whether the lookup has a level of detail. */
static bool has_lod(const struct sch_cli_lookup *lookup)
{
    const enum sch_lookup_operation operation = lookup->request.operation;
    return lookup->view && (operation <= SCH_LOOKUP_SAMPLE_D || operation == SCH_LOOKUP_LOD);
}

static unsigned axes_of(enum sch_target target)
{
    return target == SCH_TARGET_CUBE || target == SCH_TARGET_CUBE_ARRAY ? 2 : sch_cli_target_axes(target);
}

void sch_cli_explanation_print(const struct sch_cli_explanation *why)
{
    const struct sch_cli_lookup *lookup = why->lookup;
    const enum sch_value_type type = sch_cli_lookup_type(lookup);
    print_texture(why->options, lookup);
    if (has_lod(lookup)) print_lod(&why->info, axes_of(why->options->state.target));
    if (lookup->view) print_place(&why->info);
    for (uint32_t i = 0; i < why->info.texel_count; i++)
        print_texel(&why->texels[i], &lookup->request, why->info.taps, type);
    printf("result       ");
    print_value(why->info.result, 4, type);
    putchar('\n');
}

/* ---- JSON ---- */

static void put_texture(const struct sch_cli_explanation *why, struct sch_json *json)
{
    uint32_t size[4] = {0};
    if (!why->lookup->view) {
        sch_json_text(json, "texture", NULL);
        return;
    }
    sch_cli_view_size(why->lookup, 0, size);
    sch_json_object(json, "texture", true);
    SCH_JSON_FIELDS(json, SCH_JSON_TEXT("target", sch_target_words[why->options->state.target]),
                    SCH_JSON_TEXT("format", why->lookup->format));
    sch_json_numbers(json, "size", size, !size[1] ? 1 : !size[2] ? 2 : 3);
    sch_json_number(json, "levels", size[3]);
    sch_json_close(json);
}

static void put_level(struct sch_json *json, uint32_t level, float weight)
{
    SCH_JSON_ROW(json, NULL, SCH_JSON_NUMBER("level", level), SCH_JSON_FLOAT("weight", weight));
}

static void put_lod(const struct sch_explanation_info *why, unsigned axes, struct sch_json *json)
{
    sch_json_object(json, "lod", false);
    sch_json_floats(json, "ddx", why->ddx, axes);
    sch_json_floats(json, "ddy", why->ddy, axes);
    SCH_JSON_FIELDS(json, SCH_JSON_FLOAT("computed", why->lod_computed), SCH_JSON_FLOAT("biased", why->lod_biased),
                    SCH_JSON_FLOAT("clamped", why->lod), SCH_JSON_BOOL("magnified", why->magnified),
                    SCH_JSON_NUMBER("taps", why->taps));
    sch_json_list(json, "levels", true);
    if (why->taps) put_level(json, why->level[0], 1 - why->level_weight);
    if (why->taps && why->level_weight > 0) put_level(json, why->level[1], why->level_weight);
    sch_json_close(json);
    sch_json_close(json);
}

static void put_texel(const struct sch_footprint_texel *texel, enum sch_value_type type, struct sch_json *json)
{
    const enum sch_value_type types[4] = {type, type, type, type};
    sch_json_object(json, NULL, true);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("level", texel->level), SCH_JSON_NUMBER("tap", texel->tap),
                    SCH_JSON_BOOL("border", texel->border));
    if (!texel->border) {
        SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("x", texel->x), SCH_JSON_NUMBER("y", texel->y),
                        SCH_JSON_NUMBER("z", texel->z), SCH_JSON_NUMBER("sample", texel->sample));
    }
    sch_json_float(json, "weight", texel->weight);
    sch_json_values(json, texel->value, types);
    sch_json_close(json);
}

void sch_cli_explanation_json(const struct sch_cli_explanation *why, struct sch_json *json)
{
    const struct sch_cli_lookup *lookup = why->lookup;
    const enum sch_value_type type = sch_cli_lookup_type(lookup);
    sch_json_object(json, "explanation", false);
    put_texture(why, json);
    if (has_lod(lookup)) put_lod(&why->info, axes_of(why->options->state.target), json);
    if (lookup->view && why->info.face >= 0) sch_json_signed(json, "face", why->info.face);
    if (lookup->view && why->info.layer >= 0) sch_json_signed(json, "layer", why->info.layer);
    sch_json_list(json, "texels", false);
    for (uint32_t i = 0; i < why->info.texel_count; i++) put_texel(&why->texels[i], type, json);
    sch_json_close(json);
    sch_json_close(json);
}

/* ---- both ---- */

static enum sch_cli_exit collect(const struct sch_explanation *explanation, struct sch_cli_explanation *why)
{
    why->info.size = sizeof why->info;
    sch_explanation_get_info(explanation, &why->info);
    why->texels = calloc((size_t)why->info.texel_count + 1, sizeof *why->texels);
    if (!why->texels) return sch_cli_no_memory();
    for (uint32_t i = 0; i < why->info.texel_count; i++) {
        why->texels[i].size = sizeof *why->texels;
        sch_explanation_texel(explanation, i, &why->texels[i]);
    }
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_explain_lookup(const struct sch_cli_lookup_options *options,
                                         const struct sch_cli_lookup *lookup, struct sch_cli_explanation *why)
{
    struct sch_explanation *explanation;
    *why = (struct sch_cli_explanation){.options = options, .lookup = lookup};
    const enum sch_result result =
        sch_lookup_explain(lookup->context, lookup->view, lookup->sampler, &lookup->request, &explanation);
    enum sch_cli_exit exit_code = sch_cli_lookup_exit(result);
    if (result != SCH_OK) return sch_cli_fail(exit_code, "sample: %s", sch_cli_lookup_problem(result));
    exit_code = collect(explanation, why);
    sch_explanation_destroy(explanation);
    return exit_code;
}

void sch_cli_explanation_release(struct sch_cli_explanation *why) { free(why->texels); }
