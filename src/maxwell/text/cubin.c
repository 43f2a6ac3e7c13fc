/* Cubins: ELF files of 64 bits, low byte first, for EM_CUDA. Takes the sections of code, .text and .text.NAME; all
 * other sections are left alone, and a file of them alone is a program without code. Every offset, size and count is
 * checked against the file before it is used (System V ABI, chapter 4). */
#include <stdio.h>
#include <string.h>

#include "isa/errors.h"
#include "maxwell/text/code.h"

enum {
    HEADER_BYTES = 64,
    SECTION_BYTES = 64,
    MACHINE_CUDA = 190,
    TYPE_PROGBITS = 1,
    FLAG_EXECUTE = 4,
    INDEX_ELSEWHERE = 0xffff, /* SHN_XINDEX: the index is in section 0's sh_link */
    HALF = 2,                 /* bytes of ELF's numbers */
    WORD = 4,
    XWORD = 8,
    REGISTERS_SHIFT = 24 /* sh_info of a section of code: registers in 31:24, its symbol below */
};

struct elf {
    const struct sch_maxwell_read *how;
    const unsigned char *data;
    size_t bytes;
    uint64_t table, count; /* section headers */
    const char *names;     /* the text that sh_name counts in */
    size_t names_bytes;
    struct sch_maxwell_code *code;
};

static uint64_t read_number(const unsigned char *at, unsigned bytes)
{
    uint64_t number = 0;
    while (bytes-- > 0) number = number << 8 | at[bytes];
    return number;
}

static enum sch_result refuse(const struct elf *elf, unsigned number, uint64_t offset, const char *message)
{
    sch_diagnostics_add(elf->how->diagnostics, SCH_SEVERITY_ERROR, number, (struct sch_position){.offset = offset},
                        "%s", message);
    return SCH_ERROR_INVALID;
}

/* Whether `size` bytes at `offset` are inside of the file. */
static bool is_inside(const struct elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->bytes && size <= elf->bytes - offset;
}

static const unsigned char *section_header(const struct elf *elf, uint64_t index)
{
    return elf->data + elf->table + index * SECTION_BYTES; /* the table was checked */
}

struct section {
    uint64_t name, type, flags, offset, size, link, info;
};

static struct section section_at(const struct elf *elf, uint64_t index)
{
    const unsigned char *at = section_header(elf, index);
    return (struct section){.name = read_number(at, WORD),
                            .type = read_number(at + 4, WORD),
                            .flags = read_number(at + 8, XWORD),
                            .offset = read_number(at + 24, XWORD),
                            .size = read_number(at + 32, XWORD),
                            .link = read_number(at + 40, WORD),
                            .info = read_number(at + 44, WORD)};
}

static enum sch_result check_header(const struct elf *elf)
{
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    if (elf->bytes < HEADER_BYTES || memcmp(elf->data, magic, sizeof magic) != 0)
        return refuse(elf, SCH_D_CUBIN_HEADER, 0, "this is no ELF file of 64 bits, low byte first");
    if (read_number(elf->data + 18, HALF) != MACHINE_CUDA)
        return refuse(elf, SCH_D_CUBIN_HEADER, 18, "the machine is not EM_CUDA (190)");
    if (read_number(elf->data + 52, HALF) != HEADER_BYTES || read_number(elf->data + 58, HALF) != SECTION_BYTES)
        return refuse(elf, SCH_D_CUBIN_HEADER, 52, "the headers have not the size that ELF gives them");
    return SCH_OK;
}

static enum sch_result read_arch(struct elf *elf)
{
    if (elf->how->arch != SCH_MAXWELL_ARCH_DEFAULT) return SCH_OK;
    unsigned number = elf->data[48]; /* the lowest byte of e_flags */
    char name[16];
    enum sch_maxwell_arch arch;
    int bytes = snprintf(name, sizeof name, "sm_%u", number);
    if (!sch_maxwell_arch_find(name, (size_t)bytes, &arch)) {
        sch_diagnostics_add(elf->how->diagnostics, SCH_SEVERITY_ERROR, SCH_D_CUBIN_ARCH,
                            (struct sch_position){.offset = 48}, "the cubin is for %s; sm_50, sm_52 and sm_53 are read",
                            name);
        return SCH_ERROR_UNSUPPORTED;
    }
    elf->code->arch = (uint8_t)arch;
    return SCH_OK;
}

