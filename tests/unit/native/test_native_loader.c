/* The loader of objects, field by field: an object that stands here as one structure, each of whose fields is changed
 * by itself to what is still allowed and to what is not any more (native/object.h; "System V ABI", chapter 4). What a
 * compiler writes is loaded in test_native_object.c. */
#include <elf.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/need_code.h"
#include "native/object.h"
#include "protocol/compiler.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    NOTHING,
    TEXT,
    OTHER,
    CONSTANTS,
    TABLE,
    UNWIND,
    SYMBOLS,
    NAMES,
    SECTION_NAMES,
    SIZES,
    TEXT_LIST,
    TABLE_LIST,
    SIZES_LIST,
    NOTE,
    SECTIONS
};
enum { NO_SYMBOL, FIRST, SECOND, END_OF_CONSTANTS, OUTSIDE, ABSOLUTE, SYMBOL_COUNT };
enum { TEXT_BYTES = 48, PAGE = 4096 };

/* Two functions, in two sections; constants; a table of addresses. */
struct object {
    Elf64_Ehdr header;
    uint8_t text[TEXT_BYTES], other[16];
    uint8_t constants[16];
    uint64_t table[4];
    uint8_t unwind[16];
    Elf64_Sym symbols[SYMBOL_COUNT];
    char names[32], section_names[64];
    uint8_t sizes[2][9];
    uint8_t spare[6];
    Elf64_Rela text_list[2], table_list[4], sizes_list[2];
    Elf64_Shdr sections[SECTIONS];
};

#define SECTION(member, type, flags, name, link, info, each)                                                           \
    (Elf64_Shdr)                                                                                                       \
    {                                                                                                                  \
        .sh_name = name, .sh_type = type, .sh_flags = flags, .sh_offset = offsetof(struct object, member),             \
        .sh_size = sizeof(((struct object *)0)->member), .sh_link = link, .sh_info = info, .sh_addralign = 1,          \
        .sh_entsize = each                                                                                             \
    }

static void add_relocation(Elf64_Rela *entry, uint64_t at, uint64_t symbol, uint64_t type, int64_t addend)
{
    *entry = (Elf64_Rela){.r_offset = at, .r_info = ELF64_R_INFO(symbol, type), .r_addend = addend};
}

static void make(struct object *o)
{
    memset(o, 0, sizeof *o);
    memcpy(o->header.e_ident, ELFMAG, SELFMAG);
    o->header.e_ident[EI_CLASS] = ELFCLASS64;
    o->header.e_ident[EI_DATA] = ELFDATA2LSB;
    o->header.e_type = ET_REL;
    o->header.e_machine = EM_X86_64;
    o->header.e_shoff = offsetof(struct object, sections);
    o->header.e_shentsize = sizeof(Elf64_Shdr);
    o->header.e_shnum = SECTIONS;
    o->header.e_shstrndx = SECTION_NAMES;
    for (unsigned i = 0; i < TEXT_BYTES; i++) o->text[i] = (uint8_t)(0x40 + i);
    for (unsigned i = 0; i < 16; i++) o->other[i] = (uint8_t)(0x80 + i), o->constants[i] = (uint8_t)(0xa0 + i);
    static const char names[] = "\0first\0second\0end", section_names[] = "\0.text\0.data.rel.ro.local\0.stack_sizes";
    memcpy(o->names, names, sizeof names);
    memcpy(o->section_names, section_names, sizeof section_names);
    const uint8_t function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    o->symbols[FIRST] = (Elf64_Sym){.st_name = 1, .st_info = function, .st_shndx = TEXT, .st_value = 8, .st_size = 20};
    o->symbols[SECOND] = (Elf64_Sym){.st_name = 7, .st_info = function, .st_shndx = OTHER, .st_size = 16};
    o->symbols[END_OF_CONSTANTS] = (Elf64_Sym){.st_name = 14, .st_shndx = CONSTANTS, .st_value = 16};
    o->symbols[OUTSIDE] = (Elf64_Sym){.st_info = function};
    o->symbols[ABSOLUTE] = (Elf64_Sym){.st_info = function, .st_shndx = SHN_ABS};
    o->sizes[0][8] = 100;
    o->sizes[1][8] = 28;
    add_relocation(&o->sizes_list[0], 0, FIRST, R_X86_64_64, 0);
    add_relocation(&o->sizes_list[1], 9, SECOND, R_X86_64_64, 0);
    add_relocation(&o->text_list[0], 0, SECOND, R_X86_64_PC32, 5);
    add_relocation(&o->text_list[1], TEXT_BYTES - 4, SECOND, R_X86_64_PLT32, -4);
    add_relocation(&o->table_list[0], 0, FIRST, R_X86_64_64, 3);
    add_relocation(&o->table_list[1], 8, END_OF_CONSTANTS, R_X86_64_PC64, 7);
    add_relocation(&o->table_list[2], 24, SECOND, R_X86_64_64, -9);
    add_relocation(&o->table_list[3], 16, OUTSIDE, R_X86_64_NONE, 0);
    Elf64_Shdr *s = o->sections;
    const uint64_t code = SHF_ALLOC | SHF_EXECINSTR;
    s[NOTHING] = (Elf64_Shdr){0};
    s[TEXT] = SECTION(text, SHT_PROGBITS, code, 1, 0, 0, 0);
    s[OTHER] = SECTION(other, SHT_PROGBITS, code, 1, 0, 0, 0);
    s[OTHER].sh_addralign = 64;
    s[CONSTANTS] = SECTION(constants, SHT_PROGBITS, SHF_ALLOC, 0, 0, 0, 0);
    s[TABLE] = SECTION(table, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 7, 0, 0, 0);
    s[TABLE].sh_addralign = 8;
    s[UNWIND] = SECTION(unwind, SHT_X86_64_UNWIND, SHF_ALLOC, 0, 0, 0, 0);
    s[SYMBOLS] = SECTION(symbols, SHT_SYMTAB, 0, 0, NAMES, 0, sizeof(Elf64_Sym));
    s[NAMES] = SECTION(names, SHT_STRTAB, 0, 0, 0, 0, 0);
    s[SECTION_NAMES] = SECTION(section_names, SHT_STRTAB, 0, 0, 0, 0, 0);
    s[SIZES] = SECTION(sizes, SHT_PROGBITS, 0, 26, 0, 0, 0);
    s[TEXT_LIST] = SECTION(text_list, SHT_RELA, 0, 0, SYMBOLS, TEXT, sizeof(Elf64_Rela));
    s[TABLE_LIST] = SECTION(table_list, SHT_RELA, 0, 0, SYMBOLS, TABLE, sizeof(Elf64_Rela));
    s[SIZES_LIST] = SECTION(sizes_list, SHT_RELA, 0, 0, SYMBOLS, SIZES, sizeof(Elf64_Rela));
    s[NOTE] = (Elf64_Shdr){.sh_type = SHT_NOTE, .sh_addralign = 3, .sh_offset = UINT64_MAX};
}

