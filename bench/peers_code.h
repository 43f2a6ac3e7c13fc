/* The machine code that this process has made, for whoever counts its instructions. */
#ifndef BENCH_PEERS_CODE_H
#define BENCH_PEERS_CODE_H

#include <stdbool.h>

/* All executable memory that is of no file, one piece behind the other. False: the file cannot be written. */
bool bench_write_code(const char *path);

#endif
