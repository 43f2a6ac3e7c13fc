/* The options of one lookup, and the lookup made of them. */
#include "lookup_options.h"

#include <string.h>

/* By enum sch_cli_op. */
static const char *const ops[] = {"sample", "sample_l", "sample_b", "sample_d", "sample_c", "gather",
                                  "fetch",  "size",     "samples",  "lod",      NULL};

void sch_cli_lookup_init(struct sch_cli_lookup_options *options)
{
    memset(options, 0, sizeof *options);
    sch_cli_state_init(&options->state);
    for (unsigned i = 0; i < 4; i++) options->at[i].is_integer = true;
}

/* Up to `most` numbers; the others stay zero. */
static bool take_numbers(struct sch_cli_value *values, unsigned most, const char *text,
                         struct sch_cli_complaint *complaint)
{
    unsigned count = sch_cli_read_values(text, values, most);
    for (unsigned i = count; i < most; i++) values[i] = (struct sch_cli_value){0, 0, true};
    if (count) return true;
    return sch_cli_complain(complaint, "it takes up to %u numbers with commas between them, not %s", most, text);
}

static bool take_floats(float *to, unsigned most, const char *text, struct sch_cli_complaint *complaint)
{
    struct sch_cli_value values[4];
    if (!take_numbers(values, most, text, complaint)) return false;
    for (unsigned i = 0; i < most; i++) memcpy(&to[i], &values[i].bits, sizeof to[i]);
    return true;
}

static bool take_integers(uint32_t *to, unsigned most, const char *text, struct sch_cli_complaint *complaint)
{
    struct sch_cli_value values[4];
    if (!take_numbers(values, most, text, complaint)) return false;
    for (unsigned i = 0; i < most; i++) {
        to[i] = values[i].integer;
        if (values[i].is_integer) continue;
        return sch_cli_complain(complaint, "it takes integers, not %s", text);
    }
    return true;
}

enum number { TEX, OP, AT, LOD, LEVEL, BIAS, DDX, DDY, REF, OFFSET, COMPONENT, INDEX, WIDTH };

static bool take_width(struct sch_cli_lookup_options *options, const char *value, struct sch_cli_complaint *complaint)
{
    uint64_t number;
    if (sch_cli_number(value, 4, 16, &number) && (number & (number - 1)) == 0) {
        options->width = (uint32_t)number;
        return true;
    }
    return sch_cli_complain(complaint, "it is 4, 8 or 16, not %s", value);
}

static bool take_op(struct sch_cli_lookup_options *options, const char *value, struct sch_cli_complaint *complaint)
{
    uint32_t op;
    if (sch_words_find(ops, value, strlen(value), &op)) {
        options->op = (enum sch_cli_op)op;
        return true;
    }
    struct sch_nearest nearest = sch_nearest_word(ops, value, strlen(value));
    return sch_cli_complain(complaint, "there is no operation %s%s", value, sch_nearest_said(&nearest));
}

static unsigned count_values(const char *value)
{
    struct sch_cli_value values[4];
    return sch_cli_read_values(value, values, 4);
}

#define IN(member) offsetof(struct sch_cli_lookup_options, member)

/* What an option is read as, and where it goes: its numbers, whether it was given, how many numbers it had (0:
 * nowhere). Names are those of options.def. */
