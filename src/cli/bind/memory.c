/* See memory.h. */
#include <stdlib.h>

#include "setup.h"

#define IN(member) offsetof(struct sch_cli_setup, member)

/* The options that fill one kind of memory and write it: the same where nothing is written. */
static const struct row {
    enum sch_cli_option_id in, out;
    bool is_image;
    enum sch_cli_slot_kind slots; /* by which they are numbered; SCH_CLI_SLOT_KINDS: by numbers alone */
    char letter;                  /* that listings have before the number; 0: none */
    uint32_t count;               /* 1: there is no number */
    size_t list, used;            /* where in the setup; 0: it does not count the highest */
} rows[] = {{SCH_OPTION_BUFFER, SCH_OPTION_BUFFER_OUT, false, SCH_CLI_BUFFER_SLOTS, 0, SCH_CLI_BUFFERS + SCH_CLI_PLACED,
             IN(buffer), IN(buffers)},
            {SCH_OPTION_GLOBAL, SCH_OPTION_GLOBAL_OUT, false, SCH_CLI_SLOT_KINDS, 0, 1, IN(memory.global), 0},
            {SCH_OPTION_INPUT_MEMORY, SCH_OPTION_INPUT_MEMORY, false, SCH_CLI_SLOT_KINDS, 0, 1, IN(memory.input), 0},
            {SCH_OPTION_HWATOMIC, SCH_OPTION_HWATOMIC_OUT, false, SCH_CLI_SLOT_KINDS, 0, SCH_CLI_BUFFERS,
             IN(memory.counters), 0},
            {SCH_OPTION_FB, SCH_OPTION_FB, true, SCH_CLI_SLOT_KINDS, 'o', SCH_CLI_IMAGES, IN(memory.fb), 0},
            {SCH_OPTION_IMAGE, SCH_OPTION_IMAGE_OUT, true, SCH_CLI_IMAGE_SLOTS, 0, SCH_CLI_IMAGES + SCH_CLI_PLACED,
             IN(image), IN(images)}};
enum { ROWS = sizeof rows / sizeof *rows };

static struct sch_cli_buffer *buffer_at(struct sch_cli_setup *setup, const struct row *row, uint32_t number)
{
    return (struct sch_cli_buffer *)(void *)((char *)setup + row->list) + number;
}

static struct sch_cli_image *image_at(struct sch_cli_setup *setup, const struct row *row, uint32_t number)
{
    return (struct sch_cli_image *)(void *)((char *)setup + row->list) + number;
}

/* The number before the sign, after which `*rest` begins. UINT32_MAX, with the usage error reported: there is none. */
static uint32_t take_number(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const struct row *row,
                            const char *name, const char *text, const char **rest)
{
    uint32_t number = 0;
    const char *at = text + (row->letter && *text == row->letter);
    *rest = text;
    if (row->slots != SCH_CLI_SLOT_KINDS) return sch_cli_take_file_slot(verb, setup, row->slots, name, text, rest);
    if (row->count == 1 && *text) return 0;
    if (row->count == 1) {
        sch_cli_usage_error(verb, "%s is a file, not nothing", name);
        return UINT32_MAX;
    }
    const bool good = sch_cli_read_number(&at, &number) && *at == '=' && at[1] && number < row->count;
    *rest = at + 1;
    if (good) return number;
    sch_cli_usage_error(verb, "%s is N=FILE with N from 0 to %u, not %s", name, row->count - 1, text);
    return UINT32_MAX;
}

enum sch_cli_exit sch_cli_memory_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, int option,
                                        const char *text)
{
    const char *name = sch_cli_options[option].name, *rest;
    const struct row *row = rows;
    while (row < rows + ROWS && (int)row->in != option && (int)row->out != option) row++;
    if (row == rows + ROWS) return SCH_CLI_INTERNAL;
    const uint32_t number = take_number(verb, setup, row, name, text, &rest);
    if (number == UINT32_MAX) return SCH_CLI_USAGE;
    uint32_t *used = row->used ? (uint32_t *)(void *)((char *)setup + row->used) : NULL;
    if (used && *used <= number) *used = number + 1;
    if ((int)row->in == option)
        return row->is_image ? sch_cli_image_source(verb, name, image_at(setup, row, number), rest)
                             : sch_cli_buffer_source(verb, name, buffer_at(setup, row, number), rest);
    *(row->is_image ? &image_at(setup, row, number)->output : &buffer_at(setup, row, number)->output) = rest;
    return SCH_CLI_YES;
}

