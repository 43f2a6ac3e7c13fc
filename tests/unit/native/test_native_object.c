/* The loader of objects: intact ones run, damaged ones are refused or load without harm, never crash. Also the digests
 * that name what a cache holds. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/random_number.h"
#include "base/sha256.h"
#include "native/object.h"
#include "native/relocation.h"
#include "protocol/compiler.h"

static uint8_t *piece;
static size_t piece_bytes;

static int read_piece(void **state)
{
    (void)state;
    const char *build = getenv("SCH_BUILD");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/unit/native_piece.o", build ? build : ".");
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    fseek(file, 0, SEEK_END);
    piece_bytes = (size_t)ftell(file);
    rewind(file);
    piece = malloc(piece_bytes);
    size_t got = piece ? fread(piece, 1, piece_bytes, file) : 0;
    fclose(file);
    return got == piece_bytes ? 0 : -1;
}

static int free_piece(void **state)
{
    (void)state;
    free(piece);
    return 0;
}

#if defined(__x86_64__) || defined(__aarch64__)
#define NEED_PIECE                                                                                                     \
    if (!piece) skip()
#else
#define NEED_PIECE skip()
#endif

typedef unsigned answer_fn(unsigned number);

static void intact_objects_run(void **state)
{
    (void)state;
    NEED_PIECE;
    struct sch_native_code code;
    assert_int_equal(sch_native_load(piece, piece_bytes, "sch_native_reply", NULL, &code), SCH_OK);
    assert_true(code.function_bytes > 0 && code.function_bytes < code.bytes);
    answer_fn *answer = (answer_fn *)(uintptr_t)code.function;
    static const unsigned primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    for (unsigned n = 0; n < 64; n++) {
        unsigned first = n & 1 ? n * n : primes[n & 7];
        assert_int_equal(answer(n), first + primes[n / 2 & 7]);
    }
    sch_native_unload(&code);
    assert_null(code.memory);
    sch_native_unload(&code);
}

static void unknown_functions_are_refused(void **state)
{
    (void)state;
    NEED_PIECE;
    struct sch_native_code code;
    assert_int_equal(sch_native_load(piece, piece_bytes, "sch_native_no_such", NULL, &code), SCH_ERROR_INVALID);
    assert_null(code.memory);
    /* a name that is only the beginning of one */
    assert_int_equal(sch_native_load(piece, piece_bytes, "sch_native_answe", NULL, &code), SCH_ERROR_INVALID);
}

static void every_cut_is_refused_or_harmless(void **state)
{
    (void)state;
    NEED_PIECE;
    for (size_t size = 0; size < piece_bytes; size += 1 + size / 64) {
        uint8_t *cut = malloc(size ? size : 1); /* of its own size, so that sanitizers see a read behind it */
        assert_non_null(cut);
        memcpy(cut, piece, size);
        struct sch_native_code code;
        enum sch_result status = sch_native_load(cut, size, "sch_native_reply", NULL, &code);
        assert_int_not_equal(status, SCH_OK); /* the section headers stand last */
        assert_null(code.memory);
        free(cut);
    }
}

static uint64_t random_state;

static uint64_t next_random(void) /* splitmix64 */ { return random_number(&random_state); }

/* Values that sit on the borders of checks. */
static uint64_t odd_value(void)
{
    static const uint64_t values[] = {0,          1,          0x7f,       0x80,       0xff,           0xffff,
                                      0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX, UINT64_MAX / 2, 0x1000};
    uint64_t which = next_random();
    return which % 3 == 0 ? which >> 32 : values[which % (sizeof values / sizeof *values)];
}

static void damage(uint8_t *bytes)
{
    size_t headers = piece_bytes - 1024 % piece_bytes;
    for (unsigned edits = 1 + next_random() % 4; edits; edits--) {
        size_t at = next_random() % piece_bytes;
        uint64_t kind = next_random() % 4;
        if (kind == 0) at = next_random() % sizeof(Elf64_Ehdr);
        if (kind == 1) at = headers + next_random() % (piece_bytes - headers);
        if (next_random() & 1) {
            bytes[at] ^= (uint8_t)(1u << next_random() % 8);
            continue;
        }
        uint64_t value = odd_value();
        size_t width = (size_t)1 << next_random() % 4;
        at &= ~(width - 1);
        if (at + width <= piece_bytes) memcpy(bytes + at, &value, width);
    }
}

