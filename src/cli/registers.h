/* What a shader declares of the registers that lines and options give values for, and what its instructions take their
 * components for. Read from the shader's canonical text and the table of opcodes. */
#ifndef SCH_CLI_REGISTERS_H
#define SCH_CLI_REGISTERS_H

#include "value.h"

enum sch_cli_register_file {
    SCH_CLI_FILE_IN,
    SCH_CLI_FILE_OUT,
    SCH_CLI_FILE_SV,
    SCH_CLI_FILE_CONST,
    SCH_CLI_FILE_TEMP,
    SCH_CLI_FILES
};

struct sch_cli_registers_of; /* what is known of a shader's */

/* Of a shader that is lowered. Release it (NULL too). */
enum sch_cli_exit sch_cli_registers_create(const struct sch_cli_shader *shader, struct sch_cli_registers_of **made);
void sch_cli_registers_destroy(struct sch_cli_registers_of *registers);

/* Whether the register is declared; `buffer` is that of constants, 0 for other files. */
bool sch_cli_is_declared(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file, uint32_t buffer,
                         uint32_t index);

/* What it is declared as, for a report: IN[0..2], or "none". */
void sch_cli_describe_declared(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file,
                               char text[160]);

/* A number that only this declared register has, below the count. */
uint32_t sch_cli_register_number(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file,
                                 uint32_t buffer, uint32_t index);
uint32_t sch_cli_register_count(const struct sch_cli_registers_of *registers);

/* What the shader takes the component for: float and integer, or neither, are UNKNOWN. */
enum sch_cli_type sch_cli_type_of(struct sch_cli_registers_of *registers, enum sch_cli_register_file file,
                                  uint32_t buffer, uint32_t index, unsigned component);

/* The same of all four. */
void sch_cli_types_of(struct sch_cli_registers_of *registers, enum sch_cli_register_file file, uint32_t buffer,
                      uint32_t index, enum sch_cli_type types[4]);

/* True the first time for a register: a warning about its value is said once. */
bool sch_cli_doubt_is_new(struct sch_cli_registers_of *registers, enum sch_cli_register_file file, uint32_t buffer,
                          uint32_t index);

/* The declared ranges, for who lists them: false past the last. */
struct sch_cli_range {
    enum sch_cli_register_file file;
    uint32_t buffer, first, last;
};
bool sch_cli_declared_range(const struct sch_cli_registers_of *registers, size_t position, struct sch_cli_range *range);

/* Whether an instruction reads the register, or may by an index from a register. */
bool sch_cli_is_read(const struct sch_cli_registers_of *registers, enum sch_cli_register_file file, uint32_t buffer,
                     uint32_t index);

#endif
