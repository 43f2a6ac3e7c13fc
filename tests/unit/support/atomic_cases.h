/* What every atomic does to a word, by hand from the text: for tests of buffers and of images. */
#ifndef TESTS_ATOMIC_CASES_H
#define TESTS_ATOMIC_CASES_H

#include <stdint.h>

/* What the word held, the operands, what it holds then, what is returned. ATOMCAS alone takes b. */
struct atomic_case {
    const char *name;
    uint32_t old, a, b, stored, returned;
};
static const struct atomic_case atomic_cases[] = {
    {"ATOMUADD", 7, 3, 0, 10, 7},
    {"ATOMUADD", 0xffffffff, 2, 0, 1, 0xffffffff},
    {"ATOMXCHG", 7, 3, 0, 3, 7},
    {"ATOMCAS", 7, 7, 9, 9, 7},
    {"ATOMCAS", 7, 8, 9, 7, 7},
    {"ATOMAND", 0xf0f0, 0xff00, 0, 0xf000, 0xf0f0},
    {"ATOMOR", 0xf0f0, 0x0f00, 0, 0xfff0, 0xf0f0},
    {"ATOMXOR", 0xf0f0, 0xff00, 0, 0x0ff0, 0xf0f0},
    {"ATOMUMIN", 0x80000000, 5, 0, 5, 0x80000000},
    {"ATOMUMIN", 4, 5, 0, 4, 4},
    {"ATOMUMAX", 0x80000000, 5, 0, 0x80000000, 0x80000000},
    {"ATOMUMAX", 4, 5, 0, 5, 4},
    {"ATOMIMIN", 0x80000000, 5, 0, 0x80000000, 0x80000000},
    {"ATOMIMIN", 5, 0xffffffff, 0, 0xffffffff, 5},
    {"ATOMIMAX", 0x80000000, 5, 0, 5, 0x80000000},
    {"ATOMIMAX", 5, 0xffffffff, 0, 5, 5},
    {"ATOMINC_WRAP", 3, 5, 0, 4, 3},
    {"ATOMINC_WRAP", 4, 5, 0, 5, 4},
    {"ATOMINC_WRAP", 5, 5, 0, 0, 5},
    {"ATOMINC_WRAP", 0xffffffff, 5, 0, 0, 0xffffffff},
    {"ATOMDEC_WRAP", 3, 5, 0, 2, 3},
    {"ATOMDEC_WRAP", 0, 5, 0, 0, 0},
    {"ATOMDEC_WRAP", 5, 5, 0, 0, 5},
    {"ATOMDEC_WRAP", 9, 5, 0, 0, 9},
    {"ATOMFADD", 0x3f800000, 0x3f000000, 0, 0x3fc00000, 0x3f800000},
    {"ATOMFADD", 0x7f800000, 0xff800000, 0, 0x7fc00000, 0x7f800000},
    {"ATOMFADD", 0x7fa12345, 0x3f800000, 0, 0x7fc00000, 0x7fa12345},
    {"ATOMFADD", 0x00000001, 0x00000001, 0, 0x00000002, 0x00000001},
};

#endif