/* From memory of its own size, so that sanitizers see a read behind it. */
static enum sch_result load(const void *bytes, size_t size, const char *function, struct sch_native_code *code)
{
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    memset(code, 0x55, sizeof *code);
    const enum sch_result status = sch_native_load(copy, size, function, NULL, code);
    free(copy);
    if (status == SCH_OK) return status;
    const struct sch_native_code none = {0};
    assert_true(code->memory == none.memory && code->function == none.function && !code->bytes);
    assert_true(!code->function_bytes && !code->stack_bytes);
    return status;
}

static enum sch_result try(const struct object *object)
{
    struct sch_native_code code;
    const enum sch_result status = load(object, sizeof *object, "first", &code);
    sch_native_unload(&code);
    return status;
}

/* ---- what is loaded ---- */

/* The protection of a page as proc(5) says it; empty: it is not mapped. */
static void protection_of(const uint8_t *page, char text[8])
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    text[0] = 0;
    while (fgets(line, sizeof line, maps)) {
        uintptr_t begin, end;
        char found[8];
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, found) != 3) continue;
        if ((uintptr_t)page >= begin && (uintptr_t)page < end) strcpy(text, found);
    }
    fclose(maps);
}

static void expect_protection(const uint8_t *page, const char *wanted)
{
    char text[8];
    protection_of(page, text);
    assert_string_equal(text, wanted);
}

