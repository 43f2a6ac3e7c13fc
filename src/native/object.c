/* The loader of relocatable objects: "System V Application Binary Interface", edition 4.1, chapter 4 (object files),
 * and its AMD64 supplement, 4.4 (relocation). Every offset and count is checked against the bytes that there are before
 * it is used. */
#include "native/object.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/checked.h"
#include "native/compiler.h"

enum { SECTIONS = 4096, MAPPED_BYTES = 1 << 28, LARGEST_ALIGNMENT = 4096, FUNCTIONS = 1024 };

/* Where a section stands in the mapping; `loaded` false: it is not part of it. */
struct place {
    bool loaded, executable;
    size_t offset, bytes;
};

struct object {
    const uint8_t *bytes;
    size_t size;
    Elf64_Ehdr header;
    struct place *places; /* by section */
    size_t code_bytes;    /* executable pages come first */
    size_t total_bytes;
    const uint8_t *symbols;
    size_t symbol_count;
    const char *names;
    size_t name_bytes;
    uint8_t *memory;
};

/* Bytes of the object from `offset`, when all `bytes` of them are there. */
static const uint8_t *part(const struct object *object, uint64_t offset, uint64_t bytes)
{
    if (offset > object->size || bytes > object->size - offset) return NULL;
    return object->bytes + offset;
}

static bool section(const struct object *object, size_t number, Elf64_Shdr *section)
{
    if (number >= object->header.e_shnum) return false;
    /* read_header checked that all of them are there */
    memcpy(section, object->bytes + object->header.e_shoff + number * sizeof *section, sizeof *section);
    return true;
}

/* "ELF Header". */
static enum sch_status read_header(struct object *object)
{
    Elf64_Ehdr *header = &object->header;
    const uint8_t *at = part(object, 0, sizeof *header);
    if (!at) return SCH_STATUS_INVALID;
    memcpy(header, at, sizeof *header);
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return SCH_STATUS_INVALID;
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB) return SCH_STATUS_INVALID;
    if (header->e_type != ET_REL || header->e_shentsize != sizeof(Elf64_Shdr)) return SCH_STATUS_INVALID;
    if (header->e_machine != EM_X86_64) return SCH_STATUS_UNSUPPORTED;
    if (!header->e_shnum || header->e_shnum > SECTIONS) return SCH_STATUS_LIMIT;
    return part(object, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)) ? SCH_STATUS_OK
                                                                                         : SCH_STATUS_INVALID;
}

/* What data is writable only until it is relocated stands in sections of this name. */
static bool is_relocated_data(const struct object *object, const Elf64_Shdr *what)
{
    static const char wanted[] = ".data.rel.ro";
    Elf64_Shdr names;
    if (!section(object, object->header.e_shstrndx, &names)) return false;
    uint64_t offset;
    if (__builtin_add_overflow(names.sh_offset, what->sh_name, &offset)) return false;
    const uint8_t *at = part(object, offset, sizeof wanted - 1);
    return at && memcmp(at, wanted, sizeof wanted - 1) == 0;
}

/* Gives a section its place behind `*end`. */
static enum sch_status place_section(struct object *object, size_t number, const Elf64_Shdr *what, size_t *end)
{
    uint64_t alignment = what->sh_addralign ? what->sh_addralign : 1;
    if ((alignment & (alignment - 1)) || alignment > LARGEST_ALIGNMENT) return SCH_STATUS_INVALID;
    if (what->sh_size > MAPPED_BYTES) return SCH_STATUS_LIMIT;
    if (what->sh_type != SHT_NOBITS && !part(object, what->sh_offset, what->sh_size)) return SCH_STATUS_INVALID;
    size_t offset = (*end + (size_t)alignment - 1) & ~((size_t)alignment - 1);
    object->places[number] = (struct place){
        .loaded = true, .executable = what->sh_flags & SHF_EXECINSTR, .offset = offset, .bytes = (size_t)what->sh_size};
    *end = offset + (size_t)what->sh_size;
    return *end > MAPPED_BYTES ? SCH_STATUS_LIMIT : SCH_STATUS_OK;
}

/* Executable sections, or the others. Tables for unwinding are left out: nothing unwinds through this code. */
static enum sch_status place_sections(struct object *object, bool executable, size_t *end)
{
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        Elf64_Shdr what;
        if (!section(object, n, &what)) return SCH_STATUS_INVALID;
        if (!(what.sh_flags & SHF_ALLOC) || !what.sh_size || what.sh_type == SHT_X86_64_UNWIND) continue;
        if (what.sh_type != SHT_PROGBITS && what.sh_type != SHT_NOBITS) return SCH_STATUS_UNSUPPORTED;
        if (what.sh_flags & (SHF_TLS | SHF_COMPRESSED)) return SCH_STATUS_UNSUPPORTED;
        if ((what.sh_flags & SHF_WRITE) && !is_relocated_data(object, &what)) return SCH_STATUS_UNSUPPORTED;
        const bool is_code = what.sh_flags & SHF_EXECINSTR;
        if (is_code != executable) continue;
        enum sch_status status = place_section(object, n, &what, end);
        if (status != SCH_STATUS_OK) return status;
    }
    return SCH_STATUS_OK;
}

