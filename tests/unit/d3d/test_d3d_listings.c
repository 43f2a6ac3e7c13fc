/* What Direct3D programs are lowered to, and what TGSI is raised to, as text: each program of tests/golden/d3d/lower
 * and tests/golden/d3d/raise gives the listing that stands beside it, which was read against docs/d3d.md, line by line,
 * before it was put there. Lowering takes programs that break rules, too: what it refuses, by line and words. */
#include "d3d_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/counting.h"
#include "d3d/check/check.h"
#include "d3d/lower/lower.h"
#include "d3d/raise/raise.h"
#include "d3d/text/text.h"
#include "ir/check.h"
#include "isa/errors.h"

#define TEST(name) cmocka_unit_test(name)

enum { PATH = 4096 };

static void init(struct sch_diagnostics *list, const char *name, const char *text)
{
    sch_diagnostics_init(list, &sch_allocator_libc, 0);
    sch_diagnostics_source(list, name, text, strlen(text));
}

static struct sch_d3d_shader *assemble(const char *name, const char *text, struct sch_diagnostics *list)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    if (sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), list, &shader) != SCH_OK) {
        d3d_print_reports(name, list);
        fail_msg("not assembled: %s", name);
    }
    return shader;
}

static enum sch_result lower(const struct sch_d3d_shader *shader, struct sch_diagnostics *list,
                             struct sch_ir_shader **ir)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    return sch_d3d_lower(shader->program, shader->signatures, &sch_allocator_libc, &limits, list, NULL, ir);
}

static enum sch_result lower_within(const struct sch_d3d_shader *shader, const struct sch_limits *limits)
{
    struct sch_ir_shader *ir;
    enum sch_result status =
        sch_d3d_lower(shader->program, shader->signatures, &sch_allocator_libc, limits, NULL, NULL, &ir);
    assert_true((status == SCH_OK) == (ir != NULL));
    sch_ir_destroy(ir);
    return status;
}

/* ---- listings ---- */

/* Lookups and accesses say nothing of what they look into: the declarations do. */
static void assert_unsaid(const struct sch_ir_shader *ir)
{
    for (size_t i = 0; i < ir->instruction_count; i++) {
        const struct sch_ir_instruction *in = &ir->instructions[i];
        if (in->has_texture) assert_int_equal(in->target, SCH_TARGET_UNKNOWN);
        if (in->has_texture) assert_int_equal(in->return_type, SCH_RETURN_UNKNOWN);
        if (in->has_memory) assert_int_equal(in->memory_target, SCH_TARGET_UNKNOWN);
    }
}

/* The listing that the text of a file becomes, from malloc. */
typedef char *translate(const char *name, const char *text);

static char *lowered(const char *name, const char *text)
{
    struct sch_diagnostics list;
    struct sch_ir_shader *ir = NULL;
    init(&list, name, text);
    struct sch_d3d_shader *shader = assemble(name, text, &list);
    bool good = sch_d3d_check(shader->program, shader->signatures, &list) == SCH_OK &&
                lower(shader, &list, &ir) == SCH_OK && sch_ir_check(ir, &list) == SCH_OK;
    if (!good) d3d_print_reports(name, &list);
    assert_true(good);
    assert_unsaid(ir);
    char *listing = print_shader(ir, SCH_FLOAT_TEXT_SOURCE);
    sch_ir_destroy(ir);
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&list);
    return listing;
}

static char *raised(const char *name, const char *text)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct reading reading = read_string(text);
    struct sch_d3d_shader *shader = NULL;
    if (!reading.shader) fail_msg("not read: %s", name);
    bool good = sch_ir_check(reading.shader, &reading.diagnostics) == SCH_OK &&
                sch_d3d_raise(reading.shader, &sch_allocator_libc, &limits, &reading.diagnostics, &shader) == SCH_OK;
    if (!good) d3d_print_reports(name, &reading.diagnostics);
    assert_true(good);
    char *listing;
    size_t bytes;
    assert_int_equal(sch_d3d_print(shader, SCH_LISTING_FXC, &sch_allocator_libc, &listing, &bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    release(&reading);
    return listing;
}

static char *printed(const char *name, const char *text, enum sch_listing_style style)
{
    struct sch_diagnostics list;
    init(&list, name, text);
    struct sch_d3d_shader *shader = assemble(name, text, &list);
    char *listing;
    size_t bytes;
    assert_int_equal(sch_d3d_print(shader, style, &sch_allocator_libc, &listing, &bytes), SCH_OK);
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&list);
    return listing;
}