static uint64_t word_at(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

/* Code stands first, in the order of sections; each behind the one before, as it is aligned. */
static void everything_has_its_place(void **state)
{
    NEED_CODE;
    struct object o;
    struct sch_native_code code;
    make(&o);
    assert_int_equal(load(&o, sizeof o, "first", &code), SCH_OK);
    uint8_t *memory = code.memory;
    assert_int_equal(code.bytes, 2 * PAGE);
    assert_ptr_equal(code.function, memory + 8);
    assert_int_equal(code.function_bytes, 20);
    assert_int_equal(code.stack_bytes, 100 + 28 + 2 * 128);
    assert_memory_equal(memory + 4, o.text + 4, TEXT_BYTES - 8);
    assert_memory_equal(memory + 64, o.other, 16);
    assert_memory_equal(memory + PAGE, o.constants, 16);
    for (unsigned i = TEXT_BYTES; i < 64; i++) assert_int_equal(memory[i], 0);
    for (unsigned i = 16 + 32; i < PAGE; i++) assert_int_equal(memory[PAGE + i], 0); /* nothing of the unwind table */
    assert_int_equal(word_at(memory, 4), 64 + 5);
    assert_int_equal(word_at(memory + TEXT_BYTES - 4, 4), 64 - 4 - (TEXT_BYTES - 4));
    const uint64_t begin = (uintptr_t)memory;
    assert_int_equal(word_at(memory + PAGE + 16, 8), begin + 8 + 3);
    assert_int_equal(word_at(memory + PAGE + 24, 8), 16 + 7 - 24);
    assert_int_equal(word_at(memory + PAGE + 32, 8), 0); /* R_X86_64_NONE */
    assert_int_equal(word_at(memory + PAGE + 40, 8), begin + 64 - 9);
    expect_protection(memory, "r-xp");
    expect_protection(memory + PAGE, "r--p");
    sch_native_unload(&code);
    expect_protection(memory, "");
    assert_true(!code.memory && !code.bytes && !code.function && !code.function_bytes && !code.stack_bytes);

    assert_int_equal(load(&o, sizeof o, "second", &code), SCH_OK);
    assert_ptr_equal(code.function, (uint8_t *)code.memory + 64);
    assert_int_equal(code.function_bytes, 16);
    sch_native_unload(&code);
}

/* Without data there is none; whole pages have nothing behind them. */
static void pages_are_whole(void **state)
{
    NEED_CODE;
    static const struct {
        uint64_t code, data;
        size_t code_pages, pages;
    } sizes[] = {{100, 0, 1, 1},
                 {PAGE, 0, 1, 1},
                 {PAGE + 1, 0, 2, 2},
                 {PAGE, 1, 1, 2},
                 {PAGE - 1, PAGE, 1, 2},
                 {2 * PAGE, PAGE + 1, 2, 4},
                 {2 * PAGE + 1, 3 * PAGE, 3, 6}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct object o;
        struct sch_native_code code;
        make(&o);
        o.sections[TEXT].sh_type = o.sections[CONSTANTS].sh_type = SHT_NOBITS;
        o.sections[TEXT].sh_size = sizes[i].code;
        o.sections[CONSTANTS].sh_size = sizes[i].data;
        o.sections[CONSTANTS].sh_offset = o.sections[TEXT].sh_offset = UINT64_MAX; /* nothing of the file */
        o.header.e_shnum = SIZES_LIST + 1;
        o.sections[TEXT_LIST].sh_type = o.sections[TABLE_LIST].sh_type = o.sections[TABLE].sh_type = SHT_NULL;
        o.sections[TABLE].sh_flags = 0;
        o.sections[OTHER].sh_flags = 0;
        o.sizes_list[1] = o.sizes_list[0]; /* two entries of one function */
        o.sizes_list[1].r_offset = 9;
        assert_int_equal(load(&o, sizeof o, "first", &code), SCH_OK);
        assert_int_equal(code.bytes, sizes[i].pages * PAGE);
        for (size_t page = 0; page < sizes[i].pages; page++) {
            expect_protection((uint8_t *)code.memory + page * PAGE, page < sizes[i].code_pages ? "r-xp" : "r--p");
            assert_int_equal(word_at((uint8_t *)code.memory + page * PAGE, 8), 0);
        }
        sch_native_unload(&code);
    }
}

/* ---- field by field ---- */

#define AT(member)       offsetof(struct object, member), sizeof(((struct object *)0)->member)
#define HEAD(member)     AT(header.member)
#define OF(number, name) AT(sections[number].name)
enum { OK = SCH_OK, INVALID = SCH_ERROR_INVALID, UNSUPPORTED = SCH_ERROR_UNSUPPORTED, LIMIT = SCH_ERROR_LIMIT };
#define END sizeof(struct object)

static const struct change {
    size_t at, bytes;
    uint64_t value;
    int status;
} changes[] = {
    {HEAD(e_ident[0]), 0x7e, INVALID},
    {HEAD(e_ident[3]), 'f', INVALID},
    {HEAD(e_ident[EI_CLASS]), ELFCLASS32, INVALID},
    {HEAD(e_ident[EI_DATA]), ELFDATA2MSB, INVALID},
    {HEAD(e_type), ET_DYN, INVALID},
    {HEAD(e_machine), EM_AARCH64, UNSUPPORTED},
    {HEAD(e_shentsize), 63, INVALID},
    {HEAD(e_shentsize), 65, INVALID},
    {HEAD(e_shnum), 0, INVALID},
    {HEAD(e_shnum), SECTIONS - 1, OK}, /* the last is nothing */
    {HEAD(e_shnum), SECTIONS + 1, INVALID},
    {HEAD(e_shnum), 128, INVALID}, /* so many may be, but are not there */
    {HEAD(e_shnum), 129, LIMIT},
    {HEAD(e_shoff), offsetof(struct object, sections) + 1, INVALID},
    {HEAD(e_shoff), UINT64_MAX, INVALID},
    {HEAD(e_shstrndx), SECTIONS, INVALID},
    {HEAD(e_shstrndx), SHN_XINDEX, INVALID},
    {HEAD(e_shstrndx), NAMES, UNSUPPORTED}, /* so that the table is writable data */

    /* sections: types and flags */
    {OF(TEXT, sh_type), SHT_NOTE, UNSUPPORTED},
    {OF(TEXT, sh_type), SHT_NULL, UNSUPPORTED},
    {OF(CONSTANTS, sh_type), SHT_NOTE, UNSUPPORTED},
    {OF(CONSTANTS, sh_type), SHT_X86_64_UNWIND, UNSUPPORTED}, /* a relocation names what is left out */
    {OF(CONSTANTS, sh_flags), 0, UNSUPPORTED},
    {OF(CONSTANTS, sh_flags), SHF_ALLOC | SHF_TLS, UNSUPPORTED},
    {OF(CONSTANTS, sh_flags), SHF_ALLOC | SHF_COMPRESSED, UNSUPPORTED},
    {OF(CONSTANTS, sh_flags), SHF_ALLOC | SHF_MERGE | SHF_STRINGS, OK},
    {OF(CONSTANTS, sh_flags), SHF_ALLOC | SHF_WRITE, UNSUPPORTED},
    {OF(CONSTANTS, sh_flags), SHF_ALLOC | SHF_EXECINSTR, OK},
    {OF(TEXT, sh_flags), SHF_ALLOC | SHF_EXECINSTR | SHF_WRITE, UNSUPPORTED},
    {OF(TEXT, sh_flags), SHF_EXECINSTR, INVALID}, /* the function is not there */
    {OF(TEXT, sh_flags), SHF_ALLOC, INVALID},
    {OF(UNWIND, sh_flags), SHF_ALLOC | SHF_TLS | SHF_WRITE, OK}, /* left out as it is */
    {OF(UNWIND, sh_size), UINT64_MAX, OK},
    {OF(UNWIND, sh_type), SHT_PROGBITS, OK},
    {OF(NOTE, sh_flags), SHF_ALLOC, OK}, /* of no bytes */
    {OF(NOTE, sh_flags), SHF_ALLOC | SHF_EXECINSTR, OK},
    {OF(NOTE, sh_size), 1, OK}, /* no part of it */

    /* names */
    {OF(TABLE, sh_name), 6, UNSUPPORTED},
    {OF(TABLE, sh_name), 8, UNSUPPORTED},
    {OF(TABLE, sh_name), 1, UNSUPPORTED},
    {OF(TABLE, sh_name), 64, UNSUPPORTED},
    {OF(TABLE, sh_name), UINT32_MAX, UNSUPPORTED},
    {AT(section_names[7 + 11]), 'x', UNSUPPORTED}, /* .data.rel.rx */
    {AT(section_names[7 + 12]), 'x', OK},          /* .data.rel.rox */
    {AT(section_names[7 + 12]), 0, OK},
    {OF(SECTION_NAMES, sh_size), 26 + 13, OK},
    {OF(SECTION_NAMES, sh_size), 26 + 12, INVALID}, /* without the zero */
    {OF(SECTION_NAMES, sh_size), 19, INVALID},
    {OF(SECTION_NAMES, sh_size), 18, UNSUPPORTED},
    {OF(SECTION_NAMES, sh_size), END - offsetof(struct object, section_names), OK},
    {OF(SECTION_NAMES, sh_size), END - offsetof(struct object, section_names) + 1, INVALID},
    {OF(SECTION_NAMES, sh_offset), END, INVALID},
    {OF(SECTION_NAMES, sh_offset), UINT64_MAX, INVALID},
    {OF(SIZES, sh_name), 27, INVALID},
    {OF(SIZES, sh_name), 64, INVALID},
    {AT(section_names[26 + 12]), 'x', INVALID},

    /* places */
    {OF(TEXT, sh_addralign), 0, OK},
    {OF(TEXT, sh_addralign), 2, OK},
    {OF(TEXT, sh_addralign), 3, INVALID},
    {OF(TEXT, sh_addralign), 6, INVALID},
    {OF(TEXT, sh_addralign), 4096, OK},
    {OF(TEXT, sh_addralign), 8192, INVALID},
    {OF(TEXT, sh_addralign), UINT64_MAX, INVALID},
    {OF(CONSTANTS, sh_addralign), 24, INVALID},
    {OF(OTHER, sh_size), END - offsetof(struct object, other), OK},
    {OF(OTHER, sh_size), END - offsetof(struct object, other) + 1, INVALID},
    {OF(OTHER, sh_size), UINT64_C(1) << 28, INVALID},
    {OF(OTHER, sh_size), (UINT64_C(1) << 28) + 1, LIMIT},
    {OF(OTHER, sh_offset), END - 16, OK},
    {OF(OTHER, sh_offset), END - 15, INVALID},
    {OF(OTHER, sh_offset), UINT64_MAX - 8, INVALID},

    /* symbols */
    {OF(SYMBOLS, sh_type), SHT_NULL, INVALID},
    {OF(SYMBOLS, sh_entsize), sizeof(Elf64_Sym) - 1, INVALID},
    {OF(SYMBOLS, sh_entsize), sizeof(Elf64_Sym) + 1, INVALID},
    {OF(SYMBOLS, sh_link), SECTIONS, INVALID},
    {OF(SYMBOLS, sh_link), SECTION_NAMES, INVALID}, /* other names */
    {OF(SYMBOLS, sh_offset), END, INVALID},
    {OF(SYMBOLS, sh_size), END, INVALID},
    {OF(SYMBOLS, sh_size), 4 * sizeof(Elf64_Sym), OK}, /* nobody asks for the others */
    {OF(SYMBOLS, sh_size), 3 * sizeof(Elf64_Sym), UNSUPPORTED},
    {OF(SYMBOLS, sh_size), 4 * sizeof(Elf64_Sym) - 1, UNSUPPORTED},
    {OF(SYMBOLS, sh_size), 2 * sizeof(Elf64_Sym), INVALID},
    {OF(NAMES, sh_size), 7, OK},
    {OF(NAMES, sh_size), 6, INVALID}, /* "first" has no end */
    {OF(NAMES, sh_size), END, INVALID},
    {OF(NAMES, sh_offset), UINT64_MAX, INVALID},
    {AT(names[5]), 'T', INVALID},
    {AT(names[6]), 't', INVALID},
    {AT(symbols[FIRST].st_name), 0, INVALID},
    {AT(symbols[FIRST].st_name), 2, INVALID},
    {AT(symbols[FIRST].st_name), UINT32_MAX, INVALID},
    {AT(symbols[SECOND].st_name), UINT32_MAX, OK},
    {AT(symbols[NO_SYMBOL].st_name), UINT32_MAX, OK},
    {AT(symbols[SECOND].st_name), 1, OK},
    {AT(symbols[FIRST].st_info), ELF64_ST_INFO(STB_LOCAL, STT_FUNC), OK},
    {AT(symbols[FIRST].st_info), ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), INVALID},
    {AT(symbols[SECOND].st_info), 0, OK},
    {AT(symbols[FIRST].st_shndx), CONSTANTS, INVALID},
    {AT(symbols[FIRST].st_shndx), NOTHING, INVALID},
    {AT(symbols[FIRST].st_shndx), SECTIONS, INVALID},
    {AT(symbols[FIRST].st_shndx), SHN_ABS, INVALID},
    {AT(symbols[FIRST].st_value), 7, OK},                   /* and the size's symbol is the same */
    {AT(symbols[FIRST].st_value), TEXT_BYTES - 1, INVALID}, /* its size reaches out of the section */
    {AT(symbols[FIRST].st_value), TEXT_BYTES, INVALID},
    {AT(symbols[FIRST].st_size), UINT64_MAX, INVALID}, /* for reports */
    {AT(symbols[SECOND].st_size), UINT64_MAX, OK},     /* of a function that nobody asks for */
    {AT(symbols[OUTSIDE].st_shndx), TEXT, INVALID},    /* a function without a size */
    {AT(symbols[OUTSIDE].st_shndx), OTHER, OK},        /* a second name of one that has */
    {AT(symbols[OUTSIDE].st_shndx), CONSTANTS, OK},
    {AT(symbols[END_OF_CONSTANTS].st_value), 15, OK},
    {AT(symbols[END_OF_CONSTANTS].st_value), 17, UNSUPPORTED},
    {AT(symbols[END_OF_CONSTANTS].st_value), UINT64_MAX, UNSUPPORTED},

    /* relocations */
    {OF(TEXT_LIST, sh_type), SHT_REL, UNSUPPORTED},
    {OF(TEXT_LIST, sh_type), SHT_NULL, OK},
    {OF(TEXT_LIST, sh_info), SECTIONS, INVALID},
    {OF(TEXT_LIST, sh_info), NOTE, OK},       /* of what is not there */
    {OF(TEXT_LIST, sh_info), SIZES, INVALID}, /* two lists */
    {OF(TEXT_LIST, sh_entsize), sizeof(Elf64_Rela) - 1, INVALID},
    {OF(TEXT_LIST, sh_entsize), sizeof(Elf64_Rela) + 1, INVALID},
    {OF(TEXT_LIST, sh_size), END, INVALID},
    {OF(TEXT_LIST, sh_offset), END, INVALID},
    {OF(TABLE_LIST, sh_size), 3 * sizeof(Elf64_Rela), OK},
    {AT(text_list[0].r_offset), TEXT_BYTES - 4, OK},
    {AT(text_list[0].r_offset), TEXT_BYTES - 3, INVALID},
    {AT(text_list[0].r_offset), TEXT_BYTES, INVALID},
    {AT(text_list[0].r_offset), UINT64_MAX, INVALID},
    {AT(text_list[0].r_info), ELF64_R_INFO(SECOND, R_X86_64_GOTPCREL), UNSUPPORTED},
    {AT(text_list[0].r_info), ELF64_R_INFO(OUTSIDE, R_X86_64_PC32), UNSUPPORTED},
    {AT(text_list[0].r_info), ELF64_R_INFO(ABSOLUTE, R_X86_64_PC32), UNSUPPORTED},
    {AT(text_list[0].r_info), ELF64_R_INFO((uint64_t)SYMBOL_COUNT, R_X86_64_PC32), UNSUPPORTED},
    {AT(text_list[0].r_info), ELF64_R_INFO((uint64_t)UINT32_MAX, R_X86_64_NONE), OK},
    {AT(text_list[0].r_addend), 0x7fffffff - 64, OK}, /* S - P is 64 */
    {AT(text_list[0].r_addend), 0x80000000 - 64, UNSUPPORTED},
    {AT(text_list[0].r_addend), (uint64_t)INT64_C(-0x80000000) - 64, OK},
    {AT(text_list[0].r_addend), (uint64_t)INT64_C(-0x80000001) - 64, UNSUPPORTED},
    {AT(table_list[2].r_offset), 25, INVALID},
    {AT(table_list[2].r_offset), 28, INVALID},
    {AT(table_list[2].r_info), ELF64_R_INFO(SECOND, R_X86_64_PC64), OK},

    /* sizes of frames */
    {OF(SIZES, sh_type), SHT_NOTE, INVALID},
    {OF(SIZES, sh_size), 9, INVALID}, /* no size of the second function */
    {OF(SIZES, sh_size), 17, INVALID},
    {OF(SIZES, sh_size), 16, INVALID},
    {OF(SIZES, sh_size), 0, INVALID},
    {OF(SIZES, sh_size), 19, INVALID},
    {OF(SIZES, sh_size), END, INVALID},
    {OF(SIZES_LIST, sh_type), SHT_NULL, INVALID},
    {OF(SIZES_LIST, sh_entsize), sizeof(Elf64_Rela) + 1, INVALID},
    {OF(SIZES_LIST, sh_size), END, INVALID},
    {OF(SIZES_LIST, sh_size), sizeof(Elf64_Rela), INVALID},
    {OF(SIZES_LIST, sh_size), 2 * sizeof(Elf64_Rela) - 1, INVALID},
    {OF(SIZES_LIST, sh_size), 3 * sizeof(Elf64_Rela), OK},
    {AT(sizes_list[1].r_info), ELF64_R_INFO(SECOND, R_X86_64_32), INVALID},
    {AT(sizes_list[1].r_info), ELF64_R_INFO(FIRST, R_X86_64_64), INVALID},
    {AT(sizes_list[1].r_info), ELF64_R_INFO(END_OF_CONSTANTS, R_X86_64_64), INVALID},
    {AT(sizes_list[1].r_info), ELF64_R_INFO((uint64_t)SYMBOL_COUNT, R_X86_64_64), INVALID},
    {AT(sizes_list[1].r_offset), 8, INVALID},
    {AT(sizes_list[1].r_offset), 10, INVALID},
    {AT(sizes_list[1].r_addend), 1, INVALID},
    {AT(sizes_list[1].r_addend), 16, INVALID},
    {AT(sizes[1][8]), 127, OK},
    {AT(sizes[1][8]), 128, INVALID}, /* goes on */
};

