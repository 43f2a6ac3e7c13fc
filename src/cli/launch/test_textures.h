/* Textures and surfaces of a test, as kernels find them: headers, samplers, texels in memory. */
#ifndef SCH_CLI_TEST_TEXTURES_H
#define SCH_CLI_TEST_TEXTURES_H

#include "bind/pools.h"
#include "test_file.h"

struct sch_cli_test_textures {
    struct sch_context *context;
    void *pools[SCH_CLI_POOLS];
    size_t pool_bytes[SCH_CLI_POOLS];
    unsigned char *memory; /* texels of the textures, from SCH_CLI_POOL_TEXELS on */
    size_t memory_bytes;
};

/* Surfaces are rows of texels, from an address on that the test's place in the list of memories says. */
uint32_t sch_cli_test_pitch(const struct sch_cli_test_memory *surface);
uint64_t sch_cli_test_surface_address(const struct sch_cli_test *test, uint32_t memory);

/* Makes what the test has. Release it whatever the result was. */
enum sch_cli_exit sch_cli_test_textures_make(const struct sch_cli_test *test, struct sch_context *context,
                                             struct sch_cli_test_textures *made);
void sch_cli_test_textures_release(struct sch_cli_test_textures *made);

#endif
