/* Containers that are cut short or damaged, through all that is done with them: reading, checking, printing, writing,
 * lowering, making a program. Each ends with an answer; what is refused is reported with a place in the container, and
 * what is wrong inside of a chunk with the chunk's name. 100 programs of the corpora. SCH_LONG=1:
 * every prefix and 10^5 flips; else a part of both. Also built with the sanitizers. */
#include "d3d_support.h"

#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/random_number.h"
#include "isa/errors.h"

enum { FILES = 100, LONG_FLIPS = 1000, FLIPS = 50, SHORT_STEP = 12, TOTAL_AT = 24, COUNT_AT = 28, HEADER = 32 };

struct tally {
    unsigned long refused, read, checked, lowered, made;
};

static bool is_long(void) { return getenv("SCH_LONG") != NULL; }

static bool names_a_chunk(const char *message)
{
    static const char *const tags[] = {"SHDR", "SHEX", "ISG", "OSG", "PCSG", "PSG1", "RDEF", "STAT", "SFI0"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strstr(message, tags[i])) return true;
    return false;
}

/* The container itself has no chunk to name; checks and lowering have the place of an instruction. */
static void look_at_reports(const char *name, const struct sch_diagnostics_list *list, size_t bytes, bool reading)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    assert_true(sch_diagnostics_errors(list) > 0);
    for (size_t i = 0; i < sch_diagnostics_count(list); i++) {
        if (!sch_diagnostics_get(list, i, &view) || view.severity != SCH_SEVERITY_ERROR) continue;
        if (view.offset > bytes) fail_msg("%s: byte %llu of %zu", name, (unsigned long long)view.offset, bytes);
        bool whole = view.code == SCH_D_DXBC_HEADER || view.code == SCH_D_DXBC_SIZE || view.code == SCH_D_DXBC_CHUNK ||
                     view.code == SCH_D_DXBC_CHECKSUM || view.code == SCH_D_DXBC_NO_PROGRAM;
        if (reading && !whole && (view.offset < HEADER || !names_a_chunk(view.message)))
            fail_msg("%s: no chunk in the report at %llu: %u %s", name, (unsigned long long)view.offset, view.code,
                     view.message);
    }
}

static bool is_answer(enum sch_result result)
{
    return result == SCH_OK || result == SCH_ERROR_INVALID || result == SCH_ERROR_UNSUPPORTED ||
           result == SCH_ERROR_LIMIT;
}

/* What is said about a shader that was read. */
static void use(struct sch_context *context, const char *name, const struct sch_shader *shader, size_t bytes,
                struct tally *tally)
{
    struct sch_diagnostics_list *list;
    struct sch_shader *lowered;
    struct sch_program *program;
    char *text = NULL;
    void *data = NULL;
    size_t length;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_true(is_answer(sch_shader_print(shader, NULL, &text, &length)));
    assert_true(is_answer(sch_shader_serialize(shader, NULL, &data, &length)));
    enum sch_result result = sch_shader_check(shader, list);
    assert_true(is_answer(result));
    if (result == SCH_OK) {
        tally->checked++;
        result = sch_shader_lower(shader, list, &lowered);
        assert_true(is_answer(result) && (result == SCH_OK) == (lowered != NULL));
        if (result == SCH_OK) {
            tally->lowered++;
            if (sch_shader_check(lowered, list) != SCH_OK) {
                struct sch_diagnostic_info view = {.size = sizeof view, .message = "?"};
                sch_diagnostics_get(list, sch_diagnostics_count(list) - 1, &view);
                fail_msg("%s: what was lowered is wrong: %u %s", name, view.code, view.message);
            }
            result = sch_program_create(context, lowered, NULL, list, &program);
            assert_true(is_answer(result));
            tally->made += result == SCH_OK;
            sch_program_destroy(program);
        }
        sch_shader_destroy(lowered);
    }
    if (result != SCH_OK) look_at_reports(name, list, bytes, false);
    sch_free(context, text);
    sch_free(context, data);
    sch_diagnostics_destroy(list);
}

static void try_bytes(struct sch_context *context, const char *name, const unsigned char *data, size_t bytes,
                      struct tally *tally)
{
    const struct sch_read_options options = {.size = sizeof options, .any_checksum = true};
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    enum sch_result result = sch_shader_read(context, data, bytes, &options, list, &shader);
    assert_true(is_answer(result) && (result == SCH_OK) == (shader != NULL));
    if (shader && sch_shader_language(shader) == SCH_LANGUAGE_D3D) {
        tally->read++;
        use(context, name, shader, bytes, tally);
    } else if (!shader) {
        tally->refused++;
        if (bytes >= HEADER && memcmp(data, "DXBC", 4) == 0) look_at_reports(name, list, bytes, true);
    }
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
}