static void fields_are_what_they_may_be(void **state)
{
    NEED_CODE;
    struct object o;
    make(&o);
    assert_int_equal(try(&o), SCH_OK);
    for (size_t i = 0; i < COUNT(changes); i++) {
        make(&o);
        memcpy((char *)&o + changes[i].at, &changes[i].value, changes[i].bytes);
        const enum sch_result status = try(&o);
        if (status != (enum sch_result)changes[i].status)
            fail_msg("change %zu, to %" PRIx64 ": %d, not %d", i, changes[i].value, status, changes[i].status);
    }
}

/* A header alone, cut, and one whose sections are as many as may be. */
static void headers_are_whole(void **state)
{
    NEED_CODE;
    struct object o;
    struct sch_native_code code;
    make(&o);
    for (size_t size = 1; size < sizeof o; size++) assert_int_equal(load(&o, size, "first", &code), SCH_ERROR_INVALID);
    uint8_t *large = calloc(1, sizeof o + (129 - SECTIONS) * sizeof(Elf64_Shdr));
    assert_non_null(large);
    for (unsigned count = SECTIONS; count <= 129; count++) {
        make(&o);
        o.header.e_shnum = (uint16_t)count;
        memcpy(large, &o, sizeof o);
        assert_int_equal(load(large, sizeof o + (count - SECTIONS) * sizeof(Elf64_Shdr), "first", &code),
                         count <= 128 ? SCH_OK : SCH_ERROR_LIMIT);
        sch_native_unload(&code);
    }
    free(large);
}

