/* Which of the sets of block_codec.h can run here. */
#include "block_codec.h"

extern const struct block_codec block_codec_w4, block_codec_w8, block_codec_w16;
#if defined(__x86_64__)
extern const struct block_codec block_codec_w8v3, block_codec_w16v4;
#endif

unsigned block_codecs(const struct block_codec *codecs[BLOCK_CODECS])
{
    unsigned count = 0;
    codecs[count++] = &block_codec_w4;
    codecs[count++] = &block_codec_w8;
    codecs[count++] = &block_codec_w16;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) codecs[count++] = &block_codec_w8v3;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        codecs[count++] = &block_codec_w16v4;
#endif
    return count;
}
