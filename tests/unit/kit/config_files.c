#include "unit/kit/config_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/warpsweep-test-XXXXXX";

int files_enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int files_leave(void **state)
{
    (void)state;
    DIR *const files = opendir(".");
    if (!files)
        return -1;
    for (const struct dirent *file = readdir(files); file; file = readdir(files))
        unlink(file->d_name);
    closedir(files);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

void files_write(const char *name, const char *text)
{
    FILE *const file = fopen(name, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}
