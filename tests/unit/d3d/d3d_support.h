/* What the tests of src/d3d share: our own programs and the containers of the shared corpus, walked one by one.
 * Everything fails the running cmocka test when it cannot be had. */
#ifndef SCH_TESTS_D3D_SUPPORT_H
#define SCH_TESTS_D3D_SUPPORT_H

#include "../tgsi/tgsi_support.h"

#include "d3d/dxbc/container.h"
#include "d3d/dxbc/program.h"

/* One file of the corpus. */
struct d3d_file {
    char *name; /* folder/NAME.dxbc; of our own folder/NAME.asm */
    bool own;
    unsigned char *data;
    size_t bytes;
};

/* Our own programs (tests/corpus/d3d, tests/golden/d3d/lower), assembled, and where there is a shared folder all
 * containers below its corpus/dxbc; the own ones first, sorted by name. */
struct d3d_file *d3d_corpus(size_t *count);
/* How many of them are beside the repository. */
size_t d3d_shared_count(const struct d3d_file *files, size_t count);
void d3d_corpus_free(struct d3d_file *files, size_t count);

/* Reads a container; the first report is printed when it is refused. */
struct sch_d3d_container *d3d_read(const void *data, size_t bytes);

/* The first reported number of reading these bytes; 0: accepted. */
unsigned d3d_refusal(const void *data, size_t bytes, bool any_checksum);

/* The words of an instruction that is no declaration, with operands as its row says; answers how many. */
size_t d3d_make_instruction(const struct sch_d3d_op_info *info, uint32_t words[64]);

/* Words of every declaration, with the version of a program that may have it. */
struct d3d_declaration {
    uint32_t version, words[10];
    size_t count;
};
enum { D3D_DECLARATIONS = 43 };
extern const struct d3d_declaration d3d_declarations[D3D_DECLARATIONS];

void d3d_print_reports(const char *name, const struct sch_diagnostics *diagnostics);

#endif
