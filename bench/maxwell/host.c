/* See host.h. Compiled by clang -O2, without anything for this processor in particular. */
#include "host.h"

#include <math.h>

void host_saxpy(const float *restrict x, float *restrict y, float a, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

void host_matmul(const float *restrict a, const float *restrict b, float *restrict c, size_t n)
{
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < n; column++) {
            float sum = 0;
            for (size_t k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
        }
}

void host_nbody(const float *restrict bodies, float *restrict out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float x = 0, y = 0, z = 0;
        for (size_t j = 0; j < n; j++) {
            const float dx = bodies[4 * j] - bodies[4 * i], dy = bodies[4 * j + 1] - bodies[4 * i + 1];
            const float dz = bodies[4 * j + 2] - bodies[4 * i + 2];
            const float square =
                dx * dx + dy * dy + dz * dz + 0.010009765625f; /* as the kernel, whose number has few bits */
            const float inverse = 1.0f / sqrtf(square);
            const float force = bodies[4 * j + 3] * inverse * inverse * inverse;
            x += dx * force;
            y += dy * force;
            z += dz * force;
        }
        out[3 * i] = x;
        out[3 * i + 1] = y;
        out[3 * i + 2] = z;
    }
}

void host_histogram(const uint32_t *restrict words, uint32_t *restrict bins, size_t n)
{
    for (size_t i = 0; i < n; i++) bins[words[i] & 0xff]++;
}

uint32_t host_reduce(const uint32_t *words, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += words[i];
    return sum;
}
