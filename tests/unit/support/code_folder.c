/* Where a test program's contexts may keep code (code_folder.h). */
#include "code_folder.h"

#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, LEVELS = 4 };

static char folder[PATH_SIZE];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void)
{
    const char *build = getenv("SCH_BUILD");
    snprintf(folder, sizeof folder, "%s/tests/code-XXXXXX", build ? build : ".");
    if (!mkdtemp(folder)) *folder = 0;
}

const char *code_folder(void)
{
    pthread_once(&made, make);
    return *folder ? folder : NULL;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

__attribute__((destructor)) static void remove_folder(void)
{
    if (*folder) nftw(folder, remove_entry, LEVELS, FTW_DEPTH | FTW_PHYS);
}
