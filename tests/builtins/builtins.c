/* Built-in functions of OpenCL C against plain C:
 *   builtins write FOLDER   writes programs GROUP.cl, GROUP.yaml of their launches, and in.bin, their operands
 *   builtins check FOLDER   compares what they left in GROUP.out; prints what differs; the exit status is 1 if anything does */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/rows.h"

enum { WORK_ITEMS = 32, SCRATCH_BYTES = 128, MOST_SHOWN = 3, MOST_GROUP = 2000, WIDEST = 16 };

/* One row for one type at one width. */
struct instance {
    const struct row *row;
    enum type_id of;
    int width;
    size_t at, second; /* bytes before its results in the group's output */
};

/* The programs, and the place of one of their results. */
struct plan {
    FILE *program, *launches;
    const char *folder, *chosen;
    size_t group, weight, bytes, kernels;
    uint8_t *out;
    size_t out_bytes;
    size_t compared, instances, wrong;
};

static void die(const char *what)
{
    fprintf(stderr, "builtins: %s: %s\n", what, strerror(errno));
    exit(2);
}

static FILE *open_file(const struct plan *plan, const char *end, const char *mode)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%02zu%s", plan->folder, plan->group, end);
    FILE *const file = fopen(path, mode);
    if (!file)
        die(path);
    return file;
}

/* ---- Signatures ---- */

static enum type_id of_size(int bits, bool is_signed)
{
    enum type_id id = T_char;
    while (types[id].bits != bits || types[id].is_signed != is_signed)
        id++;
    return id;
}

static enum type_id type_of(const struct instance *i, char letter)
{
    const int bits = types[i->of].bits;
    switch (letter) {
    case 'i':
    case 'I':
        return T_count;
    case 'u':
        return of_size(bits, false);
    case 'm':
        return of_size(bits, true);
    case 'w':
        return of_size(2 * bits, types[i->of].is_signed);
    case 'r':
        return i->width == 1 ? T_int : of_size(bits, true);
    case 'b':
    case 'Q':
        return T_int;
    case 'h':
    case 'H':
        return T_half;
    case 't':
        return i->row->to;
    default:
        return i->of;
    }
}

static bool is_one_a_vector(char result)
{
    return result == 'S' || result == 'b';
}

static const char *operands(const struct row *row)
{
    return row->signature + 2;
}

static const char *suffix(int width)
{
    static const char *const all[] = {[1] = "", [2] = "2", [3] = "3", [4] = "4", [8] = "8", [16] = "16"};
    return all[width];
}

static size_t vectors_of(int width)
{
    return TUPLES / (size_t)width;
}

/* Reserves the output of an instance. */
static void place(struct plan *plan, struct instance *i)
{
    plan->bytes = (plan->bytes + 127) / 128 * 128;
    i->at = plan->bytes;
    plan->bytes += TUPLES * (size_t)types[type_of(i, i->row->signature[0])].bits / 8;
    i->second = (plan->bytes + 127) / 128 * 128;
    const char *const pointer = strpbrk(operands(i->row), "PQ");
    if (pointer)
        plan->bytes = i->second + TUPLES * (size_t)types[type_of(i, *pointer)].bits / 8;
}

static size_t pool_at(enum type_id id, size_t operand)
{
    return (id * OPERANDS + operand) * TUPLES * sizeof(uint64_t);
}

/* ---- Programs ---- */

/* Writes the call with %w, %t, %u, %m and %s replaced. */
static void write_call(FILE *file, const struct instance *i)
{
    for (const char *c = i->row->call; *c; c++)
        if (*c != '%')
            fputc(*c, file);
        else if (*++c == 'w')
            fputs(suffix(i->width), file);
        else
            fputs(types[type_of(i, *c)].name, file);
}

/* Memory of each work-item for pointers, in a space that differs with the width. */
static const char *space_of(int width)
{
    return width == 2 || width == 16 ? "local" : width == 4 ? "global" : "private";
}