static void damaged_objects_do_no_harm(void **state)
{
    (void)state;
    NEED_PIECE;
    unsigned refused = 0, loaded = 0;
    random_state = 7;
    uint8_t *copy = malloc(piece_bytes);
    assert_non_null(copy);
    for (unsigned round = 0; round < 20000; round++) {
        memcpy(copy, piece, piece_bytes);
        damage(copy);
        struct sch_native_code code;
        if (sch_native_load(copy, piece_bytes, "sch_native_reply", NULL, &code) == SCH_OK) {
            loaded++;
            uint8_t *function = code.function;
            assert_true(function >= (uint8_t *)code.memory && function < (uint8_t *)code.memory + code.bytes);
        } else {
            refused++;
            assert_null(code.memory);
        }
        sch_native_unload(&code);
    }
    free(copy);
    assert_true(refused > 1000 && loaded > 1000);
}

/* One header field at a time, by name, so that each check is met. */
static void fields_are_checked(void **state)
{
    (void)state;
    NEED_PIECE;
    struct {
        size_t offset, width;
        uint64_t value;
        enum sch_result status;
    } fields[] = {
        {offsetof(Elf64_Ehdr, e_ident) + EI_CLASS, 1, ELFCLASS32, SCH_ERROR_INVALID},
        {offsetof(Elf64_Ehdr, e_ident) + EI_DATA, 1, ELFDATA2MSB, SCH_ERROR_INVALID},
        {offsetof(Elf64_Ehdr, e_type), 2, ET_DYN, SCH_ERROR_INVALID},
        {offsetof(Elf64_Ehdr, e_machine), 2, SCH_NATIVE_MACHINE == EM_X86_64 ? EM_AARCH64 : EM_X86_64,
         SCH_ERROR_UNSUPPORTED},
        {offsetof(Elf64_Ehdr, e_shentsize), 2, 63, SCH_ERROR_INVALID},
        {offsetof(Elf64_Ehdr, e_shnum), 2, 0, SCH_ERROR_INVALID},
        {offsetof(Elf64_Ehdr, e_shnum), 2, 0xffff, SCH_ERROR_LIMIT},
        {offsetof(Elf64_Ehdr, e_shoff), 8, UINT64_MAX - 8, SCH_ERROR_INVALID},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint8_t *copy = malloc(piece_bytes);
        assert_non_null(copy);
        memcpy(copy, piece, piece_bytes);
        memcpy(copy + fields[i].offset, &fields[i].value, fields[i].width);
        struct sch_native_code code;
        assert_int_equal(sch_native_load(copy, piece_bytes, "sch_native_reply", NULL, &code), fields[i].status);
        free(copy);
    }
}

/* Relocations of kinds that are not done, and of symbols that are not there. */
static void other_relocations_are_refused(void **state)
{
    (void)state;
    NEED_PIECE;
    Elf64_Ehdr header;
    memcpy(&header, piece, sizeof header);
    unsigned changed = 0;
    for (unsigned n = 0; n < header.e_shnum; n++) {
        Elf64_Shdr list, target;
        memcpy(&list, piece + header.e_shoff + n * sizeof list, sizeof list);
        if (list.sh_type != SHT_RELA) continue;
        memcpy(&target, piece + header.e_shoff + list.sh_info * sizeof target, sizeof target);
        if (!(target.sh_flags & SHF_ALLOC) || !(target.sh_flags & SHF_EXECINSTR)) continue;
        for (unsigned kind = 0; kind < 3; kind++) {
            uint8_t *copy = malloc(piece_bytes);
            assert_non_null(copy);
            memcpy(copy, piece, piece_bytes);
            Elf64_Rela entry;
            memcpy(&entry, copy + list.sh_offset, sizeof entry);
            uint64_t symbol = ELF64_R_SYM(entry.r_info);
            if (kind == 0) entry.r_info = ELF64_R_INFO(symbol, R_X86_64_GOTPCREL);
            if (kind == 1) entry.r_info = ELF64_R_INFO((uint64_t)0x7fffffff, ELF64_R_TYPE(entry.r_info));
            if (kind == 2) entry.r_info = ELF64_R_INFO(symbol, R_X86_64_32S); /* the mapping is not in the low 2 GiB */
            memcpy(copy + list.sh_offset, &entry, sizeof entry);
            struct sch_native_code code;
            enum sch_result status = sch_native_load(copy, piece_bytes, "sch_native_reply", NULL, &code);
            if (kind < 2) assert_int_equal(status, SCH_ERROR_UNSUPPORTED);
            sch_native_unload(&code);
            free(copy);
            changed++;
        }
    }
    assert_true(changed >= 3);
}

