/* Where a test program's contexts may keep code, so that what its tests repeat is compiled once. */
#ifndef TESTS_CODE_FOLDER_H
#define TESTS_CODE_FOLDER_H

/* A folder of this process, in the build's; removed at the process's end. NULL: it could not be made. Thread-safe. */
const char *code_folder(void);

#endif