static void write_scratch(FILE *file, const struct instance *i, char letter)
{
    const char *const space = space_of(i->width);
    const enum type_id id = type_of(i, letter);
    const bool whole = letter == 'P' || letter == 'Q';
    const char *const name = types[id].name, *const end = whole ? suffix(i->width) : "";
    if (strcmp(space, "global") == 0)
        fprintf(file, "        global %s%s *const p = (global %s%s *)(scratch + %d * get_global_id(0));\n", name, end, name, end,
                SCRATCH_BYTES);
    else if (strcmp(space, "local") == 0)
        fprintf(file, "        local %s%s *const p = (local %s%s *)(shared + %d * get_local_id(0));\n", name, end, name, end,
                SCRATCH_BYTES);
    else
        fprintf(file, "        private ulong mine[16];\n        private %s%s *const p = (private %s%s *)mine;\n", name, end, name,
                end);
}

static void write_operand(FILE *file, const struct instance *i, size_t k, char letter)
{
    const enum type_id id = type_of(i, letter);
    const char *const name = types[id].name;
    const size_t at = pool_at(id, k);
    if (letter == 's' || letter == 'I')
        fprintf(file, "        const %s %c = ((global const %s *)(in + %zu))[%d * i];\n", name, "xyz"[k], name, at, i -> width);
    else if (letter == 'h' || letter == 'L')
        fprintf(
            file,
            "        for (int n = 0; n < %d; n++)\n            ((%s %s *)p)[n] = ((global const %s *)(in + %zu))[%d * i + n];\n",
            i->width, space_of(i->width), letter == 'h' ? "ushort" : name, letter == 'h' ? "ushort" : name, at, i->width);
    else if (i->width == 1)
        fprintf(file, "        const %s %c = ((global const %s *)(in + %zu))[i];\n", name, "xyz"[k], name, at);
    else
        fprintf(file, "        const %s%d %c = vload%d(i, (global const %s *)(in + %zu));\n", name, i->width, "xyz"[k], i -> width,
                name, at);
}

static void write_store(FILE *file, const char *name, int width, const char *what, size_t at)
{
    if (width == 1)
        fprintf(file, "        ((global %s *)(out + %zu))[i] = %s;\n", name, at, what);
    else
        fprintf(file, "        vstore%d(%s, i, (global %s *)(out + %zu));\n", width, what, name, at);
}

static void write_instance(FILE *file, const struct instance *i)
{
    const char result = i->row->signature[0];
    const char *const pointer = strpbrk(operands(i->row), "PQhL");
    fprintf(file, "    if (i < %zu) {\n", vectors_of(i->width));
    if (pointer || result == 'H' || result == 'V')
        write_scratch(file, i, pointer ? *pointer : result);
    size_t k = 0;
    for (const char *c = operands(i->row); *c; c++)
        if (*c != 'P' && *c != 'Q')
            write_operand(file, i, k++, *c);
    const enum type_id id = type_of(i, result);
    if (result == 'H' || result == 'V') {
        const char *const name = result == 'H' ? "ushort" : types[id].name;
        fputs("        ", file);
        write_call(file, i);
        fprintf(file,
                ";\n        for (int n = 0; n < %d; n++)\n            ((global %s *)(out + %zu))[%d * i + n] = ((%s %s *)p)[n];\n  "
                "  }\n",
                i->width, name, i->at, i->width, space_of(i->width), name);
        return;
    }
    const int width = is_one_a_vector(result) ? 1 : i->width;
    fprintf(file, "        const %s%s r = ", types[id].name, suffix(width));
    write_call(file, i);
    fputs(";\n", file);
    write_store(file, types[id].name, width, "r", i->at);
    if (pointer && (*pointer == 'P' || *pointer == 'Q'))
        write_store(file, types[type_of(i, *pointer)].name, i->width, "*p", i->second);
    fputs("    }\n", file);
}

/* ---- Comparison ---- */

static void show_call(const struct instance *i, const struct call *c, size_t element)
{
    printf("%s%s: ", types[i->of].name, suffix(i->width));
    write_call(stdout, i);
    printf(", element %zu:", element);
    for (size_t k = 0; k < OPERANDS; k++)
        if (c->all[k])
            printf(" %c = %.20Lg (%La)", "xyz"[k], c -> v[k], c -> v[k]);
}

