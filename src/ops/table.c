/* The table of one level: a pointer for every row whose shape is arithmetic. A row without a body, or with another
 * shape or signature than its body, does not link. */
#include "ops/ops.h"

#define TABLE_JOIN_(a, b)  a##_##b
#define TABLE_JOIN(a, b)   TABLE_JOIN_(a, b)
#define TABLE_SYMBOL(name) TABLE_JOIN(name, SCH_LEVEL)
#define TABLE_TEXT_(x)     #x
#define TABLE_TEXT(x)      TABLE_TEXT_(x)

/* The traced level has lookups of its own (texture/texture.c, texture/texel.c); all else is the baseline's. */
#ifdef SCH_TRACE
#define TABLE_PLAIN(name) TABLE_JOIN(name, w4)
#else
#define TABLE_PLAIN(name) TABLE_SYMBOL(name)
#endif

/* Shapes that src/ops does; the others have no entry. */
#define DECLARE(name, shape, signature) extern sch_op_fn TABLE_PLAIN(sch_op_##name##_##shape##_##signature);
#define DECLARE_COMP(...)               DECLARE(__VA_ARGS__)
#define DECLARE_REPL(...)               DECLARE(__VA_ARGS__)
#define DECLARE_VREPL2(...)             DECLARE(__VA_ARGS__)
#define DECLARE_VREPL3(...)             DECLARE(__VA_ARGS__)
#define DECLARE_VREPL4(...)             DECLARE(__VA_ARGS__)
#define DECLARE_CHAN(...)               DECLARE(__VA_ARGS__)
#define DECLARE_UNPACK(...)             DECLARE(__VA_ARGS__)
#define DECLARE_COMP64(...)             DECLARE(__VA_ARGS__)
#define DECLARE_COMPARE64(...)          DECLARE(__VA_ARGS__)
#define DECLARE_WIDEN64(...)            DECLARE(__VA_ARGS__)
#define DECLARE_NARROW64(...)           DECLARE(__VA_ARGS__)
#define DECLARE_FRACEXP(...)            DECLARE(__VA_ARGS__)
#define DECLARE_FLOW(...)
#define DECLARE_TEX(...)
#define DECLARE_MEMORY(...)
#define DECLARE_ATOMIC(...)
#define DECLARE_LANE(...)
#define DECLARE_STREAM(...)
#define DECLARE_INTERPOLATE(...)
#define DECLARE_SYNC(...)
#define DECLARE_FETCH(...)
#define DECLARE_HANDLE(...)

#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) DECLARE_##shape(name, shape, signature)
#include "isa/opcodes.def"
#undef OP
#undef DECLARE

/* One update of a word in memory per ATOM* row. */
#define ATOMIC_COMP(...)
#define ATOMIC_REPL(...)
#define ATOMIC_VREPL2(...)
#define ATOMIC_VREPL3(...)
#define ATOMIC_VREPL4(...)
#define ATOMIC_CHAN(...)
#define ATOMIC_UNPACK(...)
#define ATOMIC_COMP64(...)
#define ATOMIC_COMPARE64(...)
#define ATOMIC_WIDEN64(...)
#define ATOMIC_NARROW64(...)
#define ATOMIC_FRACEXP(...)
#define ATOMIC_FLOW(...)
#define ATOMIC_TEX(...)
#define ATOMIC_MEMORY(...)
#define ATOMIC_ATOMIC(...) DECLARE(__VA_ARGS__)
#define ATOMIC_LANE(...)
#define ATOMIC_STREAM(...)
#define ATOMIC_INTERPOLATE(...)
#define ATOMIC_SYNC(...)
#define ATOMIC_FETCH(...)
#define ATOMIC_HANDLE(...)

#define DECLARE(name, shape, signature)                                     extern sch_atomic_fn TABLE_PLAIN(sch_op_##name##_##shape##_##signature);
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) ATOMIC_##shape(name, shape, signature)
#include "isa/opcodes.def"
#undef OP
#undef DECLARE