/* Up to 256 MiB together, code and data; more is not tried. */
static void mappings_are_bounded(void **state)
{
    NEED_CODE;
    const uint64_t most = UINT64_C(1) << 28;
    const struct {
        uint64_t code, data;
        enum sch_result status;
    } sizes[] = {{PAGE, most - PAGE - 32, SCH_OK},
                 {PAGE, most - PAGE - 31, SCH_ERROR_LIMIT},
                 {PAGE + 1, most - PAGE - 32, SCH_ERROR_LIMIT},
                 {most, 0, SCH_ERROR_LIMIT}, /* the other section, and the table */
                 {PAGE, most, SCH_ERROR_LIMIT},
                 {PAGE, most + 1, SCH_ERROR_LIMIT},
                 {PAGE, UINT64_MAX, SCH_ERROR_LIMIT},
                 {PAGE, UINT64_MAX - 2 * PAGE, SCH_ERROR_LIMIT}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct object o;
        make(&o);
        o.sections[TEXT].sh_type = o.sections[CONSTANTS].sh_type = SHT_NOBITS;
        o.sections[TEXT].sh_size = sizes[i].code;
        o.sections[CONSTANTS].sh_size = sizes[i].data;
        o.sections[OTHER].sh_type = SHT_NULL;
        o.sections[OTHER].sh_flags = 0;
        o.sections[TEXT_LIST].sh_type = SHT_NULL;
        o.symbols[SECOND] = o.symbols[FIRST];
        const enum sch_result status = try(&o);
        if (status != sizes[i].status) fail_msg("sizes %zu: %d", i, status);
    }
    struct object o;
    struct rlimit before, small;
    make(&o);
    o.sections[CONSTANTS].sh_type = SHT_NOBITS;
    o.sections[CONSTANTS].sh_size = most / 2;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    small = before;
    small.rlim_cur = 1 << 26;
    struct sch_native_code code;
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    struct sch_account account;
    sch_account_init(&account, &sch_allocator_libc, SIZE_MAX);
    const enum sch_result status = sch_native_load(&o, sizeof o, "first", &account, &code);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, SCH_ERROR_MEMORY);
    assert_true(!code.memory && !sch_account_held(&account));
}

