/* Comparing the two engines. Both begin with the same memory, which is saved and put back between the runs. */
#include "both.h"

#include <string.h>

struct comparison {
    const struct sch_cli_both *both;
    const uint8_t *at;
    enum sch_cli_exit exit;
};

static bool compare(void *user, const char *kind, unsigned number, void *data, size_t bytes)
{
    struct comparison *comparison = user;
    const uint8_t *expected = comparison->at, *got = data;
    comparison->at += bytes;
    if (memcmp(expected, got, bytes) == 0 || comparison->exit != SCH_CLI_YES) return true;
    size_t byte = 0;
    while (expected[byte] == got[byte]) byte++;
    byte &= ~(size_t)3;
    uint32_t words[2] = {0};
    size_t some = bytes - byte < 4 ? bytes - byte : 4;
    memcpy(&words[0], expected + byte, some);
    memcpy(&words[1], got + byte, some);
    char what[64];
    snprintf(what, sizeof what, "%s[%u], byte %zu", kind, number, byte);
    comparison->exit = sch_cli_both_differ(comparison->both, "memory", what, words[0], words[1]);
    return true;
}

enum sch_cli_exit sch_cli_both_create(struct sch_cli_both *both, const struct sch_cli_setup *setup,
                                      const struct sch_cli_shader *shader)
{
    *both = (struct sch_cli_both){.setup = setup, .shader = shader};
    if (!setup->both) return SCH_CLI_YES;
    struct sch_program_options options = setup->program;
    options.engine = SCH_ENGINE_JIT;
    return sch_cli_program_create(&options, shader, &both->jit);
}

void sch_cli_both_release(struct sch_cli_both *both)
{
    sch_program_destroy(both->jit);
    sch_cli_saved_release(&both->before);
    sch_cli_saved_release(&both->after);
    *both = (struct sch_cli_both){0};
}

static enum sch_cli_exit kept(bool good) { return good ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_LIMIT, "out of memory"); }

enum sch_cli_exit sch_cli_both_begin(struct sch_cli_both *both)
{
    return kept(!both->jit || sch_cli_saved_take(both->setup, &both->before));
}

enum sch_cli_exit sch_cli_both_restore(struct sch_cli_both *both)
{
    return kept(sch_cli_saved_put_back(both->setup, &both->before));
}

enum sch_cli_exit sch_cli_both_again(struct sch_cli_both *both)
{
    if (!both->jit) return SCH_CLI_YES;
    return sch_cli_saved_take(both->setup, &both->after) ? sch_cli_both_restore(both) : kept(false);
}

enum sch_cli_exit sch_cli_both_end(struct sch_cli_both *both)
{
    if (!both->jit) return SCH_CLI_YES;
    struct comparison comparison = {.both = both, .at = both->after.data};
    if (!sch_cli_visit_all_written(both->setup, compare, &comparison)) return kept(false);
    return comparison.exit;
}

enum sch_cli_exit sch_cli_both_differ(const struct sch_cli_both *both, const char *who, const char *what,
                                      uint32_t interpreter, uint32_t jit)
{
    return sch_cli_fail(SCH_CLI_NO, "%s: %s: %s is 0x%08x by the interpreter, 0x%08x as machine code",
                        both->shader->input.name, who, what, interpreter, jit);
}
