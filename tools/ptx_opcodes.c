/* Lists the instructions of PTX files as they are spelled, with how often each stands there:
 *     ptx-opcodes FILE.ptx...
 * Exit code 2 with a message for a file that cannot be read or parsed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "frontend/ptx/module.h"

enum { MOST_BYTES = 64 << 20 };

struct spelling {
    const char *text;
    unsigned long count;
};

struct list {
    struct ws_arena arena;
    struct spelling *spellings;
    size_t count, room;
    bool failed; /* out of memory */
};

static void count_instruction(void *context, const char *text, size_t length)
{
    struct list *list = context;
    for (size_t n = 0; n < list->count; n++)
        if (strlen(list->spellings[n].text) == length && memcmp(list->spellings[n].text, text, length) == 0) {
            list->spellings[n].count++;
            return;
        }
    struct spelling *larger = ws_arena_grow(&list->arena, list->spellings, list->count, &list->room, sizeof *larger);
    const char *copy = ws_arena_text(&list->arena, text, length);
    list->failed |= !larger || !copy;
    if (list->failed)
        return;
    list->spellings = larger;
    list->spellings[list->count++] = (struct spelling){copy, 1};
}

static enum ws_status parse_file(struct list *list, const char *path, struct ws_error *error)
{
    struct ws_arena arena = {0};
    struct ptx_module module = {.arena = &arena, .places = {.name = path}, .instruction_seen = count_instruction, .context = list};
    char *text;
    size_t length;
    WS_TRY(ws_file_read(path, MOST_BYTES, &text, &length, error));
    const enum ws_status status = ptx_parse(&module, text, length, error);
    free(text);
    ws_arena_free(&arena);
    return list->failed ? ptx_no_memory(error) : status;
}

static int compare_spellings(const void *left, const void *right)
{
    return strcmp(((const struct spelling *)left)->text, ((const struct spelling *)right)->text);
}

static enum ws_status count_all(struct list *list, char **paths, struct ws_error *error)
{
    for (; *paths; paths++)
        WS_TRY(parse_file(list, *paths, error));
    return WS_STATUS_ok;
}

static void print(const struct list *list)
{
    for (size_t n = 0; n < list->count; n++)
        printf("%-28s %lu\n", list->spellings[n].text, list->spellings[n].count);
}

int main(int argc, char **argv)
{
    struct list list = {.count = 0};
    struct ws_error error;
    if (argc < 2) {
        fprintf(stderr, "usage: ptx-opcodes FILE.ptx...\n");
        return 2;
    }
    const enum ws_status status = count_all(&list, argv + 1, &error);
    if (status != WS_STATUS_ok)
        fprintf(stderr, "ptx-opcodes: %s\n", error.message);
    else if (list.count)
        qsort(list.spellings, list.count, sizeof *list.spellings, compare_spellings);
    if (status == WS_STATUS_ok)
        print(&list);
    ws_arena_free(&list.arena);
    return ws_status_exit_code(status);
}