static size_t whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

static enum sch_status lay_out(struct object *object)
{
    size_t end = 0;
    enum sch_status status = place_sections(object, true, &end);
    if (status != SCH_STATUS_OK) return status;
    if (!end) return SCH_STATUS_INVALID;
    object->code_bytes = end = whole_pages(end);
    status = place_sections(object, false, &end);
    object->total_bytes = whole_pages(end);
    return status;
}

/* "Symbol Table": there is at most one. */
static enum sch_status find_symbols(struct object *object)
{
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        Elf64_Shdr table, names;
        if (!section(object, n, &table)) return SCH_STATUS_INVALID;
        if (table.sh_type != SHT_SYMTAB) continue;
        if (table.sh_entsize != sizeof(Elf64_Sym) || !section(object, table.sh_link, &names)) return SCH_STATUS_INVALID;
        object->symbols = part(object, table.sh_offset, table.sh_size);
        object->symbol_count = (size_t)(table.sh_size / sizeof(Elf64_Sym));
        object->names = (const char *)part(object, names.sh_offset, names.sh_size);
        object->name_bytes = (size_t)names.sh_size;
        return object->symbols && object->names ? SCH_STATUS_OK : SCH_STATUS_INVALID;
    }
    return SCH_STATUS_INVALID;
}

static bool symbol(const struct object *object, uint64_t number, Elf64_Sym *symbol)
{
    if (number >= object->symbol_count) return false;
    memcpy(symbol, object->symbols + number * sizeof *symbol, sizeof *symbol);
    return true;
}

/* ---- relocation ---- */

/* The address that a symbol stands for; 0: it is not in the mapping. */
static uint64_t address_of(const struct object *object, uint64_t number)
{
    Elf64_Sym what;
    if (!symbol(object, number, &what) || what.st_shndx >= object->header.e_shnum) return 0;
    const struct place *place = &object->places[what.st_shndx];
    if (!place->loaded || what.st_value > place->bytes) return 0;
    return (uint64_t)(uintptr_t)object->memory + place->offset + what.st_value;
}

/* AMD64 supplement, table 4.10: S the symbol, A the addend, P the place. */
static enum sch_status relocate(uint8_t *at, size_t left, unsigned type, uint64_t S, uint64_t A)
{
    uint64_t P = (uint64_t)(uintptr_t)at, value;
    bool wide = false, is_signed = true;
    switch (type) {
    case R_X86_64_64:
        value = S + A;
        wide = true;
        break;
    case R_X86_64_PC64:
        value = S + A - P;
        wide = true;
        break;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        value = S + A - P;
        break;
    case R_X86_64_32S:
        value = S + A;
        break;
    case R_X86_64_32:
        value = S + A;
        is_signed = false;
        break;
    default:
        return SCH_STATUS_UNSUPPORTED;
    }
    size_t bytes = wide ? 8 : 4;
    if (left < bytes) return SCH_STATUS_INVALID;
    bool fits = is_signed ? value + 0x80000000u <= UINT32_MAX : value <= UINT32_MAX;
    if (!wide && !fits) return SCH_STATUS_UNSUPPORTED;
    memcpy(at, &value, bytes); /* low bytes first, as the processor has them */
    return SCH_STATUS_OK;
}

static enum sch_status relocate_section(const struct object *object, const Elf64_Shdr *list)
{
    if (list->sh_info >= object->header.e_shnum || list->sh_entsize != sizeof(Elf64_Rela)) return SCH_STATUS_INVALID;
    const struct place *place = &object->places[list->sh_info];
    const uint8_t *entries = part(object, list->sh_offset, list->sh_size);
    if (!entries) return SCH_STATUS_INVALID;
    if (!place->loaded) return SCH_STATUS_OK;
    for (uint64_t n = 0; n < list->sh_size / sizeof(Elf64_Rela); n++) {
        Elf64_Rela entry;
        memcpy(&entry, entries + n * sizeof entry, sizeof entry);
        unsigned type = (unsigned)ELF64_R_TYPE(entry.r_info);
        if (type == R_X86_64_NONE) continue;
        if (entry.r_offset > place->bytes) return SCH_STATUS_INVALID;
        uint64_t S = address_of(object, ELF64_R_SYM(entry.r_info));
        if (!S) return SCH_STATUS_UNSUPPORTED;
        enum sch_status status = relocate(object->memory + place->offset + entry.r_offset,
                                          place->bytes - (size_t)entry.r_offset, type, S, (uint64_t)entry.r_addend);
        if (status != SCH_STATUS_OK) return status;
    }
    return SCH_STATUS_OK;
}

