/* Cubins: ELF files of 64 bits, low byte first, for EM_CUDA. Takes the sections of code, .text and .text.NAME; all
 * other sections are notes (notes.h), and a file of them alone is a program without code. */
#include <stdio.h>
#include <string.h>

#include "isa/errors.h"
#include "maxwell/text/notes.h"

enum {
    HEADER_BYTES = 64,
    MACHINE_CUDA = 190,
    TYPE_PROGBITS = 1,
    FLAG_EXECUTE = 4,
    INDEX_ELSEWHERE = 0xffff, /* SHN_XINDEX: the index is in section 0's sh_link */
    BARRIERS_SHIFT = 20,      /* sh_flags of a section of code: barriers of the block, from this bit on */
    REGISTERS_SHIFT = 24      /* sh_info of a section of code: registers in 31:24, its symbol below */
};

static enum sch_result refuse(const struct sch_elf *elf, unsigned number, uint64_t offset, const char *message)
{
    sch_diagnostics_add(elf->how->diagnostics, SCH_SEVERITY_ERROR, number, (struct sch_position){.offset = offset},
                        "%s", message);
    return SCH_ERROR_INVALID;
}

static enum sch_result check_header(const struct sch_elf *elf)
{
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    if (elf->bytes < HEADER_BYTES || memcmp(elf->data, magic, sizeof magic) != 0)
        return refuse(elf, SCH_D_CUBIN_HEADER, 0, "this is no ELF file of 64 bits, low byte first");
    if (sch_elf_number(elf->data + 18, SCH_ELF_HALF) != MACHINE_CUDA)
        return refuse(elf, SCH_D_CUBIN_HEADER, 18, "the machine is not EM_CUDA (190)");
    if (sch_elf_number(elf->data + 52, SCH_ELF_HALF) != HEADER_BYTES ||
        sch_elf_number(elf->data + 58, SCH_ELF_HALF) != SCH_ELF_SECTION_BYTES)
        return refuse(elf, SCH_D_CUBIN_HEADER, 52, "the headers have not the size that ELF gives them");
    return SCH_OK;
}

static enum sch_result read_arch(struct sch_elf *elf)
{
    if (elf->how->arch != SCH_MAXWELL_ARCH_DEFAULT) return SCH_OK;
    unsigned number = elf->data[48]; /* the lowest byte of e_flags */
    char name[16];
    enum sch_maxwell_arch arch;
    int bytes = snprintf(name, sizeof name, "sm_%u", number);
    if (!sch_maxwell_arch_find(name, (size_t)bytes, &arch)) {
        sch_diagnostics_add(elf->how->diagnostics, SCH_SEVERITY_ERROR, SCH_D_CUBIN_ARCH,
                            (struct sch_position){.offset = 48},
                            "the cubin is for %s; sm_50, sm_52, sm_53, sm_60 and sm_61 are read", name);
        return SCH_ERROR_UNSUPPORTED;
    }
    elf->code->arch = (uint8_t)arch;
    return SCH_OK;
}

