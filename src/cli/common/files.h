/* Verbs that take many inputs: files, with -r those of folders, too, and -o with a folder for what is written. */
#ifndef SCH_CLI_FILES_H
#define SCH_CLI_FILES_H

#include "cli.h"

struct sch_cli_files {
    struct sch_cli_file {
        char *path;
        size_t name; /* where in it the name begins that an output keeps: below the folder that was given */
    } * list;
    size_t count;
    uint32_t room;
    const struct sch_cli_verb *verb; /* that takes them; NULL: they are not settled */
    bool recursive;                  /* -r */
    const char *output;              /* -o; NULL: standard output */
    bool is_folder;                  /* that it names one: it is one, or ends in a slash */
};

/* When all options are known: takes the files of the command line, and replaces folders by their files, in the order of
 * their names. Reports an error if there are no files, if one is a folder without -r, and if there are several but a
 * single one is written. Release the files whatever is returned. */
enum sch_cli_exit sch_cli_files_take(struct sch_cli_files *files, const struct sch_cli_arguments *arguments,
                                     const char *output);
void sch_cli_files_release(struct sch_cli_files *files);

/* Standard output as a file in memory, until it is given back: what was printed, the caller's; NULL: memory. */
struct sch_cli_capture {
    int saved, memory;
};
bool sch_cli_capture_begin(struct sch_cli_capture *capture);
char *sch_cli_capture_end(const struct sch_cli_capture *capture, size_t *bytes);

/* What a verb does with one file: prints to standard output. `*ending` receives that of a file made of it (".tgsi"). */
typedef enum sch_cli_exit sch_cli_one_fn(void *user, const char *path, const char **ending);

/* Does it with all of them, and shows on a terminal how far it is. With an output what is printed goes there, unless
 * the exit code is not YES. `head`: printed before each of several on standard output, with the path; NULL: nothing. */
enum sch_cli_exit sch_cli_each_file(const struct sch_cli_files *files, const char *head, sch_cli_one_fn *one,
                                    void *user);

#endif
