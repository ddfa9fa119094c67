/* The tool that merges kernels and their includes into one text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "test.h"

static char folder[] = "/tmp/flatten-XXXXXX";

static void put(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(ws_file_write(path, text, strlen(text), NULL), WS_STATUS_ok);
}

/* The text of a file in the folder, to be freed; NULL when it is not there. */
static char *get(const char *name)
{
    char path[200], *text = NULL;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ws_file_read(path, 1 << 20, &text, &length, NULL);
    return text;
}

/* Flattens a source of the folder into "flat" and "rule"; error messages go to "complaint". */
static int flatten(const char *source)
{
    char command[1000];
    snprintf(command, sizeof command, "%s %s %s %s/flat %s/rule lib 2>%s/complaint", FLATTEN, folder, source, folder, folder,
             folder);
    return system(command);
}

static void assert_holds(const char *name, const char *part)
{
    char *const text = get(name);
    assert_non_null(text);
    if (!strstr(text, part))
        fail_msg("'%s' is not in %s: %s", part, name, text);
    free(text);
}

static int set_up(void **state)
{
    char path[200];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/lib", folder);
    if (ws_folder_make(path, NULL) != WS_STATUS_ok)
        return -1;
    snprintf(path, sizeof path, "%s/part", folder);
    return ws_folder_make(path, NULL) == WS_STATUS_ok ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[200];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

TEST(a_table_is_there_each_time_it_is_included)
{
    put("table.def", "ROW(1)\n");
    put("top.cl", "int a[] = {\n#include \"table.def\"\n};\n  #  include  \"table.def\" // again\n#include <stdio.h>\nlast");
    assert_int_equal(flatten("top.cl"), 0);
    char *const flat = get("flat");
    assert_string_equal(flat, "#line 1 \"top.cl\"\nint a[] = {\n#line 1 \"table.def\"\nROW(1)\n#line 3 \"top.cl\"\n};\n"
                              "#line 1 \"table.def\"\nROW(1)\n#line 5 \"top.cl\"\n#include <stdio.h>\nlast\n");
    free(flat);
}

TEST(the_folder_of_the_includer_comes_first)
{
    put("part/one.h", "#include \"two.h\"\n#include \"three.h\"\n");
    put("part/two.h", "near\n");
    put("lib/two.h", "far\n");
    put("lib/three.h", "three\n");
    put("top.cl", "#include \"part/one.h\"\n#include \"two.h\"\n");
    assert_int_equal(flatten("top.cl"), 0);
    assert_holds("flat", "#line 1 \"top.cl\"\n#line 1 \"part/one.h\"\n#line 1 \"part/two.h\"\nnear\n");
    assert_holds("flat", "#line 2 \"top.cl\"\n#line 1 \"lib/two.h\"\nfar\n");
    assert_holds("flat", "#line 1 \"lib/three.h\"\nthree\n");
    assert_holds("rule", "/flat:");
    assert_holds("rule", "/part/two.h");
    assert_holds("rule", "/lib/two.h");
    assert_holds("rule", "/lib/three.h");
}

/* A guarded header counts as included only where that is certain: after a conditional branch it is not. */
TEST(a_guarded_header_is_there_as_often_as_needed)
{
    put("guarded.h", "/* words */\n#ifndef GUARD\n#define GUARD\nonce\n#endif\n");
    put("outer.h", "#ifndef OUTER\n#define OUTER\n#include \"guarded.h\"\n#endif\n");
    put("top.cl", "#ifdef A\n#include \"guarded.h\"\n#elif B\n#include \"outer.h\"\n#include \"guarded.h\"\n#endif\n"
                  "#include \"outer.h\"\n#include \"guarded.h\"\n#if C\n#include \"outer.h\"\n#endif\n");
    assert_int_equal(flatten("top.cl"), 0);
    char *const flat = get("flat");
    size_t times = 0;
    for (const char *at = flat; (at = strstr(at, "once\n")); at++)
        times++;
    assert_int_equal(times, 3);
    assert_holds("flat", "#line 6 \"top.cl\"\n#endif\n");
    free(flat);
}

/* The list is used only by an includer that has defined its name, so a table can list its includers. */
TEST(a_list_of_files_is_taken_where_it_is_wanted)
{
    put("rows.def", "#ifdef ROW_FILES\n#include \"row.h\"\n#endif\nROW(a)\n");
    put("row.h", "#ifndef ROW_H\n#define ROW_H\n#include \"rows.def\"\nin row\n#endif\n");
    put("top.cl", "#include \"rows.def\"\n#define ROW_FILES\n#include \"rows.def\"\n#undef ROW_FILES\n#include \"rows.def\"\n");
    assert_int_not_equal(flatten("top.cl"), 0); /* row.h is in its own list, and requested while it is read */
    put("row.h", "#ifndef ROW_H\n#define ROW_H\nin row\n#endif\n");
    assert_int_equal(flatten("top.cl"), 0);
    char *const flat = get("flat");
    assert_string_equal(flat, "#line 1 \"top.cl\"\n#line 1 \"rows.def\"\n#line 4 \"rows.def\"\nROW(a)\n#line 2 \"top.cl\"\n"
                              "#define ROW_FILES\n#line 1 \"rows.def\"\n#ifdef ROW_FILES\n#line 1 \"row.h\"\n#ifndef ROW_H\n"
                              "#define ROW_H\nin row\n#endif\n#line 3 \"rows.def\"\n#endif\nROW(a)\n#line 4 \"top.cl\"\n"
                              "#undef ROW_FILES\n#line 1 \"rows.def\"\n#line 4 \"rows.def\"\nROW(a)\n#line 6 \"top.cl\"\n");
    free(flat);
}

static void assert_complaint(const char *source, const char *text)
{
    assert_int_not_equal(flatten(source), 0);
    assert_holds("complaint", text);
    assert_null(get("flat"));
}

TEST(what_is_missing_or_endless_is_named)
{
    put("top.cl", "\n#include \"absent.h\"\n");
    assert_complaint("top.cl", "top.cl:2: \"absent.h\" is not found");
    put("loop.h", "#include \"loop.h\"\n");
    assert_complaint("loop.h", "loop.h: includes nest too deeply");
    assert_complaint("nothing.cl", "nothing.cl: cannot be read");
}

TEST(a_list_with_other_lines_is_refused)
{
    put("rows.def", "#ifdef ROW_FILES\n#include \"row.h\"\n#else\nROW(a)\n#endif\n");
    put("row.h", "in row\n");
    put("top.cl", "#include \"rows.def\"\n");
    assert_complaint("top.cl", "rows.def:3: a list of files holds nothing but #include, up to #endif");
}

TESTS(set_up, tear_down)
