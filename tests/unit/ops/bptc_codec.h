/* Width-agnostic entry points to src/ops/texture/bptc.h as each level is built: bptc_codec.c is compiled for each. */
#ifndef TESTS_BPTC_CODEC_H
#define TESTS_BPTC_CODEC_H

#include <stdbool.h>
#include <stdint.h>

struct bptc_codec {
    const char *name;
    void (*bc7)(const uint32_t block[4], uint32_t texel[16]);
    void (*bc6h)(const uint32_t block[4], bool is_signed, uint32_t red_green[16], uint32_t blue_alpha[16]);
};

#define LEVEL(name, needs) extern const struct bptc_codec bptc_codec_##name;
#include "isa/levels.def"
#undef LEVEL

#endif