static enum sch_status relocate_all(const struct object *object)
{
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        Elf64_Shdr list;
        if (!section(object, n, &list)) return SCH_STATUS_INVALID;
        if (list.sh_type == SHT_REL) return SCH_STATUS_UNSUPPORTED;
        if (list.sh_type != SHT_RELA) continue;
        enum sch_status status = relocate_section(object, &list);
        if (status != SCH_STATUS_OK) return status;
    }
    return SCH_STATUS_OK;
}

/* ---- the stack ---- */

/* A function as the section of sizes names it. */
struct frame {
    uint64_t section, offset;
};

static bool has_name(const struct object *object, const Elf64_Shdr *what, const char *name)
{
    Elf64_Shdr names;
    uint64_t offset;
    const size_t bytes = strlen(name) + 1;
    if (!section(object, object->header.e_shstrndx, &names)) return false;
    if (__builtin_add_overflow(names.sh_offset, what->sh_name, &offset)) return false;
    const uint8_t *at = part(object, offset, bytes);
    return at && memcmp(at, name, bytes) == 0;
}

/* The one section of sizes and its relocations, by number; 0: there is none, or more than one. */
static size_t find_sizes(const struct object *object, size_t *relocations)
{
    size_t found = 0, lists = 0;
    for (size_t n = 1; n < object->header.e_shnum; n++) {
        Elf64_Shdr what;
        if (!section(object, n, &what) || what.sh_type != SHT_PROGBITS || !has_name(object, &what, ".stack_sizes"))
            continue;
        if (found) return 0;
        found = n;
    }
    for (size_t n = 1; n < object->header.e_shnum && found; n++) {
        Elf64_Shdr what;
        if (!section(object, n, &what) || what.sh_type != SHT_RELA || what.sh_info != found) continue;
        *relocations = n;
        lists++;
    }
    return lists == 1 ? found : 0;
}

/* ULEB128 (DWARF 5, 7.6) of at most 35 bits; the byte behind it, or NULL. */
static const uint8_t *read_number(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; at < end && shift < 35; shift += 7) {
        *number |= (uint64_t)(*at & 127) << shift;
        if (!(*at++ & 128)) return at;
    }
    return NULL;
}

/* Where the symbol of an entry stands in the code. */
static bool read_frame(const struct object *object, const Elf64_Rela *entry, struct frame *frame)
{
    Elf64_Sym what;
    if (ELF64_R_TYPE(entry->r_info) != R_X86_64_64) return false;
    if (!symbol(object, ELF64_R_SYM(entry->r_info), &what) || what.st_shndx >= object->header.e_shnum) return false;
    const struct place *place = &object->places[what.st_shndx];
    *frame = (struct frame){what.st_shndx, what.st_value + (uint64_t)entry->r_addend};
    return place->loaded && place->executable && frame->offset < place->bytes;
}

/* All functions of the code are among those whose frames are known. */
static bool knows_all(const struct object *object, const struct frame *frames, size_t count)
{
    for (uint64_t n = 0; n < object->symbol_count; n++) {
        Elf64_Sym what;
        if (!symbol(object, n, &what)) return false;
        if (ELF64_ST_TYPE(what.st_info) != STT_FUNC || what.st_shndx >= object->header.e_shnum) continue;
        if (!object->places[what.st_shndx].executable) continue;
        size_t i = 0;
        while (i < count && !(frames[i].section == what.st_shndx && frames[i].offset == what.st_value)) i++;
        if (i == count) return false;
    }
    return true;
}

/* Adds up the frames of all functions: entries of an address, which a relocation has, and a size. */
static enum sch_status read_frames(const struct object *object, struct frame frames[FUNCTIONS], size_t *total)
{
    Elf64_Shdr what, list;
    size_t relocations = 0, number = find_sizes(object, &relocations), count = 0;
    if (!number || !section(object, number, &what) || !section(object, relocations, &list)) return SCH_STATUS_INVALID;
    const uint8_t *at = part(object, what.sh_offset, what.sh_size), *begin = at, *end = at + what.sh_size;
    const uint8_t *entries = part(object, list.sh_offset, list.sh_size);
    if (!at || !entries || list.sh_entsize != sizeof(Elf64_Rela)) return SCH_STATUS_INVALID;
    for (; at && at != end; count++) {
        Elf64_Rela entry;
        uint64_t bytes;
        if (count == FUNCTIONS) return SCH_STATUS_LIMIT;
        if (end - at < (ptrdiff_t)sizeof(uint64_t) || count >= list.sh_size / sizeof entry) return SCH_STATUS_INVALID;
        memcpy(&entry, entries + count * sizeof entry, sizeof entry);
        if (entry.r_offset != (uint64_t)(at - begin) || !read_frame(object, &entry, &frames[count]))
            return SCH_STATUS_INVALID;
        at = read_number(at + sizeof(uint64_t), end, &bytes);
        *total += (size_t)bytes + SCH_NATIVE_STACK_EACH;
    }
    return at && count && knows_all(object, frames, count) ? SCH_STATUS_OK : SCH_STATUS_INVALID;
}

