/* The shared parts of the tests of src/tgsi. */
#include "tgsi_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWN_CORPUS "tests/corpus"

struct reading read_text_within(const char *text, size_t bytes, const struct sch_limits *limits)
{
    struct reading reading = {0};
    sch_diagnostics_init(&reading.diagnostics, &sch_allocator_libc, limits->diagnostics);
    sch_diagnostics_source(&reading.diagnostics, "test", text, bytes);
    reading.status = sch_tgsi_parse(&sch_allocator_libc, limits, text, bytes, &reading.diagnostics, &reading.shader);
    sch_diagnostics_source(&reading.diagnostics, "test", NULL, 0);
    assert_true((reading.status == SCH_OK) == (reading.shader != NULL));
    assert_true((reading.status == SCH_OK) == (reading.diagnostics.errors == 0));
    return reading;
}

struct reading read_text(const char *text, size_t bytes)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    return read_text_within(text, bytes, &limits);
}

struct reading read_string(const char *text) { return read_text(text, strlen(text)); }

struct reading read_words(const uint32_t *words, size_t count)
{
    struct reading reading = {0};
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    sch_diagnostics_init(&reading.diagnostics, &sch_allocator_libc, limits.diagnostics);
    reading.status =
        sch_tgsi_decode(&sch_allocator_libc, &limits, words, count, 0, &reading.diagnostics, &reading.shader);
    assert_true((reading.status == SCH_OK) == (reading.shader != NULL));
    assert_true((reading.status == SCH_OK) == (reading.diagnostics.errors == 0));
    return reading;
}

void release(struct reading *reading)
{
    sch_ir_destroy(reading->shader);
    sch_diagnostics_release(&reading->diagnostics);
}

char *print_shader(const struct sch_ir_shader *shader, enum sch_float_text floats)
{
    char *text;
    size_t bytes;
    assert_int_equal(sch_tgsi_print(shader, floats, &sch_allocator_libc, &text, &bytes), SCH_OK);
    assert_int_equal(strlen(text), bytes);
    return text;
}

char *reprint(const char *text, size_t bytes)
{
    struct reading reading = read_text(text, bytes);
    if (!reading.shader) {
        const struct sch_diagnostic *first = &reading.diagnostics.items[0];
        print_message("# refused: %u:%u: %u %s\n", first->position.line, first->position.column, first->code,
                      first->message);
    }
    assert_non_null(reading.shader);
    char *print = print_shader(reading.shader, SCH_FLOAT_TEXT_SOURCE);
    release(&reading);
    return print;
}

uint32_t *encode_shader(const struct sch_ir_shader *shader, size_t *count)
{
    uint32_t *words;
    assert_int_equal(sch_tgsi_encode(shader, &sch_allocator_libc, NULL, &words, count), SCH_OK);
    return words;
}

void assert_prints(const char *text, const char *expected)
{
    char *print = reprint(text, strlen(text));
    assert_string_equal(print, expected);
    free(print);
}

void assert_refused(const char *text, unsigned code, unsigned line, unsigned column)
{
    struct reading reading = read_string(text);
    assert_null(reading.shader);
    assert_true(reading.diagnostics.count > 0);
    const struct sch_diagnostic *first = &reading.diagnostics.items[0];
    if (first->code != code || first->position.line != line || first->position.column != column)
        print_message("# %u:%u: %u %s\n", first->position.line, first->position.column, first->code, first->message);
    assert_int_equal(first->code, code);
    assert_int_equal(first->position.line, line);
    assert_int_equal(first->position.column, column);
    release(&reading);
}

size_t count_reports(const struct sch_diagnostics *diagnostics, unsigned code)
{
    size_t count = 0;
    for (size_t i = 0; i < diagnostics->count; i++) count += diagnostics->items[i].code == code;
    return count;
}

