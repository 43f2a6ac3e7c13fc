/* Lookups with their textures, views and samplers, which are made once for the texts that name
 * them. */
#ifndef SCH_CLI_LOOKUPS_H
#define SCH_CLI_LOOKUPS_H

#include "common/value.h"
#include "lookup_options.h"

/* Ready to run. View and sampler belong to the cache and stay until sch_cli_lookups_make says that it is full. */
struct sch_cli_lookup {
    struct sch_context *context;
    const struct sch_view *view; /* NULL: --tex none */
    const struct sch_sampler *sampler;
    const char *format; /* of the texels, as the view shows them; "" without a view */
    uint32_t binding;   /* a number that lookups of the same view and sampler have in common */
    struct sch_lookup request;
};

struct sch_cli_lookups;

enum sch_cli_exit sch_cli_lookups_create(struct sch_cli_lookups **lookups);
void sch_cli_lookups_destroy(struct sch_cli_lookups *lookups);

/* Whether there may be too little room for the next lookup: clear the cache first, when no lookup is in use. */
bool sch_cli_lookups_full(const struct sch_cli_lookups *lookups);
void sch_cli_lookups_clear(struct sch_cli_lookups *lookups);

/* Makes what the options ask for, which receive the target of the texture. Where the exit code is not YES, `complaint`
 * says why (it is empty where that was reported). */
enum sch_cli_exit sch_cli_lookups_make(struct sch_cli_lookups *lookups, struct sch_cli_lookup_options *options,
                                       struct sch_cli_lookup *lookup, struct sch_cli_complaint *complaint);

/* The exit code for a result of sch_lookup_run. */
enum sch_cli_exit sch_cli_lookup_exit(enum sch_result result);
const char *sch_cli_lookup_problem(enum sch_result result);

/* What the components of a result are: sizes and counts are integers, and so are texels of integer formats. */
enum sch_value_type sch_cli_lookup_type(const struct sch_cli_lookup *lookup);

/* Runs every line of a file (batch.c); `defaults` hold for all lines. */
struct sch_cli_sample_output;
enum sch_cli_exit sch_cli_result_lines(const char *path, const struct sch_cli_lookup_options *defaults,
                                       struct sch_cli_sample_output *output);

#endif