/* Whole pages count while they are mapped, and no more is mapped than the account allows. */
static void mappings_are_counted(void **state)
{
    NEED_CODE;
    struct object o;
    struct sch_account account;
    struct sch_native_code code;
    make(&o);
    sch_account_init(&account, &sch_allocator_libc, SIZE_MAX);
    assert_int_equal(sch_native_load(&o, sizeof o, "first", &account, &code), SCH_OK);
    const size_t bytes = code.bytes;
    assert_true(bytes >= 2 * PAGE && sch_account_held(&account) == bytes);
    sch_native_unload(&code);
    assert_int_equal(sch_account_held(&account), 0);
    sch_native_unload(&code); /* once is enough */
    assert_int_equal(sch_account_held(&account), 0);
    assert_int_equal(sch_native_load(&o, sizeof o, "no such", &account, &code), SCH_ERROR_INVALID); /* it was mapped */
    assert_int_equal(sch_account_held(&account), 0);
    for (unsigned less = 0; less < 2; less++) {
        sch_account_init(&account, &sch_allocator_libc, bytes - less);
        assert_int_equal(sch_native_load(&o, sizeof o, "first", &account, &code), less ? SCH_ERROR_MEMORY : SCH_OK);
        assert_int_equal(sch_account_held(&account), less ? 0 : bytes);
        assert_int_equal(sch_account_refused(&account), less);
        sch_native_unload(&code);
        assert_int_equal(sch_account_held(&account), 0);
    }
}