enum reads { NAME, OPERATION, NUMBERS, FLOATS, INTEGERS, LANES };
static const struct row {
    enum sch_cli_option_id id;
    enum reads reads;
    unsigned most;
    size_t to, has, count;
} rows[] = {[TEX] = {SCH_OPTION_SAMPLE_TEX, NAME, 0, 0, 0, 0},
            [OP] = {SCH_OPTION_OP, OPERATION, 0, 0, 0, 0},
            [AT] = {SCH_OPTION_AT, NUMBERS, 4, IN(at), 0, IN(at_count)},
            [LOD] = {SCH_OPTION_LOD, NUMBERS, 1, IN(lod), IN(has_lod), 0},
            [LEVEL] = {SCH_OPTION_LOOKUP_LEVEL, NUMBERS, 1, IN(lod), IN(has_lod), 0},
            [BIAS] = {SCH_OPTION_BIAS, FLOATS, 1, IN(bias), IN(has_bias), 0},
            [DDX] = {SCH_OPTION_DDX, FLOATS, 3, IN(ddx), 0, IN(ddx_count)},
            [DDY] = {SCH_OPTION_DDY, FLOATS, 3, IN(ddy), 0, IN(ddy_count)},
            [REF] = {SCH_OPTION_REF, FLOATS, 1, IN(reference), IN(has_reference), 0},
            [OFFSET] = {SCH_OPTION_OFFSET, INTEGERS, 3, IN(offset), 0, IN(offset_count)},
            [COMPONENT] = {SCH_OPTION_COMPONENT, INTEGERS, 1, IN(component), 0, 0},
            [INDEX] = {SCH_OPTION_INDEX, INTEGERS, 1, IN(sample), 0, 0},
            [WIDTH] = {SCH_OPTION_WIDTH, LANES, 0, 0, 0, 0}};

static bool take_own(struct sch_cli_lookup_options *options, enum number option, const char *value,
                     struct sch_cli_complaint *complaint)
{
    const struct row *row = &rows[option];
    void *to = (char *)options + row->to;
    options->given |= 1u << option;
    if (row->has) *((bool *)options + row->has) = true;
    if (row->count) *(unsigned *)(void *)((char *)options + row->count) = count_values(value);
    if (row->reads == OPERATION) return take_op(options, value, complaint);
    if (row->reads == NUMBERS) return take_numbers(to, row->most, value, complaint);
    if (row->reads == FLOATS) return take_floats(to, row->most, value, complaint);
    if (row->reads == INTEGERS) return take_integers(to, row->most, value, complaint);
    if (row->reads == LANES) return take_width(options, value, complaint);
    options->texture = value;
    return true;
}

static const char *option_name(enum number option) { return sch_cli_options[rows[option].id].name + strlen("--"); }

static bool find_own(const char *name, size_t bytes, enum number *found)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *found = (enum number)i;
        if (strncmp(option_name(*found), name, bytes) == 0 && !option_name(*found)[bytes]) return true;
    }
    return false;
}

static enum sch_cli_taken complain(struct sch_cli_complaint *complaint, const char *name, const char *text)
{
    char copy[sizeof complaint->text];
    snprintf(copy, sizeof copy, "%s", text);
    sch_cli_complain(complaint, "%.40s: %.270s", name, copy);
    return SCH_CLI_WRONG;
}

enum sch_cli_taken sch_cli_lookup_option(struct sch_cli_lookup_options *options, const char *name, const char *value,
                                         bool *used_value, struct sch_cli_complaint *complaint)
{
    *used_value = false;
    if (name[0] != '-' || name[1] != '-') return SCH_CLI_NO_OPTION;
    const char *word = name + 2;
    size_t bytes = strcspn(word, "=");
    if (bytes == 0) return SCH_CLI_NO_OPTION;
    enum number option;
    bool own = find_own(word, bytes, &option);
    if (!own && !sch_cli_state_has(word, bytes)) return SCH_CLI_NO_OPTION;

    bool flag = bytes == 12 && memcmp(word, "unnormalized", bytes) == 0;
    if (flag && word[bytes]) return complain(complaint, name, "it takes no value");
    if (flag) return sch_cli_state_option(&options->state, word, bytes, "1", complaint);
    if (word[bytes])
        value = word + bytes + 1;
    else
        *used_value = true;
    if (!value) return complain(complaint, name, "it needs a value");
    if (own && take_own(options, option, value, complaint)) return SCH_CLI_TAKEN;
    if (!own && sch_cli_state_option(&options->state, word, bytes, value, complaint) == SCH_CLI_TAKEN)
        return SCH_CLI_TAKEN;
    return complain(complaint, name, complaint->text);
}

/* ---- what an operation takes ---- */

#define BIT(option) (1u << (option))
enum { ANY = BIT(TEX) | BIT(OP) | BIT(WIDTH), DERIVATIVES = BIT(DDX) | BIT(DDY), LEVELS = BIT(LOD) | BIT(LEVEL) };