static char *as_peer(const char *name, const char *text) { return printed(name, text, SCH_LISTING_VKD3D); }
static char *as_dump(const char *name, const char *text) { return printed(name, text, SCH_LISTING_FXC_DUMP); }
static char *as_fxc(const char *name, const char *text) { return printed(name, text, SCH_LISTING_FXC); }

/* The first line where two texts differ. */
static void show_difference(const char *name, const char *one, const char *other)
{
    unsigned line = 1;
    while (*one && *one == *other) {
        line += *one == '\n';
        one++;
        other++;
    }
    print_message("# %s: line %u, from where they differ:\n# %.*s\n# wanted: %.*s\n", name, line,
                  (int)strcspn(one, "\n"), one, (int)strcspn(other, "\n"), other);
}

/* Tables have blanks at the end of their lines; files of the tree have none. */
static void trim_lines(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        if (*at == '\n')
            while (to > text && to[-1] == ' ') to--;
        *to++ = *at;
    }
    *to = 0;
}

/* Without an ending nothing is compared. */
static bool is_listed(const char *folder, const char *name, const char *ending, translate *how)
{
    char path[PATH];
    size_t bytes, stem = (size_t)(strrchr(name, '.') - name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = load_file(path, &bytes), *wanted = NULL;
    snprintf(path, sizeof path, "%s/%.*s.%s", folder, (int)stem, name, ending ? ending : "");
    if (ending) wanted = load_file(path, &bytes);
    if (!text || (ending && !wanted)) fail_msg("%s is not there", path);
    char *listing = how(name, text);
    if (listing) trim_lines(listing);
    bool same = !ending || !strcmp(listing, wanted);
    if (!same) show_difference(name, listing, wanted);
    free(text);
    free(wanted);
    free(listing);
    return same;
}

static void compare_folder(const char *name, const char *from, const char *to, translate *how, unsigned least)
{
    char folder[PATH];
    unsigned count = 0, wrong = 0;
    snprintf(folder, sizeof folder, "%s/tests/golden/d3d/%s", getenv("SCH_SOURCE"), name);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending + 1, from)) continue;
        wrong += !is_listed(folder, entry->d_name, to, how);
        count++;
    }
    closedir(dir);
    assert_int_equal(wrong, 0);
    assert_true(count >= least);
}

static void test_what_programs_are_lowered_to(void **state)
{
    (void)state;
    compare_folder("lower", "asm", "tgsi", lowered, 20);
}

static void test_what_shaders_are_raised_to(void **state)
{
    (void)state;
    compare_folder("raise", "tgsi", "asm", raised, 15);
}

/* Each spelling of what programs say; the files are what such listings are like. */
static void test_spellings_of_listings(void **state)
{
    (void)state;
    compare_folder("spellings", "asm", "fxc", as_fxc, 3);
    compare_folder("spellings", "asm", "vkd3d", as_peer, 3);
    compare_folder("spellings", "asm", "dump", as_dump, 3);
}

/* ---- limits ---- */

static enum sch_result with(struct counting *counting, enum sch_result run(const struct sch_allocator *, void *),
                            void *user)
{
    const struct sch_allocator allocator = counting_callbacks(counting);
    enum sch_result status = run(&allocator, user);
    assert_int_equal(counting->live, 0);
    return status;
}

/* Refused from any request on it ends with MEMORY, whatever it would be refused for. */
static bool needs_memory(enum sch_result run(const struct sch_allocator *, void *), void *user, enum sch_result end)
{
    struct counting all = {0};
    if (with(&all, run, user) != end) return false;
    for (long from = 1; from <= all.calls; from++) {
        struct counting counting = {.fail_from = from};
        if (with(&counting, run, user) != SCH_ERROR_MEMORY) return false;
    }
    return true;
}

static enum sch_result lower_with(const struct sch_allocator *allocator, void *user)
{
    const struct sch_d3d_shader *shader = user;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *ir;
    enum sch_result status = sch_d3d_lower(shader->program, shader->signatures, allocator, &limits, NULL, NULL, &ir);
    assert_true((status == SCH_OK) == (ir != NULL));
    sch_ir_destroy(ir);
    return status;
}