/* Addresses of 32 bits: the mapping is where the one before was, which has gone, so they can be chosen. */
static void addresses_of_32_bits_fit_or_are_refused(void **state)
{
    NEED_CODE;
    static const struct {
        uint64_t type, value;
        bool fits;
    } values[] = {
        {R_X86_64_32, 0, true},
        {R_X86_64_32, 0x80000000, true},
        {R_X86_64_32, 0xffffffff, true},
        {R_X86_64_32, 0x100000000, false},
        {R_X86_64_32, UINT64_MAX, false},
        {R_X86_64_32S, 0x7fffffff, true},
        {R_X86_64_32S, 0, true},
        {R_X86_64_32S, 0x80000000, false},
        {R_X86_64_32S, UINT64_MAX, true},
        {R_X86_64_32S, (uint64_t)INT64_C(-0x80000000), true},
        {R_X86_64_32S, (uint64_t)INT64_C(-0x80000001), false},
    };
    for (size_t i = 0; i < COUNT(values); i++) {
        bool seen = false;
        for (unsigned round = 0; round < 20 && !seen; round++) {
            struct object o;
            struct sch_native_code code;
            make(&o);
            assert_int_equal(sch_native_load(&o, sizeof o, "first", NULL, &code), SCH_OK);
            const uint8_t *memory = code.memory;
            sch_native_unload(&code);
            o.text_list[0].r_info = ELF64_R_INFO((uint64_t)FIRST, values[i].type);
            o.text_list[0].r_addend = (int64_t)(values[i].value - (uintptr_t)(memory + 8));
            const enum sch_result status = sch_native_load(&o, sizeof o, "first", NULL, &code);
            seen = status == (values[i].fits ? SCH_OK : SCH_ERROR_UNSUPPORTED);
            if (status == SCH_OK && (code.memory != memory || !values[i].fits)) seen = false;
            if (seen && values[i].fits) assert_int_equal(word_at(memory, 4), (uint32_t)values[i].value);
            sch_native_unload(&code);
        }
        if (!seen) fail_msg("value %zu", i);
    }
}

/* ---- the stack ---- */

enum { MANY = 514 };

/* As many functions as a text has bytes. */
struct many {
    struct object o;
    Elf64_Sym symbols[MANY + 1];
    uint8_t sizes[MANY][9];
    Elf64_Rela list[MANY];
};

static struct many *make_many(unsigned count)
{
    struct many *m = calloc(1, sizeof *m);
    assert_non_null(m);
    make(&m->o);
    Elf64_Shdr *s = m->o.sections;
    s[TEXT_LIST].sh_type = s[TABLE_LIST].sh_type = s[TABLE].sh_type = SHT_NULL;
    s[TABLE].sh_flags = 0;
    s[TEXT].sh_type = SHT_NOBITS;
    s[TEXT].sh_size = MANY;
    s[SYMBOLS].sh_offset = offsetof(struct many, symbols), s[SYMBOLS].sh_size = (count + 1) * sizeof(Elf64_Sym);
    s[SIZES].sh_offset = offsetof(struct many, sizes), s[SIZES].sh_size = (size_t)count * 9;
    s[SIZES_LIST].sh_offset = offsetof(struct many, list), s[SIZES_LIST].sh_size = count * sizeof(Elf64_Rela);
    for (unsigned n = 0; n < count; n++) {
        m->symbols[1 + n] = m->o.symbols[FIRST];
        m->symbols[1 + n].st_value = n;
        add_relocation(&m->list[n], 9 * n, 1 + n, R_X86_64_64, 0);
    }
    return m;
}

