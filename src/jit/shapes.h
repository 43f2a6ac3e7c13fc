/* The functions of the bitcode archive that are not opcodes, with how many vectors they give and take, by value. Those
 * of opcodes follow from the shape (jit/archive_make.c). Shared by the program that makes the archive and the code that
 * calls its functions. */
#ifndef SCH_JIT_SHAPES_H
#define SCH_JIT_SHAPES_H

#include "isa/isa.h"

enum { JIT_MAX_RESULTS = 4, JIT_MAX_OPERANDS = 8 };

/* The operations that have no opcode, beside modifiers (abi/modifiers.def): X(name, results, operands). */
#define JIT_PLAIN(X) X(interpolate, 1, 8)

/* The steps around groups (ops/raster/span.c), X(name, results, operands). */
#define JIT_FRAME(X)                                                                                                   \
    X(pixel_column, 1, 2)                                                                                              \
    X(pixel_row, 1, 2)                                                                                                 \
    X(thread_number, 1, 2)                                                                                             \
    X(plane_scaled, 1, 6)                                                                                              \
    X(plane_divided, 1, 8)                                                                                             \
    X(color_unorm8, 1, 4)                                                                                              \
    X(color_unorm8_from_0_to_1, 1, 4)

/* The bodies of opcodes with SCH_OPF_QUICK, X(name, results, operands): the result, and the lanes that the opcode
 * itself must do. */
#define JIT_QUICK(X)                                                                                                   \
    X(quick_POW, 2, 2)                                                                                                 \
    X(quick_SIN, 2, 1)                                                                                                 \
    X(quick_COS, 2, 1)

/* Conditions of one operand, X(name, type of the operand): lanes of 0 or all ones. */
#define JIT_CONDITIONS(X)                                                                                              \
    X(nonzero_u32, U)                                                                                                  \
    X(nonzero_f32, F)                                                                                                  \
    X(negative_f32, F)

/* Steps of memory accesses of ops/memory/access.h, X(name, results, operands):
 * access_strays  address, lane 0's, lanes' numbers -> lanes that are not where they should be; rules: units of a lane
 * access_places  address, bytes (low, high word), lanes' numbers, bytes of each lane's own memory (low, high word)
 *                -> place (low, high word), lanes inside; rules: shift | component << 8
 * Those on numbers that are the same for all lanes are functions of jit/bodies.c. */
#define JIT_ACCESSES(X)                                                                                                \
    X(access_strays, 1, 3)                                                                                             \
    X(access_places, 3, 6)
enum { JIT_COMPONENT_SHIFT = 8 };

#endif