/* Nothing is mapped whose frames are not known, or do not fit (native/compiler.h). */
static enum sch_status check_stack(const struct object *object, struct sch_arena *arena, size_t *total)
{
    struct frame *frames = SCH_ARENA_ARRAY(arena, struct frame, FUNCTIONS);
    if (!frames) return SCH_STATUS_MEMORY;
    enum sch_status status = read_frames(object, frames, total);
    if (status != SCH_STATUS_OK) return status;
    return *total <= SCH_NATIVE_STACK ? SCH_STATUS_OK : SCH_STATUS_LIMIT;
}

/* ---- mapping ---- */

static enum sch_status find_function(const struct object *object, const char *name, struct sch_native_code *code)
{
    size_t length = strlen(name) + 1;
    for (uint64_t n = 0; n < object->symbol_count; n++) {
        Elf64_Sym what;
        if (!symbol(object, n, &what) || what.st_name > object->name_bytes) return SCH_STATUS_INVALID;
        if (object->name_bytes - what.st_name < length) continue;
        if (memcmp(object->names + what.st_name, name, length) != 0) continue;
        if (what.st_shndx >= object->header.e_shnum) return SCH_STATUS_UNSUPPORTED;
        const struct place *place = &object->places[what.st_shndx];
        if (!place->executable || what.st_value >= place->bytes) return SCH_STATUS_INVALID;
        code->function = object->memory + place->offset + what.st_value;
        code->function_bytes =
            what.st_size > place->bytes - what.st_value ? place->bytes - (size_t)what.st_value : (size_t)what.st_size;
        return SCH_STATUS_OK;
    }
    return SCH_STATUS_INVALID;
}

static void copy_sections(const struct object *object)
{
    for (size_t n = 0; n < object->header.e_shnum; n++) {
        Elf64_Shdr what;
        if (!object->places[n].loaded || !section(object, n, &what) || what.sh_type == SHT_NOBITS) continue;
        memcpy(object->memory + object->places[n].offset, object->bytes + what.sh_offset, object->places[n].bytes);
    }
}

static enum sch_status protect(const struct object *object)
{
    size_t data = object->total_bytes - object->code_bytes;
    if (mprotect(object->memory, object->code_bytes, PROT_READ | PROT_EXEC) != 0) return SCH_STATUS_MEMORY;
    if (data && mprotect(object->memory + object->code_bytes, data, PROT_READ) != 0) return SCH_STATUS_MEMORY;
    return SCH_STATUS_OK;
}

static enum sch_status map(struct object *object, struct sch_arena *arena, const char *function,
                           struct sch_native_code *code)
{
    size_t stack = 0;
    enum sch_status status = lay_out(object);
    if (status == SCH_STATUS_OK) status = find_symbols(object);
    if (status == SCH_STATUS_OK) status = check_stack(object, arena, &stack);
    if (status != SCH_STATUS_OK) return status;
    void *memory = mmap(NULL, object->total_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return SCH_STATUS_MEMORY;
    object->memory = memory;
    *code = (struct sch_native_code){.memory = memory, .bytes = object->total_bytes, .stack_bytes = stack};
    copy_sections(object);
    status = relocate_all(object);
    if (status == SCH_STATUS_OK) status = find_function(object, function, code);
    if (status == SCH_STATUS_OK) status = protect(object);
    if (status != SCH_STATUS_OK) sch_native_unload(code);
    return status;
}

enum sch_status sch_native_load(const void *bytes, size_t size, const char *function, struct sch_native_code *code)
{
    *code = (struct sch_native_code){0};
#if defined(__x86_64__)
    struct object object = {.bytes = bytes, .size = size};
    enum sch_status status = read_header(&object);
    if (status != SCH_STATUS_OK) return status;
    struct sch_arena arena;
    sch_arena_init(&arena, &sch_allocator_libc, 0);
    object.places = SCH_ARENA_ARRAY(&arena, struct place, object.header.e_shnum);
    status = object.places ? map(&object, &arena, function, code) : SCH_STATUS_MEMORY;
    sch_arena_release(&arena);
    return status;
#else
    (void)bytes, (void)size, (void)function, (void)map, (void)read_header;
    return SCH_STATUS_UNSUPPORTED;
#endif
}

void sch_native_unload(struct sch_native_code *code)
{
    if (code->memory) munmap(code->memory, code->bytes);
    *code = (struct sch_native_code){0};
}