/* 64 KiB, of which each function takes 128 bytes for itself. */
static void functions_are_bounded_by_their_stack(void **state)
{
    NEED_CODE;
    for (unsigned count = 510; count <= MANY; count++)
        for (unsigned more = 0; more < 2; more++) {
            struct sch_native_code code;
            struct many *m = make_many(count);
            for (unsigned n = 0; n < count; n++) m->sizes[n][8] = n < 3 ? 100 : 0;
            const unsigned spare = (512 - count) * 128;
            if (count <= 512) { /* up to the last byte, or one more */
                m->sizes[0][8] = (uint8_t)((spare > 100 ? 100 : spare) + (spare > 100 ? 0 : more));
                m->sizes[1][8] = (uint8_t)(spare > 200 ? 100 : spare > 100 ? spare - 100 : 0);
                m->sizes[2][8] = (uint8_t)(spare > 200 ? spare - 200 : 0);
                if (spare > 100) m->sizes[3][8] = (uint8_t)more;
            }
            const enum sch_result status = load(m, sizeof *m, "first", &code);
            if (status != (count <= 512 && !more ? SCH_OK : SCH_ERROR_LIMIT))
                fail_msg("%u functions, %u more: %d", count, more, status);
            if (status == SCH_OK) assert_int_equal(code.stack_bytes, 65536);
            sch_native_unload(&code);
            free(m);
        }
}

/* Numbers of up to five bytes, the lowest seven bits first. */
static void sizes_have_up_to_five_bytes(void **state)
{
    NEED_CODE;
    static const struct {
        uint8_t bytes[6];
        unsigned length;
        uint64_t value;
        enum sch_result status;
    } numbers[] = {{{0}, 1, 0, SCH_OK},
                   {{127}, 1, 127, SCH_OK},
                   {{128, 0}, 2, 0, SCH_OK},
                   {{129, 1}, 2, 129, SCH_OK},
                   {{0x83, 0x85, 1}, 3, 3 + 5 * 128 + 16384, SCH_OK},
                   {{0x83, 0x85, 0x81, 0}, 4, 3 + 5 * 128 + 16384, SCH_OK},
                   {{0x83, 0x85, 0x81, 0x80, 0}, 5, 3 + 5 * 128 + 16384, SCH_OK},
                   {{0x83, 0x85, 0x81, 0x80, 1}, 5, 0, SCH_ERROR_LIMIT},
                   {{0x83, 0x85, 0x81, 1}, 4, 0, SCH_ERROR_LIMIT},
                   {{0xff, 0xff, 0xff, 0xff, 0x7f}, 5, 0, SCH_ERROR_LIMIT},
                   {{0x83, 0x85, 0x81, 0x80, 0x80, 0}, 6, 0, SCH_ERROR_INVALID},
                   {{0x83, 0x85, 0x81}, 3, 0, SCH_ERROR_INVALID}};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct sch_native_code code;
        struct many *m = make_many(1);
        memcpy(&m->sizes[0][8], numbers[i].bytes, numbers[i].length);
        m->o.sections[SIZES].sh_size = 8 + numbers[i].length;
        const enum sch_result status = load(m, sizeof *m, "first", &code);
        if (status != numbers[i].status) fail_msg("number %zu: %d", i, status);
        if (status == SCH_OK) assert_int_equal(code.stack_bytes, numbers[i].value + 128);
        sch_native_unload(&code);
        free(m);
    }
}

/* Two sections of sizes are none. */
static void one_section_says_the_sizes(void **state)
{
    NEED_CODE;
    struct object o;
    make(&o);
    o.sections[NOTE] = o.sections[SIZES];
    assert_int_equal(try(&o), SCH_ERROR_INVALID);
    o.sections[NOTE].sh_type = SHT_NOTE;
    assert_int_equal(try(&o), SCH_OK);
    o.sections[NOTE] = o.sections[SIZES_LIST];
    assert_int_equal(try(&o), SCH_ERROR_INVALID);
    o.sections[NOTE].sh_info = NOTHING;
    assert_int_equal(try(&o), SCH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_has_its_place),
        cmocka_unit_test(pages_are_whole),
        cmocka_unit_test(fields_are_what_they_may_be),
        cmocka_unit_test(headers_are_whole),
        cmocka_unit_test(mappings_are_bounded),
        cmocka_unit_test(mappings_are_counted),
        cmocka_unit_test(addresses_of_32_bits_fit_or_are_refused),
        cmocka_unit_test(functions_are_bounded_by_their_stack),
        cmocka_unit_test(sizes_have_up_to_five_bytes),
        cmocka_unit_test(one_section_says_the_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
