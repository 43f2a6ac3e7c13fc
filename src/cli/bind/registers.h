/* The registers that lines and options give values for, as sch_shader_register_uses lists them. Buffers are those of
 * constants, and 0 for other files. */
#ifndef SCH_CLI_REGISTERS_H
#define SCH_CLI_REGISTERS_H

#include "common/value.h"

struct sch_cli_registers_of; /* what is known of a shader's */

/* For a shader that is lowered, and lives as long. Release it (NULL too). */
enum sch_cli_exit sch_cli_registers_create(const struct sch_cli_shader *shader, struct sch_cli_registers_of **made);
void sch_cli_registers_destroy(struct sch_cli_registers_of *registers);

bool sch_cli_is_declared(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer,
                         uint32_t index);

/* What is declared of a file, for a report: IN[0..2], or "no IN". */
void sch_cli_describe_declared(const struct sch_cli_registers_of *registers, enum sch_file file, char text[160]);

/* A number that only this declared register has, below the count. */
uint32_t sch_cli_register_number(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer,
                                 uint32_t index);
uint32_t sch_cli_register_count(const struct sch_cli_registers_of *registers);

/* What the shader takes the words of a register for. */
void sch_cli_types_of(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer, uint32_t index,
                      enum sch_value_type types[4]);

/* True the first time for a register: a warning about its value is printed once. */
bool sch_cli_doubt_is_new(struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer, uint32_t index);

/* Whether an instruction reads the register, or may by an index from a register. */
bool sch_cli_is_read(const struct sch_cli_registers_of *registers, enum sch_file file, uint32_t buffer, uint32_t index);

/* The word of a number in a table of the library, such as IN for SCH_FILE_INPUT. */
const char *sch_cli_table_word(enum sch_name_table table, unsigned number);

#endif
