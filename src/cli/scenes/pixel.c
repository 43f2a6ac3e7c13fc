/* scheelite render --explain-pixel: the events of a pixel as text, a paragraph and a table each. docs/scenes.md shows
 * one. */
#include "pixel.h"
#include "../support/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 96, REASON = 200, MOST_SAMPLES = 16, BUFFERS = SCH_COLOR_BUFFERS + 2 };

/* ---- values ------------------------------------------------------------------------------------------------------ */

static struct sch_format_info info_of(enum sch_format format)
{
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(format, &info);
    return info;
}

/* The components of a colour that the format has; `all`: those that a program wrote. */
static void put_color(char *cell, enum sch_format format, const union sch_color *color, bool all)
{
    const struct sch_format_info info = info_of(format);
    const char *between = "";
    for (unsigned c = 0; c < 4; c++) {
        if (!all && !info.color_bits[c]) continue;
        if (info.integers && info.is_signed)
            sch_text_add(cell, CELL, "%s%" PRId32, between, color->i[c]);
        else if (info.integers)
            sch_text_add(cell, CELL, "%s%" PRIu32, between, color->u[c]);
        else
            sch_text_add(cell, CELL, "%s%.6g", between, (double)color->f[c]);
        between = " ";
    }
}

/* ---- why --------------------------------------------------------------------------------------------------------- */

/* What a comparison that failed says. */
static const char *denied(enum sch_compare function)
{
    static const char *const words[] = {
        [SCH_COMPARE_NEVER] = "never passes against",
        [SCH_COMPARE_LESS] = "is not less than",
        [SCH_COMPARE_EQUAL] = "is not equal to",
        [SCH_COMPARE_LEQUAL] = "is not less than or equal to",
        [SCH_COMPARE_GREATER] = "is not greater than",
        [SCH_COMPARE_NOTEQUAL] = "is not different from",
        [SCH_COMPARE_GEQUAL] = "is not greater than or equal to",
        [SCH_COMPARE_ALWAYS] = "always passes against",
    };
    return (unsigned)function < sizeof words / sizeof *words && words[function] ? words[function] : "fails against";
}

static void say_tests(const struct sch_pixel_event *event, const struct sch_pixel_sample *sample, char *reason)
{
    const struct sch_stencil_face *face = &event->stencil_face;
    if (sample->outcome == SCH_PIXEL_DEPTH_BOUNDS)
        sch_text_add(reason, REASON, "failed the depth bounds test: the buffer has %.9g, not within %.9g to %.9g",
                     sample->before.depth, (double)event->depth_bounds_min, (double)event->depth_bounds_max);
    else if (sample->outcome == SCH_PIXEL_STENCIL)
        sch_text_add(reason, REASON,
                     "failed the stencil test: reference 0x%02x & 0x%02x %s the buffer's 0x%02x & 0x%02x",
                     event->stencil_reference, face->value_mask, denied(face->function), sample->before.stencil,
                     face->value_mask);
    else if (sample->outcome == SCH_PIXEL_DEPTH)
        sch_text_add(reason, REASON, "failed the depth test: %.9g %s the buffer's %.9g", sample->depth,
                     denied(event->depth_function), sample->before.depth);
    else
        sch_text_add(reason, REASON, "failed the alpha test: %.6g %s %.6g", (double)event->colors[0].f[3],
                     denied(event->alpha_function), (double)event->alpha_reference);
}