typedef enum sch_cli_exit visit_fn(const struct row *row, uint32_t number, struct sch_cli_buffer *buffer,
                                   struct sch_cli_image *image, struct sch_context *context);

/* All of it: `buffer` or `image` is not NULL. */
static enum sch_cli_exit visit_all(struct sch_cli_setup *setup, visit_fn *visit, struct sch_context *context)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (const struct row *row = rows; row < rows + ROWS; row++)
        for (uint32_t i = 0; i < row->count && exit_code == SCH_CLI_YES; i++)
            exit_code = row->is_image ? visit(row, i, NULL, image_at(setup, row, i), context)
                                      : visit(row, i, buffer_at(setup, row, i), NULL, context);
    return exit_code;
}

static enum sch_cli_exit load(const struct row *row, uint32_t number, struct sch_cli_buffer *buffer,
                              struct sch_cli_image *image, struct sch_context *context)
{
    const char *source = buffer ? buffer->source : image->source, *output = buffer ? buffer->output : image->output;
    const char *in = sch_cli_options[row->in].name, *out = sch_cli_options[row->out].name;
    if (output && !source && row->count == 1)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: there is no %s to write", out, in);
    if (output && !source) return sch_cli_fail(SCH_CLI_USAGE, "%s %u: there is no %s %u", out, number, in, number);
    if (!source) return SCH_CLI_YES;
    return buffer ? sch_cli_buffer_load(buffer) : sch_cli_image_load(context, image);
}

static enum sch_cli_exit write_output(const struct row *row, uint32_t number, struct sch_cli_buffer *buffer,
                                      struct sch_cli_image *image, struct sch_context *context)
{
    (void)row, (void)number;
    if (image) return image->output ? sch_cli_image_write(context, image) : SCH_CLI_YES;
    return buffer->output ? sch_cli_write(buffer->output, buffer->data, buffer->bytes) : SCH_CLI_YES;
}

static enum sch_cli_exit release(const struct row *row, uint32_t number, struct sch_cli_buffer *buffer,
                                 struct sch_cli_image *image, struct sch_context *context)
{
    (void)row, (void)number, (void)context;
    if (buffer) free(buffer->data);
    if (!image) return SCH_CLI_YES;
    sch_image_destroy(image->image);
    sch_resource_destroy(image->resource);
    free(image->source);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_memory_load(struct sch_cli_setup *setup, struct sch_context *context)
{
    return visit_all(setup, load, context);
}

enum sch_cli_exit sch_cli_memory_write(struct sch_cli_setup *setup, struct sch_context *context)
{
    return visit_all(setup, write_output, context);
}

void sch_cli_memory_release(struct sch_cli_setup *setup) { visit_all(setup, release, NULL); }

void sch_cli_memory_bind(const struct sch_cli_memory *memory, struct sch_storage_buffer *counters, uint32_t count,
                         struct sch_image **color_buffers, struct sch_bindings *bindings)
{
    for (uint32_t i = 0; i < SCH_CLI_BUFFERS && i < count; i++)
        if (memory->counters[i].data)
            counters[i] = (struct sch_storage_buffer){memory->counters[i].data, memory->counters[i].bytes};
    for (unsigned i = 0; i < SCH_CLI_IMAGES; i++) color_buffers[i] = memory->fb[i].image;
    bindings->color_buffers = color_buffers;
    bindings->color_buffer_count = SCH_CLI_IMAGES;
    bindings->global_memory = (struct sch_storage_buffer){memory->global.data, memory->global.bytes};
    bindings->input_memory = (struct sch_constant_buffer){.data = memory->input.data, .bytes = memory->input.bytes};
}