/* Finds the table of sections and the names in it. Counts that do not fit their field are in section 0. */
static enum sch_result find_sections(struct elf *elf)
{
    uint64_t names = read_number(elf->data + 62, HALF);
    elf->table = read_number(elf->data + 40, XWORD);
    elf->count = read_number(elf->data + 60, HALF);
    if (elf->table == 0) return refuse(elf, SCH_D_CUBIN_NO_TEXT, 40, "the file has no sections");
    if (!is_inside(elf, elf->table, SECTION_BYTES))
        return refuse(elf, SCH_D_CUBIN_SECTION_TABLE, 40, "the section table is not inside the file");
    if (elf->count == 0) elf->count = section_at(elf, 0).size;
    if (names == INDEX_ELSEWHERE) names = section_at(elf, 0).link;
    if (elf->count > (elf->bytes - elf->table) / SECTION_BYTES)
        return refuse(elf, SCH_D_CUBIN_SECTION_TABLE, 60, "the section table is not inside the file");
    if (names >= elf->count)
        return refuse(elf, SCH_D_CUBIN_SECTION_TABLE, 62, "the section of names is not in the section table");
    struct section section = section_at(elf, names);
    if (!is_inside(elf, section.offset, section.size))
        return refuse(elf, SCH_D_CUBIN_SECTION_DATA, elf->table + names * SECTION_BYTES,
                      "the section of names is not inside the file");
    elf->names = (const char *)elf->data + section.offset;
    elf->names_bytes = (size_t)section.size;
    return SCH_OK;
}

/* The name behind ".text." of a section of code; NULL in `*name`: it is none. */
static enum sch_result code_name(const struct elf *elf, uint64_t index, const struct section *section,
                                 const char **name, size_t *bytes)
{
    static const char text[] = ".text";
    enum { TEXT = sizeof text - 1 };
    *name = NULL;
    if (section->type != TYPE_PROGBITS || !(section->flags & FLAG_EXECUTE)) return SCH_OK;
    uint64_t offset = elf->table + index * SECTION_BYTES;
    const char *at = section->name < elf->names_bytes ? elf->names + section->name : NULL;
    const char *end = at ? memchr(at, 0, elf->names_bytes - (size_t)section->name) : NULL;
    if (!end)
        return refuse(elf, SCH_D_CUBIN_SECTION_NAME, offset,
                      "the name of a section is not inside the section of names");
    size_t length = (size_t)(end - at);
    if (strncmp(at, text, TEXT) != 0 || (at[TEXT] && at[TEXT] != '.')) return SCH_OK;
    size_t skip = length > TEXT ? TEXT + 1 : TEXT;
    if (length - skip > SCH_MAXWELL_NAME)
        return refuse(elf, SCH_D_CUBIN_SECTION_NAME, offset, "the name of a section is too long");
    *name = at + skip;
    *bytes = length - skip;
    return SCH_OK;
}

static enum sch_result read_code(struct elf *elf, uint64_t index, const struct section *section, const char *name,
                                 size_t name_bytes)
{
    uint64_t offset = elf->table + index * SECTION_BYTES;
    if (!is_inside(elf, section->offset, section->size))
        return refuse(elf, SCH_D_CUBIN_SECTION_DATA, offset, "a section of code is not inside the file");
    if (section->size % SCH_MAXWELL_BUNDLE_BYTES)
        return refuse(elf, SCH_D_CUBIN_TEXT_SIZE, offset, "a section of code ends inside a bundle of 32 bytes");
    size_t bytes = (size_t)section->size;
    if (elf->code->section_count >= elf->how->limits->declarations ||
        !sch_maxwell_code_room(elf->code, elf->how->limits, 0, bytes / SCH_MAXWELL_BUNDLE_BYTES * SCH_MAXWELL_SLOTS)) {
        refuse(elf, SCH_D_MAXWELL_RAW_LIMIT, offset, "there are more sections, or instructions in one, than the limit");
        return SCH_ERROR_LIMIT;
    }
    struct sch_maxwell_section *made = sch_maxwell_code_section(elf->code, name, name_bytes, true);
    if (!made || !sch_maxwell_code_bundles(elf->code, made, elf->data + section->offset, bytes, section->offset))
        return SCH_ERROR_MEMORY;
    made->registers = (uint8_t)(section->info >> REGISTERS_SHIFT);
    return SCH_OK;
}

static enum sch_result read_sections(struct elf *elf)
{
    for (uint64_t i = 1; i < elf->count; i++) {
        struct section section = section_at(elf, i);
        const char *name;
        size_t bytes;
        enum sch_result status = code_name(elf, i, &section, &name, &bytes);
        if (status == SCH_OK && name) status = read_code(elf, i, &section, name, bytes);
        if (status != SCH_OK) return status;
    }
    return SCH_OK;
}

enum sch_result sch_maxwell_read_cubin(const struct sch_maxwell_read *how, const void *data, size_t bytes,
                                       struct sch_maxwell_code **result)
{
    *result = NULL;
    struct elf elf = {.how = how, .data = data, .bytes = bytes};
    enum sch_result status = check_header(&elf);
    if (status != SCH_OK) return status;
    elf.code = sch_maxwell_code_new(how);
    if (!elf.code) return SCH_ERROR_MEMORY;
    status = read_arch(&elf);
    if (status == SCH_OK) status = find_sections(&elf);
    if (status == SCH_OK) status = read_sections(&elf);
    if (status != SCH_OK) {
        sch_maxwell_code_destroy(elf.code);
        return status;
    }
    *result = elf.code;
    return SCH_OK;
}
