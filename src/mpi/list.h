/* The items of a farm: command lines. Read from lists, one a line; or made of the files of folders. */
#ifndef SCH_MPI_LIST_H
#define SCH_MPI_LIST_H

#include "mpi/common.h"

struct sch_mpi_item {
    char **words; /* without the program; NULL after the last */
    size_t count;
    char *source;  /* where it comes from: a list, a file */
    unsigned line; /* in the list, from 1; 0: it is not a list */
};

struct sch_mpi_items {
    struct sch_mpi_item *list;
    size_t count, capacity;
};

/* Adds the command lines of a text. Words are between spaces and tabs; '...' and "..." quote them, a backslash takes
 * the next character as it is (in "..." only \" and \\), # begins a comment where a word could begin. Nothing else has
 * a meaning: no shell reads the line. USAGE or LIMIT, and said with file, line and column. */
enum sch_mpi_exit sch_mpi_list_read(const char *name, const char *text, size_t bytes, struct sch_mpi_items *items);

/* Adds one item; copies the words. False: out of memory. */
bool sch_mpi_items_add(struct sch_mpi_items *items, const char *source, unsigned line, const char *const *words,
                       size_t count);
void sch_mpi_items_release(struct sch_mpi_items *items);

/* The words of an item as a line that a list could have. The caller's; NULL: out of memory. */
char *sch_mpi_item_line(const struct sch_mpi_item *item);

/* Adds an item `before... FILE after...` for each file under `path` that `wanted` takes, folders in it too, in the
 * order of their names' bytes; for `path` itself if it is a file. Links to folders are not followed. IO or LIMIT, and
 * said. */
struct sch_mpi_frame {
    const char *const *before, *const *after;
    size_t before_count, after_count;
    bool (*wanted)(const char *path);
};
enum sch_mpi_exit sch_mpi_folder_read(const char *path, const struct sch_mpi_frame *frame, struct sch_mpi_items *items);

/* Whether the ending of a name is one of a shader, or of a script of tests. */
bool sch_mpi_is_shader(const char *path);
bool sch_mpi_is_script(const char *path);

#endif
