/* Flattens a source and what it includes into one text: flatten ROOT SOURCE OUTPUT DEPENDENCIES FOLDER...
 *
 * Names are relative to ROOT. #include "name" is replaced by the text of the file, sought in the folder of the including file and
 * then in each FOLDER; #line keeps the names for messages. Conditions are left to the compiler, so a table included several times
 * appears several times; but the list of files that a table has under #ifdef NAME_FILES is taken only where that is defined. A
 * header with an include guard is left out after it has appeared under no other condition than guards. DEPENDENCIES receives a
 * makefile rule. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, NAME = 1024, LINE = 8192, MOST_FILES = 512 };

/* A header that has appeared, under so many conditions. */
struct appeared {
    char *name;
    int level;
};

struct flattener {
    const char *root;
    char **folders;
    int folder_count;
    FILE *output, *dependencies;
    int depth;
    int level;        /* conditions that are open here, include guards aside */
    char lists[NAME]; /* the NAME_FILES that is defined here, or "" */
    struct appeared appeared[MOST_FILES];
    int appeared_count;
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

/* What follows the name of a directive in a line, "ifndef" for instance; NULL when the line is something else. */
static char *directive(char *line, const char *name)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, name, strlen(name)) != 0)
        return NULL;
    line += strlen(name);
    return line + strspn(line, " \t");
}

/* The name in a line that is #include "name", else NULL; the line is cut behind it. */
static char *included(char *line)
{
    char *const name = directive(line, "include");
    char *const end = name && *name == '"' ? strchr(name + 1, '"') : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    return name + 1;
}

/* Whether the first two directives of a file are #ifndef X and #define X. The file is left at its start. */
static bool guarded(FILE *file)
{
    char line[LINE], guard[LINE] = "";
    bool found = false;
    while (fgets(line, sizeof line, file) && !found) {
        const char *const tested = directive(line, "ifndef"), *const defined = directive(line, "define");
        if (!directive(line, ""))
            continue;
        if (!*guard && tested)
            snprintf(guard, sizeof guard, "%s", tested);
        else if (*guard && defined && strcmp(defined, guard) == 0)
            found = true;
        else
            break;
    }
    rewind(file);
    return found;
}

/* A branch of a condition ends: what appeared in it need not have appeared for what follows. */
static void forget(struct flattener *f, int level)
{
    while (f->appeared_count > 0 && f->appeared[f->appeared_count - 1].level >= level)
        free(f->appeared[--f->appeared_count].name);
}

static void remember(struct flattener *f, const char *name)
{
    char *const copy = f->appeared_count < MOST_FILES ? strdup(name) : NULL;
    if (copy)
        f->appeared[f->appeared_count++] = (struct appeared){copy, f->level};
}

static bool has_appeared(const struct flattener *f, const char *name)
{
    for (int n = 0; n < f->appeared_count; n++)
        if (strcmp(f->appeared[n].name, name) == 0)
            return true;
    return false;
}

/* Follows the conditions of a file; nested counts those open in it. The outermost is not counted where it is the guard. */
static void follow_conditions(struct flattener *f, char *line, bool guard, int *nested)
{
    const bool ends = directive(line, "endif"), opens = directive(line, "if"), turns = directive(line, "el");
    *nested += opens;
    if (!(guard && *nested == 1)) {
        f->level += opens;
        if (ends || turns)
            forget(f, f->level);
        f->level -= ends;
    }
    *nested -= ends;
}

static bool flatten_include(struct flattener *f, const char *from, unsigned number, const char *wanted)
{
    char found[NAME];
    if (!find(f, from, wanted, found)) {
        fprintf(stderr, "%s:%u: \"%s\" is not found\n", from, number, wanted);
        return false;
    }
    if (!has_appeared(f, found) && !flatten_file(f, found))
        return false;
    fprintf(f->output, "#line %u \"%s\"\n", number + 1, from);
    return true;
}

/* The name of a list of files after a directive, else NULL. */
static const char *list_name(char *name)
{
    const size_t length = name ? strcspn(name, " \t\r\n") : 0;
    if (length < strlen("_FILES") || strncmp(name + length - strlen("_FILES"), "_FILES", strlen("_FILES")) != 0)
        return NULL;
    name[length] = '\0';
    return name;
}

/* Follows which list of files is wanted; returns whether the line opens one that is not. */
static bool unwanted_list(struct flattener *f, char *line)
{
    const char *const defined = list_name(directive(line, "define"));
    const char *const gone = defined ? NULL : list_name(directive(line, "undef"));
    const char *const tested = defined || gone ? NULL : list_name(directive(line, "ifdef"));
    if (defined)
        snprintf(f->lists, sizeof f->lists, "%s", defined);
    if (gone)
        f->lists[0] = '\0';
    return tested && strcmp(tested, f->lists) != 0;
}

/* Passes over the lines up to the #endif of a list, which holds inclusions alone, and adds how many there are. */
static bool skip_list(FILE *file, const char *name, unsigned *number)
{
    char line[LINE];
    while (fgets(line, sizeof line, file)) {
        ++*number;
        if (directive(line, "endif"))
            return true;
        if (!included(line)) {
            fprintf(stderr, "%s:%u: a list of files holds nothing but #include, up to #endif\n", name, *number);
            return false;
        }
    }
    return true;
}

static bool flatten_lines(struct flattener *f, const char *name, FILE *file, bool guard)
{
    int nested = 0;
    char line[LINE], copy[LINE];
    fprintf(f->output, "#line 1 \"%s\"\n", name);
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        const size_t length = strlen(line);
        if (length == sizeof line - 1) {
            fprintf(stderr, "%s:%u: line too long\n", name, number);
            return false;
        }
        memcpy(copy, line, length + 1);
        if (unwanted_list(f, copy)) {
            if (!skip_list(file, name, &number))
                return false;
            fprintf(f->output, "#line %u \"%s\"\n", number + 1, name);
            continue;
        }
        memcpy(copy, line, length + 1);
        follow_conditions(f, line, guard, &nested);
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
    const bool guard = guarded(file);
    f->depth++;
    const bool done = flatten_lines(f, name, file, guard);
    f->depth--;
    fclose(file);
    if (guard)
        remember(f, name);
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
    forget(&f, 0);
    return done ? 0 : 1;
}
