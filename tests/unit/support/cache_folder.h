/* The folder of a test's cache, removed: not before the process has ended that finishes what contexts have left (it
 * holds a lock of the folder, and may be writing). */
#ifndef TESTS_CACHE_FOLDER_H
#define TESTS_CACHE_FOLDER_H

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* 0 if the folder is gone. */
static inline int remove_cache_folder(const char *path)
{
    const int lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = lock >= 0 && flock(lock, LOCK_EX) == 0 ? opendir(path) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
    if (lock >= 0) close(lock);
    return rmdir(path);
}

#endif
