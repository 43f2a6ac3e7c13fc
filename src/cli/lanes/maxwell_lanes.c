/* See maxwell_lanes.h. */
#include "maxwell_lanes.h"

#include <stdlib.h>
#include <string.h>

static bool hexadecimal(const char *text, uint64_t *number)
{
    if (strncmp(text, "0x", 2) == 0) text += 2;
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    *number = strtoull(text, NULL, 16);
    return digits > 0 && digits <= 16 && !text[digits];
}

/* The next line that is a lane; false at the end. Lines that begin with # are none. */
static bool next_line(struct sch_cli_lane_reader *reader, const char **begin, const char **end)
{
    while (reader->at < reader->input->bytes) {
        const char *all_end = reader->input->data + reader->input->bytes;
        *begin = reader->input->data + reader->at;
        *end = memchr(*begin, '\n', (size_t)(all_end - *begin));
        reader->at = *end ? (size_t)(*end - reader->input->data) + 1 : reader->input->bytes;
        reader->line++;
        if (!*end) *end = all_end;
        if (*end > *begin && (*end)[-1] == '\r') (*end)--;
        if (*end > *begin && **begin == '#') continue;
        return true;
    }
    return false;
}

/* R[n]= and a value, P[n]=0 or 1, KILL, OFF. NULL, or what is wrong. */
static const char *read_field(struct sch_cli_lane_reader *reader, struct sch_cli_warp *group, unsigned lane,
                              const char *begin, const char *end, enum sch_cli_lane_state *state)
{
    static const char syntax[] = "a field is R[n]= and a value (1.5, 3i, 0x3), P[n]=0 or 1, KILL or OFF";
    char field[160];
    size_t length = (size_t)(end - begin);
    if (length >= sizeof field) return syntax;
    memcpy(field, begin, length);
    field[length] = 0;
    if (strcmp(field, "KILL") == 0 || strcmp(field, "OFF") == 0) {
        *state = *field == 'K' ? SCH_CLI_LANE_KILLED : SCH_CLI_LANE_OFF;
        return NULL;
    }
    char *bracket = strchr(field, ']');
    if ((field[0] != 'R' && field[0] != 'P') || field[1] != '[' || !bracket || bracket[1] != '=') return syntax;
    *bracket = 0;
    uint64_t number, word;
    bool predicate = field[0] == 'P';
    uint64_t most = (predicate ? (uint64_t)SCH_MAXWELL_GROUP_PREDICATES : SCH_MAXWELL_GROUP_REGISTERS) - 1;
    if (!sch_cli_number(field + 2, 0, most, &number))
        return predicate ? "predicates are P[0] to P[6]" : "registers are R[0] to R[254]";
    if (!predicate) {
        struct sch_cli_spelled value;
        const char *at = bracket + 2;
        const char *problem = sch_cli_value_read(&at, field + length, SCH_CLI_PLACE_LINE, &value);
        if (problem || *at) return problem ? problem : syntax;
        group->registers[number][lane] = value.bits;
        reader->registers[number / 32] |= 1u << number % 32;
        return NULL;
    }
    if (!hexadecimal(bracket + 2, &word) || word > 1) return syntax;
    reader->predicates |= 1u << number;
    if (word)
        group->predicates[number] |= 1u << lane;
    else
        group->predicates[number] &= ~(1u << lane);
    return NULL;
}

static enum sch_cli_exit read_lane(struct sch_cli_lane_reader *reader, struct sch_cli_warp *group, unsigned lane,
                                   const char *begin, const char *end, enum sch_cli_lane_state *state)
{
    *state = SCH_CLI_LANE_ACTIVE;
    for (const char *at = begin; at < end;) {
        const char *stop = memchr(at, '\t', (size_t)(end - at));
        const char *problem = read_field(reader, group, lane, at, stop ? stop : end, state);
        if (problem) {
            struct sch_cli_location location = {reader->input, reader->line, (uint32_t)(at - begin) + 1};
            sch_cli_report(&location, 0, "%s", problem);
            return SCH_CLI_NO;
        }
        at = stop ? stop + 1 : end;
    }
    if (*state != SCH_CLI_LANE_OFF) group->active |= 1u << lane;
    if (*state == SCH_CLI_LANE_KILLED) group->killed |= 1u << lane;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_lanes_read(struct sch_cli_lane_reader *reader, struct sch_cli_warp *group,
                                     enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES], unsigned *count)
{
    const char *begin, *end;
    memset(group, 0, sizeof *group);
    memset(reader->registers, 0, sizeof reader->registers);
    reader->predicates = 0;
    for (*count = 0; *count < SCH_MAXWELL_GROUP_LANES && next_line(reader, &begin, &end);) {
        const enum sch_cli_exit exit = read_lane(reader, group, *count, begin, end, &states[*count]);
        if (exit != SCH_CLI_YES) return exit;
        reader->lines[(*count)++] = reader->line;
    }
    return SCH_CLI_YES;
}

void sch_cli_lanes_put_register(FILE *file, unsigned number, uint32_t word, enum sch_cli_floats floats)
{
    char text[SCH_CLI_VALUE_BYTES];
    sch_cli_value_print(word, SCH_VALUE_UNKNOWN, floats, text);
    fprintf(file, "  R%u = %s", number, text);
}

void sch_cli_lanes_put_predicate(FILE *file, unsigned number, bool value)
{
    fprintf(file, "  P%u = %u", number, value);
}
