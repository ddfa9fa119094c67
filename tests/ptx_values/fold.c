/* Queries ptxas: a kernel of many cases stores a result for each; the machine code contains the folded ones. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ptx_values/values.h"

enum { KERNEL = 512, FIRST_LINE = 8, FIRST_CASES = 6, MOST_FAILURES = 3 };

struct kernel {
    struct values *values;
    const char *ptxas, *architecture, *folder;
    struct form *form[KERNEL];
    struct value_case *one[KERNEL];
    u32 count;
};

void values_declare(const struct form *form, char *text, size_t room)
{
    int length = snprintf(text, room, ".reg .b16 h; .reg .b32 t, u, v, w; .reg .b64 T, U, V, W; .reg .pred p, q; .reg .b%u d;",
                          form->result.bits);
    for (u32 n = 0; n < form->sources; n++)
        length += snprintf(text + length, room - (size_t)length, " .reg .b%u %c;", form->source[n].bits, "abce"[n]);
}

static void path_of(const struct kernel *kernel, const char *name, char *path, size_t room)
{
    snprintf(path, room, "%s/%s", kernel->folder, name);
}

static void write_case(const struct form *form, const struct value_case *one, u32 n, FILE *file)
{
    char declarations[300];
    values_declare(form, declarations, sizeof declarations);
    fprintf(file, "{ %s", declarations);
    for (u32 s = 0; s < form->sources; s++)
        fprintf(file, " mov.b%u %c, 0x%llx;", form->source[s].bits, "abce"[s], (unsigned long long)one -> source[s]);
    fprintf(file, " %s st.global.b%u [out+%u], d; }\n", form->text, form->result.bits, 8 * n);
}

static bool write_kernel(const struct kernel *kernel)
{
    char path[300];
    path_of(kernel, "k.ptx", path, sizeof path);
    FILE *const file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file,
            ".version 9.0\n.target sm_%s\n.address_size 64\n.visible .entry k(.param .u64 buffer)\n{\n.reg .b64 out;\n"
            "ld.param.u64 out, [buffer];\n",
            kernel->architecture);
    for (u32 n = 0; n < kernel->count; n++)
        write_case(kernel->form[n], kernel->one[n], n, file);
    fprintf(file, "}\n");
    return fclose(file) == 0;
}

/* Runs ptxas; drops the forms on lines that it reports. *refused: how many. */
static bool assemble(struct kernel *kernel, u32 *refused)
{
    char command[1000], line[2000];
    snprintf(command, sizeof command, "%s -O3 -arch sm_%s '%s/k.ptx' -o '%s/k.cubin' 2>&1", kernel->ptxas, kernel->architecture,
             kernel->folder, kernel->folder);
    FILE *const pipe = popen(command, "r");
    *refused = 0;
    while (pipe && fgets(line, sizeof line, pipe)) {
        const char *const at = strstr(line, "k.ptx, line ");
        const u32 n = at ? (u32)strtoul(at + strlen("k.ptx, line "), NULL, 10) - FIRST_LINE : KERNEL;
        if (n >= kernel->count || !strstr(line, "error"))
            continue;
        *refused += !kernel->form[n]->refused;
        kernel->form[n]->refused = true;
    }
    return pipe && pclose(pipe) == 0;
}

static void drop_refused(struct kernel *kernel)
{
    u32 kept = 0;
    for (u32 n = 0; n < kernel->count; n++)
        if (!kernel->form[n]->refused) {
            kernel->form[kept] = kernel->form[n];
            kernel->one[kept++] = kernel->one[n];
        }
    kernel->count = kept;
}

static void take(const struct kernel *kernel, const u64 *word, const bool *known)
{
    for (u32 n = 0; n < kernel->count; n++) {
        struct value_case *const one = kernel->one[n];
        if (known[n]) {
            one->differs |= one->known && one->result != word[n];
            one->result = one->known ? one->result : word[n];
            one->known = true;
            kernel->form[n]->folds = true;
        }
    }
}

/* Assembles until nothing is reported. If ptxas fails without a message (killed by a signal), runs it again. */
static bool run(struct kernel *kernel)
{
    u64 word[KERNEL] = {0};
    bool known[KERNEL] = {0};
    char path[300];
    u32 refused = 1, failures = 0;
    while (kernel->count) {
        if (!write_kernel(kernel))
            return false;
        if (assemble(kernel, &refused))
            break;
        if (!refused && ++failures == MOST_FAILURES) {
            fprintf(stderr, "%s fails on %s/k.ptx and names no line\n", kernel->ptxas, kernel->folder);
            return false;
        }
        drop_refused(kernel);
    }
    path_of(kernel, "k.cubin", path, sizeof path);
    if (kernel->count && !values_read_cubin(path, word, known, kernel->count, strcmp(kernel->architecture, "75") == 0))
        return false;
    take(kernel, word, known);
    kernel->count = 0;
    return true;
}

/* Cases first to last of each form; after the first round, only of forms that were folded there. */
static bool fold_part(struct kernel *kernel, u32 first, u32 last)
{
    struct values *const values = kernel->values;
    bool good = true;
    for (size_t f = 0; good && f < values->form_count; f++) {
        struct form *const form = &values->forms[f];
        for (u32 n = first; good && n < last && n < form->count && !form->refused && (first == 0 || form->folds); n++) {
            kernel->form[kernel->count] = form;
            kernel->one[kernel->count++] = &values->cases[form->first + n];
            if (kernel->count == KERNEL)
                good = run(kernel);
        }
    }
    return good && run(kernel);
}

bool values_fold(struct values *values, const char *ptxas, const char *architecture)
{
    char folder[] = "/tmp/ptx-values-XXXXXX", path[300];
    struct kernel *const kernel = calloc(1, sizeof *kernel);
    if (!kernel || !mkdtemp(folder))
        return false;
    *kernel = (struct kernel){.values = values, .ptxas = ptxas, .architecture = architecture, .folder = folder};
    for (size_t f = 0; f < values->form_count; f++)
        values->forms[f].refused = false;
    const bool good = fold_part(kernel, 0, FIRST_CASES) && fold_part(kernel, FIRST_CASES, UINT32_MAX);
    for (u32 n = 0; good && n < 2; n++) {
        path_of(kernel, n ? "k.ptx" : "k.cubin", path, sizeof path);
        unlink(path);
    }
    rmdir(folder);
    free(kernel);
    return good;
}