/* One row an operation: the options that it looks at, beside ANY and the state of view and sampler. `--ref` goes with
 * lookups that compare: SAMPLE_C, gathers, and samples of a SHADOW target. */
static const struct {
    uint32_t takes;
    bool at_coordinates;
} operations[] = {[SCH_CLI_OP_SAMPLE] = {BIT(AT) | DERIVATIVES | BIT(REF) | BIT(OFFSET), true},
                  [SCH_CLI_OP_SAMPLE_L] = {BIT(AT) | LEVELS | BIT(REF) | BIT(OFFSET), true},
                  [SCH_CLI_OP_SAMPLE_B] = {BIT(AT) | DERIVATIVES | BIT(BIAS) | BIT(REF) | BIT(OFFSET), true},
                  [SCH_CLI_OP_SAMPLE_D] = {BIT(AT) | DERIVATIVES | BIT(REF) | BIT(OFFSET), true},
                  [SCH_CLI_OP_SAMPLE_C] = {BIT(AT) | DERIVATIVES | LEVELS | BIT(BIAS) | BIT(REF) | BIT(OFFSET), true},
                  [SCH_CLI_OP_GATHER] = {BIT(AT) | BIT(REF) | BIT(OFFSET) | BIT(COMPONENT), true},
                  [SCH_CLI_OP_FETCH] = {BIT(AT) | LEVELS | BIT(OFFSET) | BIT(INDEX), true},
                  [SCH_CLI_OP_SIZE] = {LEVELS, false},
                  [SCH_CLI_OP_SAMPLES] = {0, false},
                  [SCH_CLI_OP_LOD] = {BIT(AT) | DERIVATIVES, false}};

/* How many coordinates a lookup on a target takes; how many a fetch takes, which counts a cube's faces as layers; and
 * how many of them are not layers, but have derivatives and offsets. */
static const struct {
    uint8_t coordinates, of_fetch, axes;
} targets[] = {
    [SCH_TARGET_BUFFER] = {1, 1, 1},   [SCH_TARGET_1D] = {1, 1, 1},           [SCH_TARGET_2D] = {2, 2, 2},
    [SCH_TARGET_RECT] = {2, 2, 2},     [SCH_TARGET_3D] = {3, 3, 3},           [SCH_TARGET_CUBE] = {3, 3, 3},
    [SCH_TARGET_1D_ARRAY] = {2, 2, 1}, [SCH_TARGET_2D_ARRAY] = {3, 3, 2},     [SCH_TARGET_CUBE_ARRAY] = {4, 3, 3},
    [SCH_TARGET_2D_MSAA] = {2, 2, 2},  [SCH_TARGET_2D_ARRAY_MSAA] = {3, 3, 2}};

void sch_cli_lookup_for_all(struct sch_cli_lookup_options *options) { options->given = 0; }

/* Whether the operation takes the options that were given. */
static bool takes_all(const struct sch_cli_lookup_options *options, struct sch_cli_complaint *complaint)
{
    uint32_t takes = operations[options->op].takes | ANY;
    bool compares = options->state.shadow || options->op == SCH_CLI_OP_SAMPLE_C || options->op == SCH_CLI_OP_GATHER;
    if (!compares) takes &= ~BIT(REF);
    if (options->op == SCH_CLI_OP_SAMPLE_C && options->has_lod) takes &= ~(DERIVATIVES | BIT(BIAS));
    for (unsigned option = 0; option <= WIDTH; option++) {
        if (!((options->given & ~takes) >> option & 1)) continue;
        bool otherwise = operations[options->op].takes >> option & 1;
        return sch_cli_complain(complaint, "--op %s does not take --%s%s", ops[options->op],
                                option_name((enum number)option),
                                !otherwise      ? ""
                                : option == REF ? " on a target without SHADOW"
                                                : " beside --lod");
    }
    return true;
}
#undef BIT

/* Whether an option that was given says a number for each of `needed`. */
static bool says_enough(const struct sch_cli_lookup_options *options, enum number option, unsigned count,
                        unsigned needed, struct sch_cli_complaint *complaint)
{
    const bool always = option == AT;
    if (count >= needed || (!always && !count)) return true;
    return sch_cli_complain(complaint, "--%s: %u of %u %s that --op %s needs on this target", option_name(option),
                            count, needed, always ? "coordinates" : "numbers", ops[options->op]);
}