/* Where memory ends at any allocation the answer is MEMORY, where one instruction too many is made LIMIT. */
static bool keeps_limits(struct sch_d3d_shader *shader)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *ir;
    assert_int_equal(sch_d3d_lower(shader->program, shader->signatures, &sch_allocator_libc, &limits, NULL, NULL, &ir),
                     SCH_OK);
    limits.instructions = ir->instruction_count;
    sch_ir_destroy(ir);
    if (!needs_memory(lower_with, shader, SCH_OK)) return false;
    if (lower_within(shader, &limits) != SCH_OK) return false;
    limits.instructions--;
    return lower_within(shader, &limits) == SCH_ERROR_LIMIT;
}

static char *lowered_within(const char *name, const char *text)
{
    struct sch_diagnostics list;
    init(&list, name, text);
    struct sch_d3d_shader *shader = assemble(name, text, &list);
    if (!keeps_limits(shader)) fail_msg("%s: a limit is not kept", name);
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&list);
    return NULL;
}

static void test_limits_are_kept(void **state)
{
    (void)state;
    compare_folder("lower", "asm", NULL, lowered_within, 20);
}

/* ---- refusals ---- */

static const struct refusal {
    const char *text;
    unsigned line;
    const char *message;
} refusals[] = {
#define REFUSED(text, line, message) {text, line, message},
#define ALLOWED(text, words)
#define NOT_RAISED(text, reports)
#include "d3d_refused_cases.def"
#undef REFUSED
#undef ALLOWED
#undef NOT_RAISED
};

static const struct {
    const char *text, *words;
} allowed[] = {
#define REFUSED(text, line, message)
#define ALLOWED(text, words) {text, words},
#define NOT_RAISED(text, reports)
#include "d3d_refused_cases.def"
#undef REFUSED
#undef ALLOWED
#undef NOT_RAISED
};

/* All errors of each: a line of number, line and words, each. */
static const struct {
    const char *text, *reports;
} not_raised[] = {
#define REFUSED(text, line, message)
#define ALLOWED(text, words)
#define NOT_RAISED(text, reports) {text, reports},
#include "d3d_refused_cases.def"
#undef REFUSED
#undef ALLOWED
#undef NOT_RAISED
};

static bool is_refused(const struct refusal *row)
{
    struct sch_diagnostics list;
    struct sch_ir_shader *ir;
    init(&list, "refusal", row->text);
    struct sch_d3d_shader *shader = assemble("refusal", row->text, &list);
    size_t before = list.count;
    enum sch_result status = lower(shader, &list, &ir);
    const struct sch_diagnostic *first = list.count > before ? &list.items[before] : NULL;
    bool good = status == SCH_ERROR_UNSUPPORTED && !ir && first && first->code == SCH_D_D3D_NOT_LOWERED &&
                first->position.line == row->line && !strcmp(first->message, row->message);
    if (!good) {
        print_message("# wanted line %u: %s; of\n%s", row->line, row->message, row->text);
        d3d_print_reports("there is", &list);
    }
    sch_ir_destroy(ir);
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&list);
    return good;
}

/* Where memory ends first that is the answer. */
static void test_memory_of_what_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct sch_d3d_shader *shader = assemble("refusal", refusals[i].text, NULL);
        if (!needs_memory(lower_with, shader, SCH_ERROR_UNSUPPORTED)) fail_msg("%s", refusals[i].text);
        sch_d3d_shader_destroy(shader);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) wrong += !is_refused(&refusals[i]);
    assert_int_equal(wrong, 0);
}

static void test_what_is_lowered_beside(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        struct sch_diagnostics list;
        struct sch_ir_shader *ir;
        init(&list, "allowed", allowed[i].text);
        struct sch_d3d_shader *shader = assemble("allowed", allowed[i].text, &list);
        if (lower(shader, &list, &ir) != SCH_OK) d3d_print_reports(allowed[i].text, &list);
        assert_non_null(ir);
        char *listing = print_shader(ir, SCH_FLOAT_TEXT_SOURCE);
        if (!strstr(listing, allowed[i].words)) {
            print_message("# wanted: %s# of:\n%s# there is:\n%s", allowed[i].words, allowed[i].text, listing);
            wrong++;
        }
        free(listing);
        sch_ir_destroy(ir);
        sch_d3d_shader_destroy(shader);
        sch_diagnostics_release(&list);
    }
    assert_int_equal(wrong, 0);
}