/* ---- what is said about the stack ---- */

static size_t find_section(const uint8_t *object, const char *wanted, Elf64_Shdr *found)
{
    Elf64_Ehdr header;
    Elf64_Shdr names;
    memcpy(&header, object, sizeof header);
    memcpy(&names, object + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (size_t n = 0; n < header.e_shnum; n++) {
        memcpy(found, object + header.e_shoff + n * sizeof *found, sizeof *found);
        if (strcmp((const char *)object + names.sh_offset + found->sh_name, wanted) == 0) return n;
    }
    return 0;
}

static enum sch_result load_changed(uint8_t *changed)
{
    struct sch_native_code code;
    enum sch_result status = sch_native_load(changed, piece_bytes, "sch_native_reply", NULL, &code);
    sch_native_unload(&code);
    memcpy(changed, piece, piece_bytes);
    return status;
}

/* A function ends in its section: profilers are told its bytes. */
static void functions_end_in_their_sections(void **state)
{
    (void)state;
    NEED_PIECE;
    Elf64_Shdr symbols, names;
    find_section(piece, ".symtab", &symbols);
    find_section(piece, ".strtab", &names);
    uint8_t *copy = malloc(piece_bytes);
    assert_non_null(copy);
    memcpy(copy, piece, piece_bytes);
    unsigned changed = 0;
    for (uint64_t at = symbols.sh_offset; at < symbols.sh_offset + symbols.sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym what;
        memcpy(&what, piece + at, sizeof what);
        if (strcmp((const char *)piece + names.sh_offset + what.st_name, "sch_native_reply") != 0) continue;
        const uint64_t sizes[] = {UINT64_MAX, UINT64_C(1) << 32, 1 << 20};
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            what.st_size = sizes[i];
            memcpy(copy + at, &what, sizeof what);
            assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);
        }
        changed++;
    }
    free(copy);
    assert_int_equal(changed, 1);
}