/* Operands of element `element` of all results. */
static struct call call_of(const struct instance *i, size_t element)
{
    struct call c = {.type = &types[i->of], .width = i->width, .lane = (int)(element % (size_t)i->width), .row = i->row};
    size_t k = 0;
    for (const char *letter = operands(i->row); *letter; letter++) {
        if (*letter == 'P' || *letter == 'Q')
            continue;
        const real *const all = pool[type_of(i, *letter)][k] + element - (size_t)c.lane;
        c.all[k] = all;
        c.v[k] = *letter == 's' || *letter == 'I' ? all[0] : all[c.lane];
        if (*letter == 'i' || *letter == 'I')
            c.n = (int)c.v[k];
        k++;
    }
    return c;
}

static real read_result(const struct plan *plan, size_t at, enum type_id id, size_t n)
{
    const size_t bytes = (size_t)types[id].bits / 8, from = at + n * bytes;
    if (from + bytes > plan->out_bytes) {
        fprintf(stderr, "builtins: group %zu has too few results\n", plan->group);
        exit(2);
    }
    return load(plan->out + from, &types[id]);
}

/* An integer compares in its own bits only. */
static bool agrees(const struct call *c, enum type_id id, real found, real expected, real bound)
{
    if (!types[id].is_real) {
        uint8_t bytes[8] = {0};
        store(bytes, &types[id], expected);
        return load(bytes, &types[id]) == found;
    }
    if (c->flushes && found == 0 && fabsl(expected) < ldexpl(1, types[id].least_exponent))
        return true;
    if (bound == 0 && !isnan(expected) && expected == found)
        return signbit(expected) == signbit(found) || (expected == 0 && c->any_zero);
    return ulps(found, bound == 0 ? round_to(expected, &types[id], TO_EVEN) : expected, c->scale, &types[id]) <= bound;
}

static void compare_instance(struct plan *plan, const struct instance *i)
{
    const char result = i->row->signature[0];
    const size_t step = is_one_a_vector(result) ? (size_t)i->width : 1;
    const char *const pointer = strpbrk(operands(i->row), "PQ");
    const enum type_id id = type_of(i, result);
    size_t wrong = 0;
    real worst = 0;
    for (size_t n = 0; n < TUPLES; n += step) {
        struct call c = call_of(i, n);
        const real bound = i->row->bounds[i->of == T_double], expected = i->row->reference(&c),
                   found = read_result(plan, i->at, id, n / step);
        plan->compared += !c.undefined;
        const real second = pointer ? read_result(plan, i->second, type_of(i, *pointer), n) : 0;
        const bool same = c.undefined || agrees(&c, id, found, expected, bound);
        const bool second_same =
            c.undefined || c.second_open || !pointer || agrees(&c, type_of(i, *pointer), second, c.second, bound);
        if (same && second_same)
            continue;
        worst = fmaxl(worst, types[id].is_real ? ulps(found, expected, c.scale, &types[id]) : 0);
        if (wrong++ >= MOST_SHOWN)
            continue;
        show_call(i, &c, n);
        printf(": expected %.20Lg (%La), found %.20Lg (%La)", expected, expected, found, found);
        if (pointer)
            printf("; in *p %.20Lg, found %.20Lg", c.second, second);
        printf("\n");
    }
    if (wrong)
        printf("%s%s %s: %zu results are wrong, by up to %.1Lf ULP\n", types[i->of].name, suffix(i->width), i->row->id, wrong,
               worst);
    plan->wrong += wrong;
    plan->instances++;
}

/* ---- Groups: units of compilation ---- */

static void begin_group(struct plan *plan, bool writes)
{
    plan->bytes = plan->weight = plan->kernels = 0;
    if (writes) {
        plan->program = open_file(plan, ".cl", "w");
        plan->launches = open_file(plan, ".yaml", "w");
        return;
    }
    FILE *const file = open_file(plan, ".out", "rb");
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    plan->out_bytes = size < 0 ? 0 : (size_t)size;
    plan->out = malloc(plan->out_bytes + 1);
    if (!plan->out || fread(plan->out, 1, plan->out_bytes, file) != plan->out_bytes)
        die("results");
    fclose(file);
}

