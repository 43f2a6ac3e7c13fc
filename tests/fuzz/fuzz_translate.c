/* Fuzz target: shaders of any language that are translated to the others. What is checked: a refusal has an error;
 * what a translation makes is right by the rules of its language, and reads back as the same text. */
#include <string.h>

#include <scheelite/scheelite.h>

#include "fuzz.h"

enum { MEMORY = 64 << 20 };

struct world {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    size_t before; /* errors of what was done before */
};

static void begin(struct world *world) { world->before = sch_diagnostics_errors(world->list); }

static struct sch_shader *read_shader(struct world *world, const void *data, size_t bytes)
{
    const struct sch_read_options options = {.size = sizeof options, .any_checksum = true};
    struct sch_shader *shader = NULL;
    return sch_shader_read(world->context, data, bytes, &options, world->list, &shader) == SCH_OK ? shader : NULL;
}

/* NULL, or what is wrong with how a call ended. */
static const char *judge(struct world *world, enum sch_result result)
{
    if (result == SCH_OK || result == SCH_ERROR_MEMORY || result == SCH_ERROR_LIMIT) return NULL;
    if (result != SCH_ERROR_INVALID && result != SCH_ERROR_UNSUPPORTED) return "refused with a strange status";
    return sch_diagnostics_errors(world->list) > world->before ? NULL : "refused without an error";
}

static const char *check_text(struct world *world, const char *text, const char *what)
{
    char *again = NULL;
    struct sch_shader *shader = read_shader(world, text, strlen(text));
    const bool same = shader && sch_shader_print(shader, NULL, &again, NULL) == SCH_OK && strcmp(text, again) == 0;
    sch_free(world->context, again);
    sch_shader_destroy(shader);
    return same ? NULL : what;
}

/* What was made is checked by its own rules, and its text reads back. */
static const char *check_made(struct world *world, struct sch_shader *made)
{
    char *text = NULL;
    const char *finding = NULL;
    begin(world);
    const enum sch_result result = sch_shader_check(made, world->list);
    if (result != SCH_OK && result != SCH_ERROR_MEMORY) finding = "what a translation makes breaks a rule";
    if (!finding && sch_shader_print(made, NULL, &text, NULL) == SCH_OK)
        finding = check_text(world, text, "what a translation makes does not read back");
    sch_free(world->context, text);
    return finding;
}

static const char *translate(struct world *world, const struct sch_shader *shader, enum sch_translation to)
{
    const struct sch_translate_options options = {.size = sizeof options, .to = to};
    char *text = NULL;
    begin(world);
    const enum sch_result result = sch_shader_translate(shader, &options, world->list, &text, NULL);
    const char *finding = judge(world, result);
    if (!finding && result == SCH_OK && to == SCH_TRANSLATE_TGSI)
        finding = check_text(world, text, "a translation does not read back");
    sch_free(world->context, text);
    return finding;
}

static const char *check_shader(struct world *world, const struct sch_shader *shader)
{
    struct sch_shader *made = NULL;
    const bool direct3d = sch_shader_language(shader) == SCH_LANGUAGE_D3D;
    begin(world);
    const enum sch_result result =
        direct3d ? sch_shader_lower(shader, world->list, &made) : sch_shader_raise(shader, world->list, &made);
    const char *finding = judge(world, result);
    if (!finding && result == SCH_OK) finding = check_made(world, made);
    sch_shader_destroy(made);
    if (!finding) finding = translate(world, shader, SCH_TRANSLATE_TGSI);
    return finding ? finding : translate(world, shader, SCH_TRANSLATE_MAXWELL);
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    const struct sch_limit_options limits = {.size = sizeof limits, .memory = MEMORY, .context_memory = 2 * MEMORY};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    struct world world = {0};
    const char *finding = NULL;
    if (sch_context_create(&options, &world.context) != SCH_OK) return NULL;
    if (sch_diagnostics_create(world.context, &world.list) == SCH_OK) {
        struct sch_shader *shader = read_shader(&world, data, bytes);
        if (shader) finding = check_shader(&world, shader);
        sch_shader_destroy(shader);
    }
    sch_diagnostics_destroy(world.list);
    sch_context_destroy(world.context);
    return finding;
}

SCH_FUZZ_TARGET
