/* Texels in block-linear order, in blocks of one GOB: 64 bytes of 8 rows (docs/maxwell.md, "Headers and samplers"). */
#ifndef SCH_CLI_GOBS_H
#define SCH_CLI_GOBS_H

#include <stddef.h>

/* The bytes of rows of so many bytes. */
size_t sch_cli_gobs_bytes(size_t row_bytes, size_t rows);
/* Puts rows that follow each other there. */
void sch_cli_gobs_put(unsigned char *to, const unsigned char *from, size_t row_bytes, size_t rows);

#endif