static void end_group(struct plan *plan, bool writes)
{
    if (writes) {
        fprintf(plan->launches,
                "buffers:\n  in: {type: u8, fill: {file: in.bin}}\n  out: {type: u8, count: %zu}\n  scratch: {type: u8, count: "
                "%d}\nlaunches:\n",
                plan->bytes, SCRATCH_BYTES * TUPLES);
        for (size_t n = 0; n < plan->kernels; n++)
            fprintf(plan->launches,
                    "  - {kernel: k%zu, global: [%d], local: [%d], arguments: [{buffer: in}, {buffer: out}, {buffer: scratch}]}\n",
                    n, TUPLES, WORK_ITEMS);
        if (fclose(plan->program) != 0 || fclose(plan->launches) != 0)
            die("programs");
    }
    free(plan->out);
    plan->out = NULL;
    plan->group++;
}

/* Whether a row is tested at its n-th width: exact functions at all; others, whose vectors consist of scalars, at the scalar and
 * one more width that varies over rows and types. */
static bool is_tried(size_t number, const struct row *row, enum type_id of, size_t at)
{
    size_t count = 0;
    while (row->widths[count])
        count++;
    const bool cheap = row->bounds[0] == 0 && row->signature[0] != 't';
    return cheap || at == 0 || at == 1 + (number + of) % (count - 1);
}

/* One kernel for a row and a type, with its widths. */
static void add_kernel(struct plan *plan, size_t number, const struct row *row, enum type_id of, bool writes)
{
    if (plan->weight > MOST_GROUP) {
        end_group(plan, writes);
        begin_group(plan, writes);
    }
    if (writes)
        fprintf(plan->program,
                "kernel void k%zu(global const uchar *in, global uchar *out, global uchar *scratch)\n{\n    const size_t i = "
                "get_global_id(0);\n    local ulong words[%d];\n    local uchar *const shared = (local uchar *)words;\n",
                plan->kernels, WORK_ITEMS * SCRATCH_BYTES / 8);
    plan->kernels++;
    for (const int *width = row->widths; *width; width++) {
        if (!is_tried(number, row, of, (size_t)(width - row->widths)))
            continue;
        struct instance i = {row, of, *width, 0, 0};
        place(plan, &i);
        plan->weight += (size_t)*width * (of == T_double ? 4 : row->bounds[0] > 0 ? 3 : 1);
        if (writes)
            write_instance(plan->program, &i);
        else
            compare_instance(plan, &i);
    }
    if (writes)
        fputs("}\n", plan->program);
}

static void write_pools(const struct plan *plan)
{
    char path[512];
    static uint8_t bytes[TYPES * OPERANDS * TUPLES * sizeof(uint64_t)];
    for (enum type_id id = 0; id < TYPES; id++)
        for (size_t k = 0; k < OPERANDS; k++)
            for (size_t n = 0; n < TUPLES; n++)
                store(bytes + pool_at(id, k) + n * (size_t)types[id].bits / 8, &types[id], pool[id][k][n]);
    snprintf(path, sizeof path, "%s/in.bin", plan->folder);
    FILE *const file = fopen(path, "wb");
    if (!file || fwrite(bytes, sizeof bytes, 1, file) != 1 || fclose(file) != 0)
        die(path);
}

int main(int count, char **words)
{
    if (count < 3 || (strcmp(words[1], "write") != 0 && strcmp(words[1], "check") != 0)) {
        fprintf(stderr, "usage: builtins write|check FOLDER [NAME]\n");
        return 2;
    }
    const bool writes = strcmp(words[1], "write") == 0;
    struct plan plan = {.folder = words[2], .chosen = count > 3 ? words[3] : NULL};
    const struct row *rows;
    const size_t total = list_rows(&rows);
    fill_pools();
    if (writes)
        write_pools(&plan);
    begin_group(&plan, writes);
    for (size_t n = 0; n < total; n++)
        for (enum type_id of = 0; of <= T_double; of++)
            if (rows[n].of >> of & 1 && (!plan.chosen || strstr(rows[n].id, plan.chosen)))
                add_kernel(&plan, n, &rows[n], of, writes);
    end_group(&plan, writes);
    if (!writes)
        printf("%zu functions of a type and width, %zu results: %zu wrong\n", plan.instances, plan.compared, plan.wrong);
    return plan.wrong > 0;
}