/* One report for each opcode, and twenty at most; positions are those of the instructions. */
static void test_reports_are_few(void **state)
{
    (void)state;
    static const char *const words[] = {"add",  "div",  "dp2",  "dp3", "dp4", "eq",   "exp",  "frc",
                                        "ge",   "ieq",  "iadd", "ige", "ilt", "imax", "imin", "ine",
                                        "ishl", "ishr", "log",  "lt",  "max", "min",  "mul",  "ne"};
    enum { WORDS = sizeof words / sizeof *words, MOST = 20 };
    char text[4096] = "ps_5_0\n";
    for (size_t i = 0; i < WORDS; i++) {
        const char *two = strstr("exp frc log", words[i]) ? "" : ", r0.x";
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s r0.x, r0.x%s\n%s r0.x, r0.x%s\n", words[i], two,
                 words[i], two);
    }
    struct sch_diagnostics list;
    struct sch_ir_shader *ir;
    init(&list, "few", text);
    struct sch_d3d_shader *shader = assemble("few", text, &list);
    assert_int_equal(lower(shader, &list, &ir), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(list.count, MOST);
    for (unsigned i = 0; i < MOST; i++) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "%s: r0 is not declared", words[i]);
        assert_string_equal(list.items[i].message, wanted);
        assert_int_equal(list.items[i].position.line, 2 + 2 * i);
    }
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&list);
}

/* As many vectors as half of the immediates, and one more. */
static void test_immediate_vectors(void **state)
{
    (void)state;
    enum { MOST = 16383, ROOM = 9 * (MOST + 2) };
    for (unsigned count = MOST; count <= MOST + 1; count++) {
        char *text = malloc(ROOM + 100);
        size_t length = (size_t)sprintf(text, "ps_5_0\ndcl_immediateConstantBuffer {");
        for (unsigned i = 0; i < count; i++) length += (size_t)sprintf(text + length, "{0,0,0,%d}", i % 9 == 0);
        sprintf(text + length, "}\nret\n");
        struct sch_ir_shader *ir;
        struct sch_d3d_shader *shader = assemble("vectors", text, NULL);
        assert_int_equal(lower(shader, NULL, &ir), count > MOST ? SCH_ERROR_UNSUPPORTED : SCH_OK);
        if (ir) assert_int_equal(ir->immediate_count, MOST);
        sch_ir_destroy(ir);
        sch_d3d_shader_destroy(shader);
        free(text);
    }
}

/* ---- what the assembler refuses ---- */

static const struct broken {
    bool begun;
    const char *line;
    unsigned code, column;
    const char *words;
} broken[] = {
#define BROKEN(line, code, column, words)    {false, line, code, column, words},
#define BROKEN_IN(line, code, column, words) {true, line, code, column, words},
#include "d3d_broken_cases.def"
#undef BROKEN
#undef BROKEN_IN
};

static bool is_broken(const struct broken *row)
{
    char text[1024];
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics list;
    struct sch_d3d_shader *shader;
    const char *begun = row->begun ? ".input\n.resources 256, \"me\"\n.cbuffer \"c\", 64, 0, 0\n" : "";
    snprintf(text, sizeof text, "ps_5_0\n%s%s\nret\n", begun, row->line);
    init(&list, "broken", text);
    enum sch_result status = sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), &list, &shader);
    const struct sch_diagnostic *first = list.count ? &list.items[0] : NULL;
    bool good = status == SCH_ERROR_INVALID && !shader && first && first->code == row->code &&
                first->position.column == row->column && !strcmp(first->message, row->words);
    if (!good && first)
        print_message("# broken: %s\n# %u,%u,%s\n", row->line, first->code, first->position.column, first->message);
    else if (!good)
        print_message("# accepted: %s\n", row->line);
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&list);
    return good;
}

static void test_broken_lines(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) wrong += !is_broken(&broken[i]);
    assert_int_equal(wrong, 0);
}

/* ---- what is not raised ---- */

static void say_errors(const struct sch_diagnostics *list, char *text, size_t room)
{
    size_t length = 0;
    *text = 0;
    for (size_t i = 0; i < list->count && length < room; i++)
        if (list->items[i].severity == SCH_SEVERITY_ERROR)
            length += (size_t)snprintf(text + length, room - length, "%u %u %s\n", list->items[i].code,
                                       list->items[i].position.line, list->items[i].message);
}

