/* The kernels of maxwell.c as plain C, for one thread: what a compiler makes of the same loops for this processor. */
#ifndef BENCH_MAXWELL_HOST_H
#define BENCH_MAXWELL_HOST_H

#include <stddef.h>
#include <stdint.h>

void host_saxpy(const float *x, float *y, float a, size_t n);
void host_matmul(const float *a, const float *b, float *c, size_t n);
void host_nbody(const float *bodies, float *out, size_t n); /* x, y, z, mass; three sums each */
void host_histogram(const uint32_t *words, uint32_t *bins, size_t n);
uint32_t host_reduce(const uint32_t *words, size_t n);

#endif
