#include "base/inputs.h"

#include <pthread.h>
#include <stdlib.h>

struct input {
    dev_t device;
    ino_t inode;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool watched;
static struct input *inputs;
static size_t count;

void ws_inputs_watch(void)
{
    pthread_mutex_lock(&lock);
    watched = true;
    pthread_mutex_unlock(&lock);
}

/* Index of the file's entry; count if there is none. With the lock held. */
static size_t find(const struct stat *file)
{
    size_t n = 0;
    while (n < count && (inputs[n].device != file->st_dev || inputs[n].inode != file->st_ino))
        n++;
    return n;
}

/* Without memory, only the file's kind protects it. */
void ws_inputs_note(const char *path)
{
    struct stat file;
    pthread_mutex_lock(&lock);
    if (watched && stat(path, &file) == 0 && S_ISREG(file.st_mode) && find(&file) == count) {
        struct input *const more = realloc(inputs, (count + 1) * sizeof *inputs);
        inputs = more ? more : inputs;
        if (more)
            inputs[count++] = (struct input){.device = file.st_dev, .inode = file.st_ino};
    }
    pthread_mutex_unlock(&lock);
}

void ws_inputs_forget(const char *path)
{
    struct stat file;
    pthread_mutex_lock(&lock);
    const size_t n = stat(path, &file) == 0 ? find(&file) : count;
    if (n < count)
        inputs[n] = inputs[--count];
    pthread_mutex_unlock(&lock);
}

bool ws_inputs_have(const struct stat *file)
{
    pthread_mutex_lock(&lock);
    const bool have = find(file) < count;
    pthread_mutex_unlock(&lock);
    return have;
}
