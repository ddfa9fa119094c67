/* Flattens a source and what it includes into one text: flatten ROOT SOURCE OUTPUT DEPENDENCIES FOLDER...
 *
 * Names are relative to ROOT. #include "name" is replaced by the text of the file, sought in the folder of the including file and
 * then in each FOLDER; #line keeps the names for messages. Everything else stays as it is: guards and conditions are left to the
 * compiler, so a table included several times appears several times. DEPENDENCIES receives a makefile rule. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, NAME = 1024, LINE = 8192 };

struct flattener {
    const char *root;
    char **folders;
    int folder_count;
    FILE *output, *dependencies;
    int depth;
};

static bool flatten_file(struct flattener *f, const char *name);

static FILE *open_in(const struct flattener *f, const char *name)
{
    char path[2 * NAME];
    snprintf(path, sizeof path, "%s/%s", f->root, name);
    return fopen(path, "r");
}

static bool exists(const struct flattener *f, const char *name)
{
    FILE *const file = open_in(f, name);
    if (file)
        fclose(file);
    return file != NULL;
}

/* Finds what an include in `from` means: its name relative to the root goes to found. */
static bool find(const struct flattener *f, const char *from, const char *wanted, char found[NAME])
{
    const char *const slash = strrchr(from, '/');
    const int folder = slash ? (int)(slash - from) + 1 : 0;
    if (snprintf(found, NAME, "%.*s%s", folder, from, wanted) < NAME && exists(f, found))
        return true;
    for (int n = 0; n < f->folder_count; n++)
        if (snprintf(found, NAME, "%s/%s", f->folders[n], wanted) < NAME && exists(f, found))
            return true;
    return false;
}

/* The name in a line that is #include "name", else NULL; the line is cut behind it. */
static char *included(char *line)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7;
    line += strspn(line, " \t");
    char *const end = *line == '"' ? strchr(line + 1, '"') : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    return line + 1;
}

static bool flatten_include(struct flattener *f, const char *from, unsigned number, const char *wanted)
{
    char found[NAME];
    if (!find(f, from, wanted, found)) {
        fprintf(stderr, "%s:%u: \"%s\" is not found\n", from, number, wanted);
        return false;
    }
    if (!flatten_file(f, found))
        return false;
    fprintf(f->output, "#line %u \"%s\"\n", number + 1, from);
    return true;
}

static bool flatten_lines(struct flattener *f, const char *name, FILE *file)
{
    char line[LINE], copy[LINE];
    fprintf(f->output, "#line 1 \"%s\"\n", name);
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        const size_t length = strlen(line);
        if (length == sizeof line - 1) {
            fprintf(stderr, "%s:%u: line too long\n", name, number);
            return false;
        }
        memcpy(copy, line, length + 1);
        const char *const wanted = included(copy);
        if (!wanted)
            fprintf(f->output, line[length - 1] == '\n' ? "%s" : "%s\n", line);
        else if (!flatten_include(f, name, number, wanted))
            return false;
    }
    return !ferror(file);
}

static bool flatten_file(struct flattener *f, const char *name)
{
    if (f->depth == DEEPEST) {
        fprintf(stderr, "%s: includes nest too deeply\n", name);
        return false;
    }
    FILE *const file = open_in(f, name);
    if (!file) {
        fprintf(stderr, "%s/%s: cannot be read\n", f->root, name);
        return false;
    }
    fprintf(f->dependencies, " \\\n  %s/%s", f->root, name);
    f->depth++;
    const bool done = flatten_lines(f, name, file);
    f->depth--;
    fclose(file);
    return done;
}

/* False when the file could not be written to its end. */
static bool close_written(FILE *file)
{
    const bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

int main(int count, char **arguments)
{
    if (count < 6) {
        fprintf(stderr, "usage: flatten ROOT SOURCE OUTPUT DEPENDENCIES FOLDER...\n");
        return 2;
    }
    struct flattener f = {.root = arguments[1], .folders = arguments + 5, .folder_count = count - 5};
    f.output = fopen(arguments[3], "w");
    f.dependencies = fopen(arguments[4], "w");
    if (!f.output || !f.dependencies) {
        perror(f.output ? arguments[4] : arguments[3]);
        return 1;
    }
    fprintf(f.dependencies, "%s:", arguments[3]);
    bool done = flatten_file(&f, arguments[2]);
    fputc('\n', f.dependencies);
    done = close_written(f.output) && done;
    done = close_written(f.dependencies) && done;
    if (!done)
        remove(arguments[3]);
    return done ? 0 : 1;
}