static void put(unsigned char *data, size_t at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) data[at + i] = (unsigned char)(word >> 8 * i);
}

static uint32_t get(const unsigned char *data, size_t at)
{
    return data[at] | (uint32_t)data[at + 1] << 8 | (uint32_t)data[at + 2] << 16 | (uint32_t)data[at + 3] << 24;
}

/* Makes the part a whole container: chunks behind it are gone, the last one is as long as what is left of it, and where
 * that is the program its count of words says so. False: not even a chunk's header is left. */
static bool mend(unsigned char *part, size_t bytes)
{
    if (bytes < HEADER) return false;
    uint32_t count = get(part, COUNT_AT), kept = 0;
    if (HEADER + 4 * (uint64_t)count > bytes) return false;
    while (kept < count && get(part, HEADER + 4 * kept) + 8u <= bytes) kept++;
    if (!kept) return false;
    size_t last = get(part, HEADER + 4 * (kept - 1)), left = bytes - last - 8;
    bool program = memcmp(part + last, "SHDR", 4) == 0 || memcmp(part + last, "SHEX", 4) == 0;
    put(part, COUNT_AT, kept);
    if (get(part, last + 4) > left) {
        put(part, last + 4, (uint32_t)left);
        if (program && left >= 8) put(part, last + 12, (uint32_t)left / 4);
    }
    return true;
}

/* The total is that of the part, so that more than the header is read; then the part is mended, so that still more
 * is. */
static void cut(struct sch_context *context, const struct d3d_file *file, size_t bytes, struct tally *tally)
{
    unsigned char *part = malloc(bytes ? bytes : 1); /* so that a tool sees what is read past the end */
    assert_non_null(part);
    memcpy(part, file->data, bytes);
    if (bytes >= TOTAL_AT + 4) put(part, TOTAL_AT, (uint32_t)bytes);
    try_bytes(context, file->name, part, bytes, tally);
    if (mend(part, bytes)) try_bytes(context, file->name, part, bytes, tally);
    free(part);
}

/* One to four flips; half of the time in the program itself. */
static void damage(struct sch_context *context, const struct d3d_file *file, uint64_t *seed, struct tally *tally)
{
    struct sch_d3d_container *container = d3d_read(file->data, file->bytes);
    const struct sch_d3d_chunk *program = sch_d3d_container_program(container);
    unsigned char *damaged = malloc(file->bytes);
    assert_non_null(damaged);
    for (unsigned flip = 0; flip < (is_long() ? LONG_FLIPS : FLIPS); flip++) {
        memcpy(damaged, file->data, file->bytes);
        for (unsigned k = 0; k < 1 + flip / 2 % 4; k++) {
            uint64_t random = random_number(seed);
            size_t at = flip % 2 ? (size_t)program->offset + random % program->bytes : random % file->bytes;
            unsigned char bits = (unsigned char)(random >> 40);
            damaged[at] ^= flip % 3 ? (unsigned char)(1u << (random >> 32) % 8) : bits ? bits : 1;
        }
        try_bytes(context, file->name, damaged, file->bytes, tally);
    }
    free(damaged);
    sch_d3d_container_destroy(container);
}

static void damaged_containers_end_with_an_answer(void **state)
{
    (void)state;
    size_t count;
    struct d3d_file *files = d3d_corpus(&count);
    struct sch_context *context;
    struct tally prefixes = {0}, flips = {0};
    uint64_t seed = 6;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t i = 0; i < FILES; i++) {
        const struct d3d_file *file = &files[i * count / FILES]; /* the same twice where there are fewer */
        for (size_t bytes = is_long() ? 0 : i % SHORT_STEP; bytes < file->bytes; bytes += is_long() ? 1 : SHORT_STEP)
            cut(context, file, bytes, &prefixes);
        damage(context, file, &seed, &flips);
    }
    print_message("# prefixes: %lu refused, %lu read, %lu valid, %lu lowered, %lu programs\n", prefixes.refused,
                  prefixes.read, prefixes.checked, prefixes.lowered, prefixes.made);
    print_message("# flips: %lu refused, %lu read, %lu valid, %lu lowered, %lu programs\n", flips.refused, flips.read,
                  flips.checked, flips.lowered, flips.made);
    assert_true(prefixes.refused > FILES && prefixes.read > FILES && prefixes.lowered > FILES);
    assert_true(flips.refused > FILES && flips.read > FILES && flips.lowered > FILES);
    sch_context_destroy(context);
    d3d_corpus_free(files, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_containers_end_with_an_answer)};
    return cmocka_run_group_tests_name("d3d hostile", tests, NULL, NULL);
}
