/* See listing.h. */
#include "listing.h"

#include <stdlib.h>
#include <string.h>

static bool is_container(const struct sch_cli_shader *shader)
{
    return sch_shader_language(shader->shader) == SCH_LANGUAGE_D3D && shader->input.bytes > 4 &&
           memcmp(shader->input.data, "DXBC", 4) == 0;
}

/* The input of the listing. False: there is none. */
static bool list(const struct sch_cli_shader *shader, struct sch_cli_input *input)
{
    char *text;
    *input = (struct sch_cli_input){.name = shader->input.name, .compiled = shader->input.compiled, .listed = true};
    if (sch_shader_print(shader->shader, NULL, &text, &input->bytes) != SCH_OK) return false;
    input->data = strdup(text);
    sch_free(shader->context, text);
    return input->data != NULL;
}

/* Whether two shaders that were lowered are the same. */
static bool are_same(const struct sch_cli_shader *a, const struct sch_cli_shader *b)
{
    char *text[2] = {NULL, NULL};
    const bool same = sch_shader_print(a->shader, NULL, &text[0], NULL) == SCH_OK &&
                      sch_shader_print(b->shader, NULL, &text[1], NULL) == SCH_OK && strcmp(text[0], text[1]) == 0;
    sch_free(a->context, text[0]);
    sch_free(b->context, text[1]);
    return same;
}

/* The shader of a listing, if it is the one that was lowered. False: it is not. */
static bool take_listing(const struct sch_cli_shader *shader, struct sch_cli_shader *listed)
{
    return sch_cli_shader_parse(SCH_KIND_D3D_ASM, listed) == SCH_CLI_YES &&
           sch_cli_shader_lower(listed) == SCH_CLI_YES && are_same(shader, listed);
}

enum sch_cli_exit sch_cli_shader_lower_listed(struct sch_cli_shader *shader)
{
    struct sch_cli_shader listed = {0};
    const bool has_listing = is_container(shader) && list(shader, &listed.input);
    enum sch_cli_exit exit_code = sch_cli_shader_lower(shader);
    exit_code = sch_cli_worse(exit_code, sch_cli_print_diagnostics(shader->list, &shader->input));
    if (has_listing && exit_code == SCH_CLI_YES && take_listing(shader, &listed)) {
        sch_cli_shader_release(shader);
        *shader = listed;
    } else {
        sch_cli_shader_release(&listed);
    }
    return exit_code;
}

char *sch_cli_listing_of(const char *data, size_t bytes, size_t *size)
{
    struct sch_cli_input input = {.name = "", .data = malloc(bytes + 1), .bytes = bytes};
    struct sch_cli_shader shader = {0}, listed = {0};
    char *text = NULL;
    if (!input.data) return NULL;
    memcpy(input.data, data, bytes);
    input.data[bytes] = 0;
    shader.input = input;
    if (sch_cli_shader_parse(SCH_KIND_DXBC, &shader) == SCH_CLI_YES && is_container(&shader) &&
        list(&shader, &listed.input) && sch_cli_shader_lower(&shader) == SCH_CLI_YES &&
        take_listing(&shader, &listed)) {
        text = listed.input.data;
        *size = listed.input.bytes;
        listed.input.data = NULL;
    }
    sch_cli_shader_release(&shader);
    sch_cli_shader_release(&listed);
    return text;
}