static void say(const struct sch_pixel_event *event, const struct sch_scene_statement *statement,
                const struct sch_pixel_sample *sample, char *reason)
{
    static const char *const words[] = {
        [SCH_PIXEL_NOT_COVERED] = "not covered",
        [SCH_PIXEL_SCISSOR] = "outside of the scissor",
        [SCH_PIXEL_CLIP_DISTANCE] = "outside of a clip plane",
        [SCH_PIXEL_STIPPLE] = "taken out by the stipple",
        [SCH_PIXEL_SAMPLE_MASK] = "not in the sample mask",
        [SCH_PIXEL_UNFINISHED] = "not reached: the draw ended before",
        [SCH_PIXEL_PASSED] = "passed",
    };
    *reason = 0;
    if (event->kind != SCH_PIXEL_DRAW && sample->outcome == SCH_PIXEL_PASSED) return;
    if ((unsigned)sample->outcome < sizeof words / sizeof *words && words[sample->outcome])
        sch_text_add(reason, REASON, "%s", words[sample->outcome]);
    else if (sample->outcome == SCH_PIXEL_DISCARDED)
        sch_text_add(reason, REASON, "discarded by the fragment shader %.60s", statement->fragment);
    else if (sample->outcome == SCH_PIXEL_CULLED)
        sch_text_add(reason, REASON, "culled: a %s face", event->back_face ? "back" : "front");
    else if (sample->outcome == SCH_PIXEL_PROGRAM_MASK)
        sch_text_add(reason, REASON, "not in the sample mask that the fragment shader wrote, 0x%x", event->sample_mask);
    else if (sample->outcome == SCH_PIXEL_ALPHA_TO_COVERAGE)
        sch_text_add(reason, REASON, "not covered by alpha, %.6g", (double)event->colors[0].f[3]);
    else
        say_tests(event, sample, reason);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

enum { BUFFER, BEFORE, FRAGMENT, AFTER, CELLS };

struct row {
    char cell[CELLS][CELL];
};

/* Rows that samples have in common. */
struct block {
    uint32_t samples; /* bits */
    unsigned rows;
    struct row row[BUFFERS];
};

struct table {
    unsigned blocks;
    struct block block[MOST_SAMPLES];
};

/* A row that says nothing is taken back: what a buffer has did not change, and no fragment came so far. */
static void end_row(struct block *block)
{
    const struct row *row = &block->row[block->rows];
    if (*row->cell[FRAGMENT] || strcmp(row->cell[BEFORE], row->cell[AFTER]) != 0) block->rows++;
}

static struct row *begin_row(struct block *block)
{
    struct row *row = &block->row[block->rows];
    for (unsigned c = 0; c < CELLS; c++) *row->cell[c] = 0;
    return row;
}

static void put_buffer(char *cell, const struct sch_pixel_event *event, unsigned n)
{
    static const char channels[] = "rgba";
    const unsigned mask = event->color_masks[n];
    sch_text_add(cell, CELL, "color %u", n);
    if (!event->ran) return;
    if (event->blends >> n & 1) sch_text_add(cell, CELL, " blended");
    if (mask == 15) return;
    sch_text_add(cell, CELL, mask ? " only " : " not written");
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) sch_text_add(cell, CELL, "%c", channels[c]);
}

/* Whether the fragment's colour came so far that this sample could receive it. */
static bool is_shaded(const struct sch_pixel_event *event, const struct sch_pixel_sample *sample)
{
    switch (sample->outcome) {
    case SCH_PIXEL_DISCARDED:
    case SCH_PIXEL_PROGRAM_MASK:
    case SCH_PIXEL_ALPHA_TO_COVERAGE:
    case SCH_PIXEL_ALPHA_TEST:
    case SCH_PIXEL_PASSED:
        return true;
    case SCH_PIXEL_DEPTH_BOUNDS:
    case SCH_PIXEL_STENCIL:
    case SCH_PIXEL_DEPTH:
        return !event->early_tests;
    default:
        return false;
    }
}

static void add_color(struct block *block, const struct sch_pixel_event *event, const struct sch_pixel_sample *sample,
                      unsigned n)
{
    struct row *row = begin_row(block);
    const enum sch_format format = event->color_formats[n];
    put_buffer(row->cell[BUFFER], event, n);
    put_color(row->cell[BEFORE], format, &sample->before.colors[n], false);
    if (event->color_writes >> n & 1 && is_shaded(event, sample))
        put_color(row->cell[FRAGMENT], format, &event->colors[n], true);
    put_color(row->cell[AFTER], format, &sample->after.colors[n], false);
    end_row(block);
}