size_t count_other_errors(const struct sch_diagnostics *diagnostics, unsigned code)
{
    size_t count = 0;
    for (size_t i = 0; i < diagnostics->count; i++)
        count += diagnostics->items[i].code != code && diagnostics->items[i].severity == SCH_SEVERITY_ERROR;
    return count;
}

uint32_t line_of_report(const struct sch_diagnostics *diagnostics, unsigned code)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        if (diagnostics->items[i].code == code) return diagnostics->items[i].position.line;
    return 0;
}

const char *shared_path(const char *path)
{
    static char full[4096];
    const char *shared = getenv("SCH_SHARED");
    if (!shared || !*shared) return NULL;
    snprintf(full, sizeof full, "%s/%s", shared, path);
    FILE *file = fopen(full, "rb");
    if (!file) return NULL;
    fclose(file);
    return full;
}

char *load_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    *bytes = fread(text, 1, (size_t)size, file);
    text[*bytes] = 0;
    fclose(file);
    return text;
}

const char *own_path(const char *path)
{
    static char full[4096];
    const char *source = getenv("SCH_SOURCE");
    snprintf(full, sizeof full, "%s/%s/%s", source ? source : ".", OWN_CORPUS, path);
    return full;
}

bool is_own_text(const char *path) { return strstr(path, OWN_CORPUS "/") != NULL; }

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

enum { MOST_TEXTS = 16384 };

struct texts {
    char **paths;
    size_t count;
};

static void add_folder(struct texts *texts, const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) && texts->count < MOST_TEXTS) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".tgsi")) continue;
        char *path = malloc(strlen(folder) + length + 2);
        assert_non_null(path);
        sprintf(path, "%s/%s", folder, entry->d_name);
        texts->paths[texts->count++] = path;
    }
    if (dir) closedir(dir);
}

/* Those of the folders below `top`, sorted, behind what is there. */
static void add_texts(struct texts *texts, const char *top, const char *const folders[], size_t folder_count)
{
    char folder[8192];
    const size_t before = texts->count;
    if (!texts->paths) texts->paths = calloc(MOST_TEXTS, sizeof *texts->paths);
    assert_non_null(texts->paths);
    for (size_t i = 0; i < folder_count; i++) {
        snprintf(folder, sizeof folder, "%s/%s", top, folders[i]);
        add_folder(texts, folder);
    }
    qsort(texts->paths + before, texts->count - before, sizeof *texts->paths, compare);
}

static void add_shared_texts(struct texts *texts, const char *const folders[], size_t folder_count)
{
    char top[4096];
    const char *shared = getenv("SCH_SHARED");
    snprintf(top, sizeof top, "%s/corpus/tgsi", shared ? shared : "");
    if (shared && *shared) add_texts(texts, top, folders, folder_count);
}

static const char *const stages[] = {"vs", "tcs", "tes", "gs", "fs", "cs"};
enum { STAGES = sizeof stages / sizeof *stages };

char **captured_texts(size_t *count)
{
    struct texts texts = {0};
    add_shared_texts(&texts, stages, STAGES);
    *count = texts.count;
    return texts.paths;
}

char **corpus_texts(size_t *count)
{
    struct texts texts = {0};
    add_texts(&texts, own_path("tgsi"), stages, STAGES);
    assert_true(texts.count > 0);
    add_shared_texts(&texts, stages, STAGES);
    *count = texts.count;
    return texts.paths;
}

char **other_texts(size_t *count)
{
    static const char *const own[] = {"others"}, *const published[] = {"graw", "mesa-c-tests", "virglrenderer"};
    struct texts texts = {0};
    add_texts(&texts, own_path("tgsi"), own, sizeof own / sizeof *own);
    assert_true(texts.count > 0);
    add_shared_texts(&texts, published, sizeof published / sizeof *published);
    *count = texts.count;
    return texts.paths;
}

void free_texts(char **paths, size_t count)
{
    for (size_t i = 0; i < count; i++) free(paths[i]);
    free(paths);
}