#define MODIFIER(enumerator, operation, words) extern sch_op_fn TABLE_PLAIN(sch_ops_##operation);
#include "abi/modifiers.def"
#undef MODIFIER
extern sch_op_fn TABLE_PLAIN(sch_ops_interpolate);

extern void TABLE_PLAIN(sch_ops_commit)(struct sch_lanes *, const struct sch_lanes *, const struct sch_lanes *);
extern void TABLE_PLAIN(sch_ops_splat)(struct sch_lanes *, uint32_t);
extern uint32_t TABLE_PLAIN(sch_ops_nonzero_u32)(const struct sch_lanes *);
extern uint32_t TABLE_PLAIN(sch_ops_nonzero_f32)(const struct sch_lanes *);
extern uint32_t TABLE_PLAIN(sch_ops_negative_f32)(const struct sch_lanes *);
extern uint32_t TABLE_PLAIN(sch_ops_equal_u32)(const struct sch_lanes *, uint32_t);
extern void TABLE_PLAIN(sch_ops_mask_lanes)(struct sch_lanes *, uint32_t);
extern void TABLE_PLAIN(sch_ops_gather)(struct sch_lanes *, const uint32_t *, const struct sch_lanes *, uint32_t,
                                        uint32_t, const struct sch_lanes *);
extern sch_sample_fn TABLE_SYMBOL(sch_ops_sample);
extern sch_sample_fn TABLE_SYMBOL(sch_ops_texture_gather);
extern sch_sample_fn TABLE_SYMBOL(sch_ops_lod_query);
extern sch_sample_fn TABLE_PLAIN(sch_ops_footprint_query);
extern void TABLE_PLAIN(sch_ops_bit_field)(struct sch_lanes *, const struct sch_lanes *, unsigned, unsigned, bool);
extern void TABLE_PLAIN(sch_ops_pack_halves)(struct sch_lanes *, const struct sch_lanes *, const struct sch_lanes *,
                                             bool);
extern sch_fetch_fn TABLE_SYMBOL(sch_ops_fetch);
extern sch_image_store_fn TABLE_SYMBOL(sch_ops_image_store);
extern sch_image_texel_fn TABLE_SYMBOL(sch_ops_image_texel);
extern sch_texels_read_fn TABLE_PLAIN(sch_ops_texels_read);
extern sch_texels_write_fn TABLE_PLAIN(sch_ops_texels_write);
extern sch_texels_mean_fn TABLE_PLAIN(sch_ops_texels_mean);
extern sch_texel_tile_decode_fn TABLE_PLAIN(sch_ops_tile_decode);
extern sch_video_colors_fn TABLE_PLAIN(sch_ops_video_colors);
#define MAXWELL_BODY(name) extern sch_maxwell_fn TABLE_PLAIN(sch_ops_maxwell_##name);
#include "abi/maxwell_bodies.def"
#undef MAXWELL_BODY
extern sch_maxwell_update_fn TABLE_PLAIN(sch_ops_maxwell_update);
extern uint32_t TABLE_PLAIN(sch_ops_maxwell_test)(const struct sch_lanes *, unsigned);
extern void TABLE_PLAIN(sch_ops_maxwell_flip)(struct sch_lanes *, const struct sch_lanes *, uint32_t, uint32_t);
extern void TABLE_PLAIN(sch_ops_maxwell_truth)(struct sch_lanes *, const struct sch_lanes *, bool);
extern sch_load_fn TABLE_PLAIN(sch_ops_load);
extern sch_store_fn TABLE_PLAIN(sch_ops_store);
extern void TABLE_PLAIN(sch_ops_quad_pixels)(struct sch_lanes *, struct sch_lanes *, uint32_t, uint32_t);
extern void TABLE_PLAIN(sch_ops_plane)(struct sch_lanes *, const struct sch_group_plane *, const struct sch_lanes *,
                                       const struct sch_lanes *);
extern void TABLE_PLAIN(sch_ops_pack_unorm8)(void *, void *, const struct sch_lanes[4]);
extern void TABLE_PLAIN(sch_ops_thread_ids)(struct sch_lanes[3], uint32_t, const uint32_t[3]);
#define RASTER(name, result, parameters) extern result TABLE_PLAIN(sch_ops_##name) parameters;
#include "ops/raster/raster.def"
#undef RASTER

