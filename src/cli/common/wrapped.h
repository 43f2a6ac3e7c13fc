/* Direct3D containers inside other bytes: where one begins (--offset), and whether its checksum matters
 * (--any-checksum). The options hold for the whole run of the command. */
#ifndef SCH_CLI_WRAPPED_H
#define SCH_CLI_WRAPPED_H

#include "cli.h"

/* --offset, whose value is checked; without -x the input is Maxwell code, whose offset is another one's (maxwell.h). */
enum sch_cli_exit sch_cli_wrapped_offset(const struct sch_cli_verb *verb, const char *word);
void sch_cli_wrapped_is_maxwell(void);

/* A number of bytes, decimal or hexadecimal with 0x. YES, or USAGE, which has been reported. */
enum sch_cli_exit sch_cli_offset(const struct sch_cli_verb *verb, const char *word, size_t *offset);

/* Removes what comes before the shader, and notes the checksum's option. NO, which has been reported: the input is
 * shorter. */
enum sch_cli_exit sch_cli_unwrap(struct sch_cli_input *input);

/* Where a container begins within bytes that are not one, nor a text or an object file; 0: there is none. */
size_t sch_cli_wrapped_find(const struct sch_cli_input *input);

#endif