static void add_depth(struct block *block, const struct sch_pixel_sample *sample)
{
    struct row *row = begin_row(block);
    sch_text_add(row->cell[BUFFER], CELL, "depth");
    sch_text_add(row->cell[BEFORE], CELL, "%.9g", sample->before.depth);
    if (sample->has_depth) sch_text_add(row->cell[FRAGMENT], CELL, "%.9g", sample->depth);
    sch_text_add(row->cell[AFTER], CELL, "%.9g", sample->after.depth);
    end_row(block);
}

/* Whether the stencil test was reached. */
static bool is_referred(const struct sch_pixel_event *event, const struct sch_pixel_sample *sample)
{
    return event->stencil_test && (sample->has_depth || sample->outcome == SCH_PIXEL_STENCIL ||
                                   sample->outcome == SCH_PIXEL_DEPTH || sample->outcome == SCH_PIXEL_PASSED);
}

static void add_stencil(struct block *block, const struct sch_pixel_event *event, const struct sch_pixel_sample *sample)
{
    struct row *row = begin_row(block);
    sch_text_add(row->cell[BUFFER], CELL, "stencil");
    sch_text_add(row->cell[BEFORE], CELL, "0x%02x", sample->before.stencil);
    if (is_referred(event, sample)) sch_text_add(row->cell[FRAGMENT], CELL, "0x%02x", event->stencil_reference);
    sch_text_add(row->cell[AFTER], CELL, "0x%02x", sample->after.stencil);
    end_row(block);
}

static bool is_same(const struct block *a, const struct block *b)
{
    if (a->rows != b->rows) return false;
    for (unsigned r = 0; r < a->rows; r++)
        for (unsigned c = 0; c < CELLS; c++)
            if (strcmp(a->row[r].cell[c], b->row[r].cell[c]) != 0) return false;
    return true;
}

static void add_sample(struct table *table, const struct sch_pixel_event *event, const struct sch_pixel_sample *sample,
                       uint32_t number)
{
    struct block *block = &table->block[table->blocks];
    const uint32_t parts = event->depth_stencil_format ? info_of(event->depth_stencil_format).parts : 0;
    block->rows = 0;
    block->samples = UINT32_C(1) << number;
    for (unsigned n = 0; n < SCH_COLOR_BUFFERS; n++)
        if (event->color_formats[n]) add_color(block, event, sample, n);
    if (parts & SCH_PART_DEPTH) add_depth(block, sample);
    if (parts & SCH_PART_STENCIL) add_stencil(block, event, sample);
    if (!block->rows) return;
    for (unsigned b = 0; b < table->blocks; b++)
        if (is_same(&table->block[b], block)) {
            table->block[b].samples |= block->samples;
            return;
        }
    table->blocks++;
}

/* "all", or numbers. */
static void put_samples(char *cell, uint32_t samples, uint32_t count)
{
    const uint32_t all = UINT32_MAX >> (32 - count);
    const char *between = "";
    if (samples == all) sch_text_add(cell, CELL, "all");
    for (uint32_t s = 0; s < count && samples != all; s++) {
        if (!(samples >> s & 1)) continue;
        sch_text_add(cell, CELL, "%s%" PRIu32, between, s);
        between = " ";
    }
}

static void print_line(const unsigned width[CELLS + 1], const char *const cells[CELLS + 1])
{
    int blanks = 0;
    for (unsigned c = 0; c <= CELLS; c++) {
        if (!width[c]) continue;
        blanks += 2;
        if (*cells[c]) {
            printf("%*s%s", blanks, "", cells[c]);
            blanks = 0;
        }
        blanks += (int)(width[c] - strlen(cells[c]));
    }
    putchar('\n');
}