bool sch_cli_lookup_places(const struct sch_cli_lookup_options *options, struct sch_cli_complaint *complaint)
{
    const bool fetches = options->op == SCH_CLI_OP_FETCH;
    const unsigned axes = targets[options->state.target].axes,
                   needed =
                       fetches ? targets[options->state.target].of_fetch : targets[options->state.target].coordinates;
    if (operations[options->op].at_coordinates && !says_enough(options, AT, options->at_count, needed, complaint))
        return false;
    return says_enough(options, DDX, options->ddx_count, axes, complaint) &&
           says_enough(options, DDY, options->ddy_count, axes, complaint) &&
           says_enough(options, OFFSET, options->offset_count, axes, complaint);
}

/* Which lookup it is, and whether it compares: SAMPLE_C always, gathers where there is a reference, and all on a SHADOW
 * target. */
static void choose_lookup(const struct sch_cli_lookup_options *options, struct sch_lookup *lookup)
{
    static const enum sch_lookup_operation lookups[] = {
        [SCH_CLI_OP_SAMPLE] = SCH_LOOKUP_SAMPLE,     [SCH_CLI_OP_SAMPLE_L] = SCH_LOOKUP_SAMPLE_L,
        [SCH_CLI_OP_SAMPLE_B] = SCH_LOOKUP_SAMPLE_B, [SCH_CLI_OP_SAMPLE_D] = SCH_LOOKUP_SAMPLE_D,
        [SCH_CLI_OP_SAMPLE_C] = SCH_LOOKUP_SAMPLE,   [SCH_CLI_OP_GATHER] = SCH_LOOKUP_GATHER,
        [SCH_CLI_OP_FETCH] = SCH_LOOKUP_FETCH,       [SCH_CLI_OP_SIZE] = SCH_LOOKUP_SIZE,
        [SCH_CLI_OP_SAMPLES] = SCH_LOOKUP_SAMPLES,   [SCH_CLI_OP_LOD] = SCH_LOOKUP_LOD};
    lookup->operation = lookups[options->op];
    lookup->compare = options->state.shadow && (options->op <= SCH_CLI_OP_GATHER);
    if (options->op == SCH_CLI_OP_GATHER && options->has_reference) lookup->compare = true;
    if (options->op != SCH_CLI_OP_SAMPLE_C) return;
    lookup->compare = true;
    if (options->has_lod)
        lookup->operation = SCH_LOOKUP_SAMPLE_L;
    else if (options->has_bias)
        lookup->operation = SCH_LOOKUP_SAMPLE_B;
}

bool sch_cli_lookup_of(const struct sch_cli_lookup_options *options, struct sch_lookup *lookup,
                       struct sch_cli_complaint *complaint)
{
    *lookup = (struct sch_lookup){.size = sizeof *lookup,
                                  .reference = options->reference,
                                  .bias = options->bias,
                                  .component = options->component,
                                  .sample = options->sample};
    if (!takes_all(options, complaint)) return false;
    choose_lookup(options, lookup);
    bool words = lookup->operation == SCH_LOOKUP_FETCH;
    for (unsigned i = 0; i < 4; i++) {
        memcpy(&lookup->at[i], &options->at[i].bits, sizeof lookup->at[i]);
        lookup->texel[i] = options->at[i].integer;
        if (!words || options->at[i].is_integer) continue;
        return sch_cli_complain(complaint, "--at: a fetch takes integers");
    }
    words = words || lookup->operation == SCH_LOOKUP_SIZE;
    if (words && options->has_lod && !options->lod.is_integer)
        return sch_cli_complain(complaint, "--lod: the level of a fetch or a size is an integer");
    memcpy(&lookup->lod, &options->lod.bits, sizeof lookup->lod);
    lookup->level = options->lod.integer;
    memcpy(lookup->ddx, options->ddx, sizeof lookup->ddx);
    memcpy(lookup->ddy, options->ddy, sizeof lookup->ddy);
    memcpy(lookup->offset, options->offset, sizeof lookup->offset);
    return true;
}