#define DECLARE(name, shape, signature) [SCH_OP_##name] = TABLE_PLAIN(sch_op_##name##_##shape##_##signature),

extern const struct sch_ops TABLE_SYMBOL(sch_ops);
const struct sch_ops TABLE_SYMBOL(sch_ops) = {
    .name = TABLE_TEXT(SCH_LEVEL),
    .lanes = SCH_LANES,
    .op =
        {
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) DECLARE_##shape(name, shape, signature)
#include "isa/opcodes.def"
#undef OP
        },
    .atomic =
        {
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) ATOMIC_##shape(name, shape, signature)
#include "isa/opcodes.def"
#undef OP
        },
    .modify =
        {
#define MODIFIER(enumerator, operation, words) [SCH_MODIFY_##enumerator] = TABLE_PLAIN(sch_ops_##operation),
#include "abi/modifiers.def"
#undef MODIFIER
        },
    .interpolate = TABLE_PLAIN(sch_ops_interpolate),
    .commit = TABLE_PLAIN(sch_ops_commit),
    .splat = TABLE_PLAIN(sch_ops_splat),
    .nonzero_u32 = TABLE_PLAIN(sch_ops_nonzero_u32),
    .nonzero_f32 = TABLE_PLAIN(sch_ops_nonzero_f32),
    .negative_f32 = TABLE_PLAIN(sch_ops_negative_f32),
    .equal_u32 = TABLE_PLAIN(sch_ops_equal_u32),
    .mask_lanes = TABLE_PLAIN(sch_ops_mask_lanes),
    .gather = TABLE_PLAIN(sch_ops_gather),
    .sample = TABLE_SYMBOL(sch_ops_sample),
    .texture_gather = TABLE_SYMBOL(sch_ops_texture_gather),
    .lod_query = TABLE_SYMBOL(sch_ops_lod_query),
    .footprint_query = TABLE_PLAIN(sch_ops_footprint_query),
    .bit_field = TABLE_PLAIN(sch_ops_bit_field),
    .pack_halves = TABLE_PLAIN(sch_ops_pack_halves),
    .fetch = TABLE_SYMBOL(sch_ops_fetch),
    .image_store = TABLE_SYMBOL(sch_ops_image_store),
    .image_texel = TABLE_SYMBOL(sch_ops_image_texel),
    .texels_read = TABLE_PLAIN(sch_ops_texels_read),
    .texels_write = TABLE_PLAIN(sch_ops_texels_write),
    .texels_mean = TABLE_PLAIN(sch_ops_texels_mean),
    .tile_decode = TABLE_PLAIN(sch_ops_tile_decode),
    .video_colors = TABLE_PLAIN(sch_ops_video_colors),
    .maxwell =
        {
#define MAXWELL_BODY(name) [SCH_MAXWELL_BODY_##name] = TABLE_PLAIN(sch_ops_maxwell_##name),
#include "abi/maxwell_bodies.def"
#undef MAXWELL_BODY
        },
    .maxwell_update = TABLE_PLAIN(sch_ops_maxwell_update),
    .maxwell_test = TABLE_PLAIN(sch_ops_maxwell_test),
    .maxwell_flip = TABLE_PLAIN(sch_ops_maxwell_flip),
    .maxwell_truth = TABLE_PLAIN(sch_ops_maxwell_truth),
    .load = TABLE_PLAIN(sch_ops_load),
    .store = TABLE_PLAIN(sch_ops_store),
    .quad_pixels = TABLE_PLAIN(sch_ops_quad_pixels),
    .plane = TABLE_PLAIN(sch_ops_plane),
    .pack_unorm8 = TABLE_PLAIN(sch_ops_pack_unorm8),
    .thread_ids = TABLE_PLAIN(sch_ops_thread_ids),
#define RASTER(name, result, parameters) .name = TABLE_PLAIN(sch_ops_##name),
#include "ops/raster/raster.def"
#undef RASTER
};