/* The piece's four functions: three of 120 bytes, one of 120 in two bytes. */
static void the_stack_is_known_and_small(void **state)
{
    (void)state;
    NEED_PIECE;
    struct sch_native_code code;
    assert_int_equal(sch_native_load(piece, piece_bytes, "sch_native_reply", NULL, &code), SCH_OK);
    assert_int_equal(code.stack_bytes, 4 * (120 + SCH_NATIVE_STACK_EACH));
    sch_native_unload(&code);

    enum { ENTRY = 9, LAST = 3 * ENTRY };
    Elf64_Shdr sizes, list;
    uint8_t *copy = malloc(piece_bytes);
    assert_non_null(copy);
    memcpy(copy, piece, piece_bytes);
    const size_t number = find_section(piece, ".stack_sizes", &sizes);
    assert_true(number && find_section(piece, ".rela.stack_sizes", &list));
    uint8_t *at = copy + sizes.sh_offset;
    at[LAST + 8] = 0xff, at[LAST + 9] = 0x7f; /* 16383 */
    assert_int_equal(load_changed(copy), SCH_OK);
    for (unsigned n = 0; n < 3; n++) at[n * ENTRY + 8] = 0x80; /* no end: the next entry's bytes are taken for sizes */
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);
    at[LAST + 9] = 0x80;
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);

    /* Without the section, and with one that is too short. */
    const size_t header = (size_t)((const Elf64_Ehdr *)(const void *)piece)->e_shoff;
    uint8_t *names = copy + header + number * sizeof sizes + offsetof(Elf64_Shdr, sh_name);
    memset(names, 0, 4);
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID); /* none */
    uint8_t *length = copy + header + number * sizeof sizes + offsetof(Elf64_Shdr, sh_size);
    length[0] = LAST; /* one function fewer */
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);
    length[0] = 0;
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);

    /* Relocations of another kind, of another place, of another symbol. */
    Elf64_Rela *first = (Elf64_Rela *)(void *)(copy + list.sh_offset);
    first->r_info = ELF64_R_INFO(ELF64_R_SYM(first->r_info), R_X86_64_PC64);
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);
    first->r_offset++;
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);
    first[0].r_addend++;
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);
    first->r_addend = 1 << 20;
    assert_int_equal(load_changed(copy), SCH_ERROR_INVALID);
    free(copy);
}

/* One byte less than what is allowed, and one more. */
static void too_much_stack_is_refused(void **state)
{
    (void)state;
    NEED_PIECE;
    Elf64_Shdr sizes;
    uint8_t *copy = malloc(piece_bytes);
    assert_non_null(copy);
    assert_true(find_section(piece, ".stack_sizes", &sizes));
    for (unsigned over = 0; over < 2; over++) {
        /* The last entry goes on behind its two bytes, in the padding or what follows; so does the section. */
        memcpy(copy, piece, piece_bytes);
        Elf64_Ehdr header;
        memcpy(&header, copy, sizeof header);
        size_t number = find_section(piece, ".stack_sizes", &sizes);
        sizes.sh_size++;
        memcpy(copy + header.e_shoff + number * sizeof sizes, &sizes, sizeof sizes);
        uint32_t bytes = SCH_NATIVE_STACK - 3 * 120 - 4 * SCH_NATIVE_STACK_EACH + over;
        uint8_t *at = copy + sizes.sh_offset + sizes.sh_size - 3;
        for (unsigned i = 0; i < 3; i++) at[i] = (uint8_t)((bytes >> 7 * i & 127) | (i < 2 ? 128 : 0));
        struct sch_native_code code;
        assert_int_equal(sch_native_load(copy, piece_bytes, "sch_native_reply", NULL, &code),
                         over ? SCH_ERROR_LIMIT : SCH_OK);
        sch_native_unload(&code);
    }
    free(copy);
}

/* FIPS 180-4's examples. */
static void sha256_is_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned repeat;
        const char *digest;
    } examples[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct sch_sha256 hash;
        uint8_t digest[SCH_SHA256_BYTES];
        char text[2 * SCH_SHA256_BYTES + 1];
        sch_sha256_begin(&hash);
        for (unsigned n = 0; n < examples[i].repeat; n++)
            sch_sha256_add(&hash, examples[i].text, strlen(examples[i].text));
        sch_sha256_end(&hash, digest);
        for (unsigned n = 0; n < SCH_SHA256_BYTES; n++) snprintf(text + 2 * n, 3, "%02x", digest[n]);
        assert_string_equal(text, examples[i].digest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intact_objects_run),
        cmocka_unit_test(unknown_functions_are_refused),
        cmocka_unit_test(every_cut_is_refused_or_harmless),
        cmocka_unit_test(damaged_objects_do_no_harm),
        cmocka_unit_test(fields_are_checked),
        cmocka_unit_test(other_relocations_are_refused),
        cmocka_unit_test(functions_end_in_their_sections),
        cmocka_unit_test(the_stack_is_known_and_small),
        cmocka_unit_test(too_much_stack_is_refused),
        cmocka_unit_test(sha256_is_as_published),
    };
    return cmocka_run_group_tests(tests, read_piece, free_piece);
}