/* Columns that have a text are as wide as the widest cell. */
static void print_table(const struct table *table, uint32_t samples)
{
    static const char *const heads[CELLS + 1] = {"sample", "", "before", "fragment", "after"};
    char names[MOST_SAMPLES][CELL];
    unsigned width[CELLS + 1] = {samples > 1 ? (unsigned)strlen(heads[0]) : 0};
    if (!table->blocks) return;
    for (unsigned b = 0; b < table->blocks; b++) {
        const struct block *block = &table->block[b];
        *names[b] = 0;
        put_samples(names[b], block->samples, samples);
        if (samples > 1 && width[0] < strlen(names[b])) width[0] = (unsigned)strlen(names[b]);
        for (unsigned r = 0; r < block->rows; r++)
            for (unsigned c = 0; c < CELLS; c++) {
                const size_t length = strlen(block->row[r].cell[c]), head = strlen(heads[c + 1]);
                if (length && width[c + 1] < head) width[c + 1] = (unsigned)head;
                if (width[c + 1] < length) width[c + 1] = (unsigned)length;
            }
    }
    print_line(width, heads);
    for (unsigned b = 0; b < table->blocks; b++)
        for (unsigned r = 0; r < table->block[b].rows; r++) {
            const char *cells[CELLS + 1] = {r ? "" : names[b]};
            for (unsigned c = 0; c < CELLS; c++) cells[c + 1] = table->block[b].row[r].cell[c];
            print_line(width, cells);
        }
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void print_draw(const struct sch_pixel_event *event, const struct sch_scene_statement *statement)
{
    static const char *const shapes[] = {"", "point", "line", "triangle"};
    printf(" %s, primitive %" PRIu32, statement->primitive, event->primitive_id);
    if (statement->instanced) printf(" of instance %" PRIu32, event->instance);
    if (statement->several) printf(" of draw %" PRIu32, event->draw_id);
    printf(": a %s", shapes[event->shape]);
    for (uint32_t v = 0; v < event->vertex_count; v++)
        printf("%s%" PRIu32, v ? " " : event->vertex_count > 1 ? " of vertices " : " of vertex ", event->vertices[v]);
    if (event->shape == SCH_PIXEL_TRIANGLE) printf(", %s face", event->back_face ? "back" : "front");
    if (event->viewport) printf(", viewport %" PRIu32, event->viewport);
}

static void print_source(const char *source)
{
    printf(" from ");
    sch_cli_print_clean(stdout, source);
    printf("; --target ");
    sch_cli_print_clean(stdout, source);
    printf(" explains what was drawn there");
}

static void print_head(const struct sch_scene_statement *statement, uint32_t number,
                       const struct sch_pixel_event *event)
{
    printf("\n%" PRIu32 ". line %" PRIu32, number, statement->line);
    if (*statement->pass_name) {
        printf(", pass ");
        sch_cli_print_clean(stdout, statement->pass_name);
    }
    printf(": %s", statement->word);
    if (event->kind == SCH_PIXEL_DRAW) print_draw(event, statement);
    if (event->kind == SCH_PIXEL_OTHER && statement->in_pass) printf(", by a store of a shader");
    if (statement->source) print_source(statement->source);
    putchar('\n');
}

static void print_coverage(const struct sch_pixel_event *event)
{
    const uint32_t count = (uint32_t)__builtin_popcount(event->covered);
    if (event->kind != SCH_PIXEL_DRAW) return;
    if (event->part < 256) printf("  covers %" PRIu32 "/256 of the pixel\n", event->part);
    if (event->samples == 1 || !count) return;
    if (event->per_sample)
        printf("  the fragment shader runs for each sample: this is sample %d\n", __builtin_ctz(event->covered));
    else if (count < event->samples)
        printf("  covers %" PRIu32 " of %" PRIu32 " samples%s\n", count, event->samples,
               event->center_covered ? "" : ", not the centre");
}

/* A line for each reason, with the samples that have it. */
static void print_reasons(const struct sch_pixel_event *event, char (*reasons)[REASON])
{
    uint32_t printed = 0;
    for (uint32_t s = 0; s < event->samples; s++) {
        uint32_t same = 0;
        char name[CELL] = "";
        if (printed >> s & 1 || !*reasons[s]) continue;
        for (uint32_t i = s; i < event->samples; i++)
            if (strcmp(reasons[i], reasons[s]) == 0) same |= UINT32_C(1) << i;
        printed |= same;
        put_samples(name, same, event->samples);
        if (event->samples == 1)
            printf("  ");
        else if (*name == 'a')
            printf("  all samples: ");
        else
            printf("  sample%s %s: ", same & (same - 1) ? "s" : "", name);
        sch_cli_print_clean(stdout, reasons[s]);
        putchar('\n');
    }
}

/* Sample `s` of the events first to last, which are one clear. */
static struct sch_pixel_sample sample_of(const struct sch_pixel_history *history, uint32_t first, uint32_t last,
                                         uint32_t s)
{
    struct sch_pixel_sample sample = {.size = sizeof sample}, end = sample;
    sch_pixel_history_get_sample(history, first, s, &sample);
    sch_pixel_history_get_sample(history, last, s, &end);
    sample.after = end.after;
    return sample;
}

uint32_t sch_cli_pixel_event_end(const struct sch_pixel_history *history, uint32_t first)
{
    struct sch_pixel_event event = {.size = sizeof event}, next = event;
    uint32_t end = first + 1;
    sch_pixel_history_get_event(history, first, &event);
    while (event.kind == SCH_PIXEL_CLEAR && sch_pixel_history_get_event(history, end, &next) == SCH_OK &&
           next.kind == SCH_PIXEL_CLEAR && next.label == event.label)
        end++;
    return end;
}

static void print_event(const struct sch_scene *scene, const struct sch_pixel_history *history, uint32_t first,
                        uint32_t end, uint32_t number, struct table *table)
{
    struct sch_pixel_event event = {.size = sizeof event};
    struct sch_scene_statement statement;
    char reasons[MOST_SAMPLES][REASON];
    sch_pixel_history_get_event(history, first, &event);
    sch_scene_find_statement(scene, event.label, &statement);
    table->blocks = 0;
    for (uint32_t s = 0; s < event.samples; s++) {
        const struct sch_pixel_sample sample = sample_of(history, first, end - 1, s);
        say(&event, &statement, &sample, reasons[s]);
        if (event.per_sample && sample.outcome == SCH_PIXEL_NOT_COVERED) *reasons[s] = 0;
        add_sample(table, &event, &sample, s);
    }
    print_head(&statement, number, &event);
    print_coverage(&event);
    print_reasons(&event, reasons);
    if (event.kind != SCH_PIXEL_DRAW && !table->blocks && !*reasons[0]) puts("  changed nothing");
    print_table(table, event.samples);
}

static void print_title(const struct sch_pixel_history *history, const char *target,
                        const struct sch_scene_pixel *pixel)
{
    struct sch_pixel_event event = {.size = sizeof event};
    printf("pixel %" PRIu32 ",%" PRIu32 " of ", pixel->x, pixel->y);
    sch_cli_print_clean(stdout, target);
    if (sch_pixel_history_get_event(history, 0, &event) != SCH_OK) {
        puts(": nothing was drawn there");
        return;
    }
    const bool color = event.buffer < SCH_COLOR_BUFFERS;
    printf(", %s", info_of(color ? event.color_formats[event.buffer] : event.depth_stencil_format).name);
    if (event.samples > 1) printf(", %" PRIu32 " samples", event.samples);
    putchar('\n');
}

enum sch_cli_exit sch_cli_print_pixel(const struct sch_scene *scene, const struct sch_scene_player *player,
                                      const struct sch_scene_pixel *pixel)
{
    const char *target;
    const struct sch_pixel_history *history = sch_scene_player_history(player, &target);
    struct sch_pixel_history_info info = {.size = sizeof info};
    if (!history) return SCH_CLI_YES; /* why was reported */
    struct table *table = malloc(sizeof *table);
    if (!table) return sch_cli_no_memory();
    sch_pixel_history_get_info(history, &info);
    print_title(history, target, pixel);
    for (uint32_t first = 0, end, number = 1; first < info.event_count; first = end, number++) {
        end = sch_cli_pixel_event_end(history, first);
        print_event(scene, history, first, end, number, table);
    }
    if (info.not_kept) printf("\n%" PRIu64 " more events are not shown\n", info.not_kept);
    free(table);
    return SCH_CLI_YES;
}
