/* The words of public enumerations, once: in the order of the enumeration's numbers, from 0 on, and empty where a
 * number has no word. For clients of include/; tests/static/words.py compares them with the headers. */
#ifndef SCH_SUPPORT_WORDS_H
#define SCH_SUPPORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
/* MAXWELL_TEXT and MAXWELL_RAW are what MAXWELL becomes. */
#define SCH_WORDS_KIND(W) W(auto) W(tgsi) W(tgsi-bin) W(dxbc) W(d3d-asm) W(maxwell) W() W() W(cubin)
#define SCH_WORDS_DIALECT(W) W(auto) W(tgsi) W(virgl)
#define SCH_WORDS_ENGINE(W) W(auto) W(interp) W(maxwell) W(jit)
#define SCH_WORDS_WRAP(W) \
    W(repeat) W(clamp) W(clamp_to_edge) W(clamp_to_border) \
    W(mirror_repeat) W(mirror_clamp) W(mirror_clamp_to_edge) W(mirror_clamp_to_border)
#define SCH_WORDS_FILTER(W) W(nearest) W(linear)
#define SCH_WORDS_MIP_FILTER(W) W(none) W(nearest) W(linear)
/* SCH_COMPARE_NONE has no word. */
#define SCH_WORDS_COMPARED(W) W(never) W(less) W(equal) W(lequal) W(greater) W(notequal) W(gequal) W(always)
#define SCH_WORDS_COMPARE(W) W() SCH_WORDS_COMPARED(W)
#define SCH_WORDS_REDUCTION(W) W(average) W(minimum) W(maximum)
#define SCH_WORDS_RULES(W) W(tgsi) W(d3d) W(maxwell)
#define SCH_WORDS_STAGE(W) SCH_WORDS_DRAWING_STAGE(W) W(compute)
#define SCH_WORDS_DRAWING_STAGE(W) W(vertex) W(tess_ctrl) W(tess_eval) W(geometry) W(fragment)
#define SCH_WORDS_PRIMITIVE(W) \
    W(points) W(lines) W(line_loop) W(line_strip) W(triangles) W(triangle_strip) W(triangle_fan) W(quads) W(quad_strip) \
    W(polygon) W(lines_adjacency) W(line_strip_adjacency) W(triangles_adjacency) W(triangle_strip_adjacency) W(patches)
#define SCH_WORDS_FILL(W) W(solid) W(line) W(point)
#define SCH_WORDS_SPRITE_ORIGIN(W) W(upper_left) W(lower_left)
#define SCH_WORDS_CONSERVATIVE(W) W(off) W(post_snap) W(pre_snap)
#define SCH_WORDS_STENCIL_OPERATION(W) \
    W(keep) W(zero) W(replace) W(incr) W(decr) W(incr_wrap) W(decr_wrap) W(invert)
#define SCH_WORDS_BLEND_EQUATION(W) W(add) W(subtract) W(reverse_subtract) W(min) W(max)
#define SCH_WORDS_BLEND_FACTOR(W) \
    W() W(one) W(src_color) W(src_alpha) W(dst_alpha) W(dst_color) W(src_alpha_saturate) W(const_color) W(const_alpha) \
    W(src1_color) W(src1_alpha) W() W() W() W() W() W() W(zero) W(inv_src_color) W(inv_src_alpha) W(inv_dst_alpha) \
    W(inv_dst_color) W() W(inv_const_color) W(inv_const_alpha) W(inv_src1_color) W(inv_src1_alpha)
#define SCH_WORDS_LOGIC_OPERATION(W) \
    W(clear) W(nor) W(and_inverted) W(copy_inverted) W(and_reverse) W(invert) W(xor) W(nand) W(and) W(equiv) W(noop) \
    W(or_inverted) W(copy) W(or_reverse) W(or) W(set)
#define SCH_WORDS_ADVANCED_BLEND(W) \
    W(none) W(multiply) W(screen) W(overlay) W(darken) W(lighten) W(color_dodge) W(color_burn) W(hard_light) \
    W(soft_light) W(difference) W(exclusion) W(hsl_hue) W(hsl_saturation) W(hsl_color) W(hsl_luminosity)
/* Those that run on any machine; what reads the clock has none. */
#define SCH_WORDS_QUERY_KIND(W) \
    W(occlusion_counter) W(occlusion_predicate) W(occlusion_predicate_conservative) W() W() W() W(primitives_generated) \
    W(primitives_emitted) W(so_statistics) W(so_overflow_predicate) W(so_overflow_any_predicate) W() \
    W(pipeline_statistics)
/* Of textures; lookups with comparison have more (sch_table_name). */
#define SCH_WORDS_TARGET(W) \
    W(BUFFER) W(1D) W(2D) W(3D) W(CUBE) W(RECT) W() W() W() W(1D_ARRAY) W(2D_ARRAY) W() W() W() W(2D_MSAA) \
    W(2D_ARRAY_MSAA) W(CUBE_ARRAY)
/* clang-format on */

/* A list as an array that ends with NULL, and as one text with | between the words. */
#define SCH_WORDS_ITEM(word) #word,
#define SCH_WORDS_BAR(word)  "|" #word
#define SCH_WORDS_ARRAY(list)                                                                                          \
    {                                                                                                                  \
        list(SCH_WORDS_ITEM) NULL                                                                                      \
    }
#define SCH_WORDS_TEXT(list) (&(list(SCH_WORDS_BAR))[1])

extern const char *const sch_kind_words[];
extern const char *const sch_dialect_words[];
extern const char *const sch_engine_words[];
extern const char *const sch_stage_words[];
extern const char *const sch_drawing_stage_words[];
extern const char *const sch_target_words[];
extern const char *const sch_wrap_words[];
extern const char *const sch_filter_words[];
extern const char *const sch_mip_filter_words[];
extern const char *const sch_compare_words[];
extern const char *const sch_reduction_words[];
extern const char *const sch_rules_words[];
extern const char *const sch_primitive_words[];
extern const char *const sch_fill_words[];
extern const char *const sch_sprite_origin_words[];
extern const char *const sch_conservative_words[];
extern const char *const sch_stencil_operation_words[];
extern const char *const sch_blend_equation_words[];
extern const char *const sch_blend_factor_words[];
extern const char *const sch_logic_operation_words[];
extern const char *const sch_advanced_blend_words[];
extern const char *const sch_query_kind_words[];

/* The place of the word that `text` begins with and that ends after `bytes` in a list that NULL ends; false: there is
 * none. */
bool sch_words_find(const char *const *words, const char *text, size_t bytes, uint32_t *place);

#endif
