/* The state of a lookup as options say it: the sampler, what the view shows, the target. */
#ifndef SCH_CLI_STATE_H
#define SCH_CLI_STATE_H

#include "words.h"

struct sch_cli_state {
    struct sch_sampler_options sampler;
    struct sch_view_options view;
    enum sch_target target;
    bool has_target, shadow;
    bool has_srgb, srgb; /* the format's sRGB twin, or its linear one; else it is as it is */
    struct sch_cli_value border[4];
    bool has_border, has_max_lod;
    bool mips;    /* levels that the texels do not have are made */
    bool decoded; /* texels of compressed blocks are kept decoded */
};

void sch_cli_state_init(struct sch_cli_state *state);

/* Why an option was not taken. */
struct sch_cli_complaint {
    char text[320];
};
/* Keeps the reason; false. */
bool sch_cli_complain(struct sch_cli_complaint *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Takes one option by its name without dashes: wrap, filter (min and mag), min, mag, mip, aniso, min-lod, max-lod,
 * lod-bias, border, compare, unnormalized, seamless, reduction, rules, target, srgb, swizzle, view-format, levels,
 * layers, elements, view-min-lod, mips, decoded. */
enum sch_cli_taken { SCH_CLI_TAKEN, SCH_CLI_WRONG, SCH_CLI_NO_OPTION };
enum sch_cli_taken sch_cli_state_option(struct sch_cli_state *state, const char *name, size_t name_bytes,
                                        const char *value, struct sch_cli_complaint *complaint);

/* Whether such an option goes by this name. */
bool sch_cli_state_has(const char *name, size_t name_bytes);

/* The names of all of them; NULL after the last. */
const char *sch_cli_state_name(size_t index);

/* When all options are known: settles what depends on the resource's format (its name). */
bool sch_cli_state_settle(struct sch_cli_state *state, const char *format, struct sch_cli_complaint *complaint);

/* Whether texels of the format are integers. */
bool sch_cli_format_is_integer(const char *format);

/* The format with the same bits on the sRGB curve, or off it; NONE: there is none. */
enum sch_format sch_cli_format_twin(const char *format, bool srgb);

/* The name of a format's number, or "?". */
const char *sch_cli_format_name(int format);

#endif