/* Finds the table of sections and the names in it. Counts that do not fit their field are in section 0. */
static enum sch_result find_sections(struct sch_elf *elf)
{
    uint64_t names = sch_elf_number(elf->data + 62, SCH_ELF_HALF);
    elf->table = sch_elf_number(elf->data + 40, SCH_ELF_XWORD);
    elf->count = sch_elf_number(elf->data + 60, SCH_ELF_HALF);
    if (elf->table == 0) return refuse(elf, SCH_D_CUBIN_NO_TEXT, 40, "the file has no sections");
    if (!sch_elf_is_inside(elf, elf->table, SCH_ELF_SECTION_BYTES))
        return refuse(elf, SCH_D_CUBIN_SECTION_TABLE, 40, "the section table is not inside the file");
    if (elf->count == 0) elf->count = sch_elf_section_at(elf, 0).size;
    if (names == INDEX_ELSEWHERE) names = sch_elf_section_at(elf, 0).link;
    if (elf->count > (elf->bytes - elf->table) / SCH_ELF_SECTION_BYTES)
        return refuse(elf, SCH_D_CUBIN_SECTION_TABLE, 60, "the section table is not inside the file");
    if (names >= elf->count)
        return refuse(elf, SCH_D_CUBIN_SECTION_TABLE, 62, "the section of names is not in the section table");
    struct sch_elf_section section = sch_elf_section_at(elf, names);
    if (!sch_elf_is_inside(elf, section.offset, section.size))
        return refuse(elf, SCH_D_CUBIN_SECTION_DATA, elf->table + names * SCH_ELF_SECTION_BYTES,
                      "the section of names is not inside the file");
    elf->names = (const char *)elf->data + section.offset;
    elf->names_bytes = (size_t)section.size;
    return SCH_OK;
}

/* The name after ".text." of a section of code; `*name` is NULL if it is another section. */
static enum sch_result code_name(const struct sch_elf *elf, uint64_t index, const struct sch_elf_section *section,
                                 const char **name, size_t *bytes)
{
    static const char text[] = ".text";
    enum { TEXT = sizeof text - 1 };
    *name = NULL;
    if (section->type != TYPE_PROGBITS || !(section->flags & FLAG_EXECUTE)) return SCH_OK;
    uint64_t offset = elf->table + index * SCH_ELF_SECTION_BYTES;
    const char *at = sch_elf_section_name(elf, section);
    if (!at)
        return refuse(elf, SCH_D_CUBIN_SECTION_NAME, offset,
                      "the name of a section is not inside the section of names");
    const size_t length = strlen(at);
    if (strncmp(at, text, TEXT) != 0 || (at[TEXT] && at[TEXT] != '.')) return SCH_OK;
    size_t skip = length > TEXT ? TEXT + 1 : TEXT;
    if (length - skip > SCH_MAXWELL_NAME)
        return refuse(elf, SCH_D_CUBIN_SECTION_NAME, offset, "the name of a section is too long");
    *name = at + skip;
    *bytes = length - skip;
    return SCH_OK;
}

static enum sch_result read_code(struct sch_elf *elf, uint64_t index, const struct sch_elf_section *section,
                                 const char *name, size_t name_bytes)
{
    uint64_t offset = elf->table + index * SCH_ELF_SECTION_BYTES;
    if (!sch_elf_is_inside(elf, section->offset, section->size))
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
    made->barriers = (uint8_t)(section->flags >> BARRIERS_SHIFT & 0x7f);
    elf->sections[index] = (uint32_t)elf->code->section_count - 1;
    return SCH_OK;
}

static enum sch_result read_sections(struct sch_elf *elf)
{
    elf->sections = SCH_ARENA_ARRAY(&elf->code->arena, uint32_t, elf->count);
    if (!elf->sections) return SCH_ERROR_MEMORY;
    for (uint64_t i = 0; i < elf->count; i++) elf->sections[i] = SCH_ELF_NO_CODE;
    for (uint64_t i = 1; i < elf->count; i++) {
        struct sch_elf_section section = sch_elf_section_at(elf, i);
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
    struct sch_elf elf = {.how = how, .data = data, .bytes = bytes};
    enum sch_result status = check_header(&elf);
    if (status != SCH_OK) return status;
    elf.code = sch_maxwell_code_new(how);
    if (!elf.code) return SCH_ERROR_MEMORY;
    status = read_arch(&elf);
    if (status == SCH_OK) status = find_sections(&elf);
    if (status == SCH_OK) status = read_sections(&elf);
    if (status == SCH_OK) status = sch_maxwell_notes_read(&elf);
    if (status != SCH_OK) {
        sch_maxwell_code_destroy(elf.code);
        return status;
    }
    *result = elf.code;
    return SCH_OK;
}