static void test_reports_of_raising_are_few(void **state)
{
    (void)state;
    static const char *const words[] = {"I64ABS", "I64NEG", "I64SSG", "U64SNE", "U64SEQ", "I64MIN", "U64MIN", "I64MAX",
                                        "U64MAX", "I64SLT", "U64SLT", "I64SGE", "U64SGE", "U64ADD", "U64MUL", "U64SHL",
                                        "I64SHR", "U64SHR", "I64DIV", "U64DIV", "I64MOD", "U64MOD", "LDEXP"};
    enum { WORDS = sizeof words / sizeof *words, MOST = 20 };
    char text[4096] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\nMOV TEMP[0], IN[0]\n";
    for (size_t i = 0; i < 2 * WORDS; i++) {
        const char *two = i / 2 < 3 ? "" : ", IN[0]";
        const char *to = strstr("U64SNE U64SEQ I64SLT U64SLT I64SGE U64SGE", words[i / 2]) ? "x" : "xy";
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s TEMP[0].%s, IN[0]%s\n", words[i / 2], to, two);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), "MOV OUT[0], TEMP[0]\nEND\n");
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct reading reading = read_string(text);
    struct sch_d3d_shader *shader;
    assert_non_null(reading.shader);
    assert_int_equal(sch_ir_check(reading.shader, NULL), SCH_OK);
    size_t before = reading.diagnostics.count;
    assert_int_equal(sch_d3d_raise(reading.shader, &sch_allocator_libc, &limits, &reading.diagnostics, &shader),
                     SCH_ERROR_UNSUPPORTED);
    assert_int_equal(reading.diagnostics.count - before, MOST);
    for (unsigned i = 0; i < MOST; i++) {
        const struct sch_diagnostic *said = &reading.diagnostics.items[before + i];
        assert_memory_equal(said->message, words[i], strlen(words[i]));
        assert_int_equal(said->position.line, 6 + 2 * i);
    }
    release(&reading);
}

static void test_what_is_not_raised(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof not_raised / sizeof *not_raised; i++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct reading reading = read_string(not_raised[i].text);
        struct sch_d3d_shader *shader;
        char reports[8192];
        if (!reading.shader || sch_ir_check(reading.shader, &reading.diagnostics) != SCH_OK) {
            print_message("# no shader:\n%s", not_raised[i].text);
            d3d_print_reports("there is", &reading.diagnostics);
            release(&reading);
            wrong++;
            continue;
        }
        enum sch_result status =
            sch_d3d_raise(reading.shader, &sch_allocator_libc, &limits, &reading.diagnostics, &shader);
        say_errors(&reading.diagnostics, reports, sizeof reports);
        if (status != SCH_ERROR_UNSUPPORTED || shader || strcmp(reports, not_raised[i].reports)) {
            print_message("# wanted of\n%s# there is:\n%s", not_raised[i].text, reports);
            wrong++;
        }
        sch_d3d_shader_destroy(shader);
        release(&reading);
    }
    assert_int_equal(wrong, 0);
}

static enum sch_result raise_with(const struct sch_allocator *allocator, void *user)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_d3d_shader *shader;
    enum sch_result status = sch_d3d_raise(user, allocator, &limits, NULL, &shader);
    assert_true((status == SCH_OK) == (shader != NULL));
    sch_d3d_shader_destroy(shader);
    return status;
}

static void test_memory_of_what_is_not_raised(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof not_raised / sizeof *not_raised; i++) {
        struct reading reading = read_string(not_raised[i].text);
        assert_non_null(reading.shader);
        if (!needs_memory(raise_with, reading.shader, SCH_ERROR_UNSUPPORTED)) fail_msg("%s", not_raised[i].text);
        release(&reading);
    }
}

/* The same of raising as of lowering: memory may end anywhere, and instructions are counted. */
static char *raised_within(const char *name, const char *text)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct reading reading = read_string(text);
    struct sch_d3d_shader *shader;
    if (!needs_memory(raise_with, reading.shader, SCH_OK)) fail_msg("%s", name);
    reading.shader->limits.instructions = 1;
    assert_int_equal(sch_d3d_raise(reading.shader, &sch_allocator_libc, &limits, NULL, &shader), SCH_ERROR_LIMIT);
    assert_null(shader);
    release(&reading);
    return NULL;
}

static void test_limits_of_raising(void **state)
{
    (void)state;
    compare_folder("raise", "tgsi", NULL, raised_within, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_programs_are_lowered_to),
        TEST(test_what_shaders_are_raised_to),
        TEST(test_spellings_of_listings),
        TEST(test_limits_are_kept),
        TEST(test_what_is_refused),
        TEST(test_memory_of_what_is_refused),
        TEST(test_what_is_lowered_beside),
        TEST(test_reports_are_few),
        TEST(test_immediate_vectors),
        TEST(test_broken_lines),
        TEST(test_what_is_not_raised),
        TEST(test_reports_of_raising_are_few),
        TEST(test_memory_of_what_is_not_raised),
        TEST(test_limits_of_raising),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
