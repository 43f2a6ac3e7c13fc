/* Blocks of BPTC decoded one texel after another, as Direct3D's functional specification (19.5.13, 19.5.14) and
 * ARB_texture_compression_bptc write it down. */
#ifndef TESTS_BPTC_REFERENCE_H
#define TESTS_BPTC_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* What a block is. Reserved blocks have mode -1. */
struct bptc_visit {
    int mode; /* BC7: 0 to 7; BC6H: the number of Table.MF */
    unsigned partition, rotation, selection;
};

/* R, G, B, A of the texel x + 4 * y. */
void bptc_reference_bc7(const uint8_t block[16], uint8_t texel[16][4], struct bptc_visit *visit);
/* Halves. */
void bptc_reference_bc6h(const uint8_t block[16], bool is_signed, uint16_t texel[16][4], struct bptc_visit *visit);

#endif
