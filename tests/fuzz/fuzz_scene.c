/* Fuzz target: scenes, read and drawn with small limits. A line of two percent signs ends the scene; what follows it is
 * what every file holds that the scene names. What is checked: a scene that is not read has an error, whose place is in
 * the text; two drawings, of different widths and numbers of threads, leave the same bits; nothing is held
 * afterwards. */
#include <string.h>

#include "../../src/scene/scene.h"
#include "fuzz.h"

enum { MEMORY = 8 << 20, BUDGET = 64, WORK = 20000, MOST = 1 << 14 };

struct input {
    const uint8_t *file; /* NULL: there are no files */
    size_t file_bytes, text_bytes;
    unsigned errors;
    const char *finding;
};

static void report(void *user, const struct sch_diagnostic_info *info)
{
    struct input *input = user;
    input->errors += info->severity == SCH_SEVERITY_ERROR;
    if (!info->code || !info->message || !*info->message) input->finding = "a report without number or message";
    if (strcmp(info->source, "scene") == 0 && info->offset > input->text_bytes)
        input->finding = "a report beyond the end of the text";
}

static void read_file(void *user, const char *path, struct sch_player_file *file)
{
    const struct input *input = user;
    (void)path;
    if (!input->file) return;
    file->data = calloc(1, input->file_bytes + 1);
    if (!file->data) return;
    memcpy(file->data, input->file, input->file_bytes);
    file->bytes = input->file_bytes;
}

/* FNV-1a of all textures and buffers. */
static uint64_t hash_of(const struct sch_scene_player *world)
{
    uint64_t hash = 14695981039346656037u;
    struct sch_resource *resource;
    const char *name;
    for (size_t i = 0; sch_scene_player_resource(world, i, &name, &resource); i++) {
        const size_t bytes = sch_resource_bytes(resource);
        uint8_t *texels = malloc(bytes + 1);
        if (texels && resource && sch_resource_read_all(resource, texels, bytes) == SCH_OK)
            for (size_t b = 0; b < bytes; b++) hash = (hash ^ texels[b]) * 1099511628211u;
        free(texels);
    }
    return hash;
}

static struct sch_context *make_context(void)
{
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = MEMORY, .context_memory = 2 * MEMORY};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct sch_context *context;
    return sch_context_create(&options, &context) == SCH_OK ? context : NULL;
}

/* Draws a scene; the hash of what is left, unless the run ended early. */
static bool draw(const struct sch_scene *scene, struct input *input, uint32_t threads, uint32_t width, uint64_t *hash)
{
    struct sch_context *context = make_context();
    struct sch_scene_player *world = NULL;
    const struct sch_scene_host host = {.user = input, .report = report};
    const struct sch_scene_watch watch = {.user = input};
    const struct sch_scene_options options = {
        .program = {.size = sizeof options.program, .engine = SCH_ENGINE_INTERPRETER, .width = width},
        .dispatch = {.size = sizeof options.dispatch, .threads = threads, .budget = BUDGET, .work = WORK},
        .check = true};
    input->errors = 0;
    if (!context) return false;
    const enum sch_result result = sch_scene_run(scene, context, &options, &host, &watch, &world, NULL, NULL);
    if (world && (result == SCH_OK) != (input->errors == 0)) input->finding = "a result that its reports do not fit";
    if (world) *hash = hash_of(world);
    sch_scene_player_destroy(world);
    sch_context_destroy(context);
    return world && result == SCH_OK;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    struct input input = {0};
    struct sch_scene *scene = NULL;
    char *text = bytes < MOST ? calloc(1, bytes + 1) : NULL;
    if (!text) return NULL;
    memcpy(text, data, bytes);
    const char *end = memmem(text, bytes, "\n%%\n", 4);
    input.text_bytes = end ? (size_t)(end - text) : bytes;
    if (end) {
        input.file = data + input.text_bytes + 4;
        input.file_bytes = bytes - input.text_bytes - 4;
        text[input.text_bytes] = 0;
    }
    const struct sch_scene_host host = {.user = &input, .report = report, .read = read_file};
    const enum sch_result result = sch_scene_read("scene", text, input.text_bytes, &host, &scene);
    if (result == SCH_ERROR_INVALID && !input.errors) input.finding = "a scene that is refused without an error";
    if (result == SCH_OK) {
        uint64_t one = 0, other = 0;
        if (draw(scene, &input, 1, 8, &one) && draw(scene, &input, 2, 4, &other) && one != other)
            input.finding = "two drawings of a scene differ";
    }
    sch_scene_destroy(scene);
    free(text);
    return input.finding;
}

SCH_FUZZ_TARGET
