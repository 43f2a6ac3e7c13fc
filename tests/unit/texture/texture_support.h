/* What the programs test_texture_rules_*.c share: resources that live as long as a test, and lookups to the texture
 * unit through the public interface at every vector width.
 *
 * Those programs hold mistakes of the texture units of others, as their users published them, each as a lookup to
 * ours. What is expected was worked out by hand from the specification (docs/texture.md says which), never by running
 * what is tested. */
#ifndef TESTS_TEXTURE_SUPPORT_H
#define TESTS_TEXTURE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

/* ---- resources of one test, given back behind it ---- */

enum { TEXELS = 4096 }; /* at most in what grid and levels_of make */

extern struct sch_context *context;
int set_up(void **state);
int tear_down(void **state);

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define SHAPE(...) ((struct sch_resource_options){.size = sizeof(struct sch_resource_options), __VA_ARGS__})
#define VIEW(...)  ((struct sch_view_options){.size = sizeof(struct sch_view_options), __VA_ARGS__})

/* A view of a resource that `data` fills, in the order of docs/texture.md. */
const struct sch_view *view_of(const char *format, struct sch_resource_options shape, const void *data,
                               const struct sch_view_options *how);

/* One level of R32_FLOAT: texel (x, y) of slice or layer z is 100 z + 10 y + x. */
const struct sch_view *grid(enum sch_target target, uint32_t width, uint32_t height, uint32_t slices);

/* 16 x 16 texels of R32_FLOAT in five levels: all of level n are value[n]. */
const struct sch_view *levels_of(enum sch_target target, uint32_t layers, const float value[5],
                                 const struct sch_view_options *how);

/* A sampler's state with one wrap mode and one filter, to be changed and handed to sampler_of. */
struct sch_sampler_options options(enum sch_wrap wrap, enum sch_filter filter, enum sch_mip_filter mip);
const struct sch_sampler *sampler_of(struct sch_sampler_options of);

/* Samplers without mips. */
const struct sch_sampler *nearest(enum sch_wrap wrap);
const struct sch_sampler *linear(enum sch_wrap wrap);
const struct sch_sampler *comparing(enum sch_compare compare, enum sch_rules rules); /* nearest, to the edge */

/* Nearest within a level. */
const struct sch_sampler *mips(enum sch_mip_filter mip);

/* ---- lookups and expectations ---- */

struct looked_up {
    uint32_t u[4];
};

uint32_t bits(float f);
float from_bits(uint32_t u);

/* A quotient of whole numbers below 2^26, rounded once: binary64's own rounding cannot come near a tie. */
float quotient(int64_t n, int64_t d);

/* Fails the test, naming the line, where they differ. */
void check(int line, struct looked_up have, struct looked_up want);

/* One lookup at widths 4, 8 and 16, which must agree. */
struct looked_up look_up(int line, const struct sch_view *view, const struct sch_sampler *sampler,
                         struct sch_lookup lookup);

#define ASK(view, sampler, ...)                                                                                        \
    look_up(__LINE__, (view), (sampler), (struct sch_lookup){.size = sizeof(struct sch_lookup), __VA_ARGS__})
#define WORDS(a, b, c, d)     ((struct looked_up){{(uint32_t)(a), (uint32_t)(b), (uint32_t)(c), (uint32_t)(d)}})
#define FLOATS(a, b, c, d)    WORDS(bits(a), bits(b), bits(c), bits(d))
#define EXPECT(have, want)    check(__LINE__, (have), (want))
#define EXPECT_FIRST(have, x) assert_int_equal((have).u[0], bits(x))
#define BORDER                (-1.0f)

#endif
