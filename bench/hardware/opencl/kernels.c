#include "kernels.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, KB = 1024 };

struct table {
    struct kernel_row *rows;
    size_t count;
    bool failed;
};

/* The frame of all kernels. now() reads the clock of the SM; without CLOCK it is 0 and PTX is replaced by OpenCL C. R4(s) is s four
 * times, and so on. clocks has the first and the last time of each thread. `one` is 1 and `zero` 0, which the compiler does not
 * know. */
static const char frame[] =
    "#ifdef CLOCK\n"
    "static inline ulong now(void) { ulong t; asm volatile(\"mov.u64 %%0, %%%%clock64;\" : \"=l\"(t) : : \"memory\"); return t; }\n"
    "#define PTX(ptx, c) ptx\n"
    "#define PRAGMA _Pragma(\"unroll 1\")\n"
    "#else\n"
    "static inline ulong now(void) { return 0; }\n"
    "#define PTX(ptx, c) c\n"
    "#define PRAGMA\n"
    "#endif\n"
    "#define R2(s) s s\n"
    "#define R4(s) R2(s) R2(s)\n"
    "#define R8(s) R4(s) R4(s)\n"
    "#define R16(s) R8(s) R8(s)\n"
    "#define R32(s) R16(s) R16(s)\n"
    "#define R64(s) R32(s) R32(s)\n"
    "#define R128(s) R64(s) R64(s)\n"
    "#define R256(s) R128(s) R128(s)\n"
    "#define R1024(s) R4(R256(s))\n"
    "#define R4096(s) R4(R1024(s))\n"
    "__kernel void kernel_under_test(__global ulong *clocks, __global uint *sink, __global uint *data, uint turns, uint one, uint "
    "zero)\n"
    "{\n"
    "    const uint t = get_local_id(0);\n"
    "    %s\n" /* declarations */
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    const ulong start = now();\n"
    "    PRAGMA for (uint turn = 0; turn < turns; turn++) {\n"
    "        %s\n" /* what is timed */
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    const ulong stop = now();\n"
    "    clocks[2 * t] = start;\n"
    "    clocks[2 * t + 1] = stop;\n"
    "    sink[t] = (uint)(%s);\n" /* what depends on it */
    "}\n";

__attribute__((format(printf, 1, 2))) static char *text(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *const made = length < 0 ? NULL : malloc((size_t)length + 1);
    if (made)
        vsnprintf(made, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return made;
}

/* Adds a kernel. The texts are freed. */
static void add(struct table *table, struct kernel_row row, char *declarations, char *timed, const char *result)
{
    if (table->count < MOST && declarations && timed)
        row.source = text(frame, declarations, timed, result);
    table->failed = table->failed || !row.source;
    if (row.source)
        table->rows[table->count++] = row;
    free(declarations);
    free(timed);
}

#define ROW(the_threads, the_operations, the_bytes, ...)                                                                           \
    named((struct kernel_row){.threads = (the_threads), .operations = (the_operations), .bytes = (the_bytes)}, __VA_ARGS__)

__attribute__((format(printf, 2, 3))) static struct kernel_row named(struct kernel_row row, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row.name, sizeof row.name, format, arguments);
    va_end(arguments);
    return row;
}

/* ---- Issue and latency: each operation as one chain, as four chains of a warp, and by 1024 threads ---- */

struct operation {
    const char *name, *type, *letter, *ptx, *c;
};

static const struct operation operations[] = {
#define OPERATION(name, type, letter, ptx, c) {#name, #type, letter, ptx, c},
#include "operations.def"
#undef OPERATION
};

static void add_operation(struct table *table, const struct operation *o)
{
    static const char declared[] = "%s x = (%s)(t + one), a = (%s)one, b = (%s)(zero + 3), y = x, z = a, w = b;";
    static const char asked[] = "R64(PTX(asm volatile(\"%s\" : \"+%s\"(x) : \"%s\"(a), \"%s\"(b)), %s);)";
    static const char four[] = "#define S(v) PTX(asm volatile(\"%s\" : \"+%s\"(v) : \"%s\"(a), \"%s\"(b)), v = v + a);\n"
                               "        R64(S(x) S(y) S(z) S(w))";
    static const struct {
        const char *what;
        unsigned threads;
    } sizes[] = {{"chain", 32}, {"warps8", 256}, {"warps32", 1024}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        add(table, ROW(sizes[n].threads, 64, 4 * KB, "%s_%s", o->name, sizes[n].what),
            text(declared, o->type, o->type, o->type, o->type), text(asked, o->ptx, o->letter, o->letter, o->letter, o->c),
            "x + y + z + w");
    add(table, ROW(32, 256, 4 * KB, "%s_chains4", o->name), text(declared, o->type, o->type, o->type, o->type),
        text(four, o->ptx, o->letter, o->letter, o->letter), "x + y + z + w");
}

/* ---- Loads of 4, 8 and 16 bytes from a place `from` ---- */

static const char loaded[] = "uint v = 0, v1, v2, v3, x = 0;";

/* A load of so many words by PTX: %s is the space with its cache operator, then the address. */
static const char *const loads[] = {
    [1] = "PTX(asm volatile(\"ld.%s.u32 %%0, [%%1];\" : \"=r\"(v) : %s : \"memory\"), v = *from); x += v;",
    [2] = "PTX(asm volatile(\"ld.%s.v2.u32 {%%0, %%1}, [%%2];\" : \"=r\"(v), \"=r\"(v1) : %s : \"memory\"), v = *from); x += v;",
    [4] = "PTX(asm volatile(\"ld.%s.v4.u32 {%%0, %%1, %%2, %%3}, [%%4];\" : \"=r\"(v), \"=r\"(v1), \"=r\"(v2), \"=r\"(v3) : %s : "
          "\"memory\"), v = *from); x += v;",
};

/* The load, repeated (32 or 64 times). */
static char *repeated(unsigned times, unsigned words, const char *space, const char *address)
{
    char *const load = text(loads[words], space, address), *const all = load ? text("R%u(%s)", times, load) : NULL;
    free(load);
    return all;
}

/* Banks of shared memory: lanes together on one element, or apart in one bank. */
static void add_banks(struct table *table)
{
    for (unsigned words = 1; words <= 4; words *= 2)
        for (unsigned apart = 0; apart < 2; apart++)
            for (unsigned n = apart; n <= 5; n++) {
                char *const place = apart ? text("t %% %u * 32 + t / %u", 1u << n, 1u << n) : text("t / %u", 1u << n);
                add(table, ROW(32, 64, 4 * KB, "shared_%u_%s%u", 4 * words, apart ? "conflict" : "together", 1u << n),
                    text("%s __local uint array[%u]; for (uint i = t; i < %u; i += 32) array[i] = i; const __local uint *from = "
                         "array + (%s) * "
                         "%u * one;",
                         loaded, 1088 * words, 1088 * words, place ? place : "", words),
                    repeated(64, words, "shared", "\"r\"((uint)(size_t)from)"), "x");
                free(place);
            }
}

/* Coalescing: elements so many elements apart, in the data cache. */
static void add_strides(struct table *table)
{
    for (unsigned words = 1; words <= 4; words *= 2)
        for (unsigned stride = 0; stride <= 32; stride = stride ? 2 * stride : 1)
            for (unsigned threads = 32; threads <= 1024; threads *= 32)
                add(table, ROW(threads, 32, 64 * KB, "load_%u_stride%u_%u", 4 * words, stride, threads),
                    text("%s const __global uint *from = data + t * %u * one %% %u * %u; x = *from;", loaded, stride,
                         16 * KB / words, words),
                    repeated(32, words, "global.ca", "\"l\"(from)"), "x");
}

/* ---- Caches: a thread follows pointers through so many bytes ---- */

static void add_chases(struct table *table)
{
    static const char *const caches[] = {"ca", "cg"};
    for (unsigned cache = 0; cache < 2; cache++)
        for (unsigned bytes = 4 * KB; bytes <= 64 * KB * KB; bytes *= 4) {
            const unsigned stride = bytes <= 256 * KB ? 32 : 4096, words = bytes / stride;
            add(table, ROW(1, 256, bytes, "chase_%s_%uk", caches[cache], bytes / KB),
                text("for (uint i = 0; i < %u; i++) data[i * %u] = (i + 1) %% %u * %u; uint x = zero; for (uint i = 0; i < %u; "
                     "i++) x = "
                     "((__global volatile uint *)data)[x];",
                     words, stride / 4, words, stride / 4, words < 4096 ? words : 4096),
                text("R256({ const __global uint *p = data + x; PTX(asm volatile(\"ld.global.%s.u32 %%0, [%%1];\" : \"=r\"(x) : "
                     "\"l\"(p) : "
                     "\"memory\"), x = *p); })",
                     caches[cache]),
                "x");
        }
}

/* ---- Divergence: lanes go so many ways, or around a loop unequally often ---- */

static void add_divergence(struct table *table)
{
    for (unsigned ways = 1; ways <= 32; ways *= 2)
        add(table, ROW(32, 16, 4 * KB, "ways_%u", ways), text("uint x = t;"),
            text("R16(switch (t %% %u * one) { "
                 "case 0: x = x * 3 + one; break; case 1: x = x * 5 ^ one; break; case 2: x = x * 7 - one; break; case 3: x ^= x "
                 "<< 3; break; "
                 "case 4: x = x * 9 + one; break; case 5: x = x * 11 ^ one; break; case 6: x = x * 13 - one; break; case 7: x ^= x "
                 "<< 5; break; "
                 "default: for (uint i = 0; i < t %% %u; i++) x = x * 17 + i; })",
                 ways, ways),
            "x");
    for (unsigned most = 1; most <= 32; most *= 2)
        add(table, ROW(32, 4, 4 * KB, "loops_%u", most), text("uint x = t;"),
            text("R4(PRAGMA for (uint i = 0; i <= t %% %u; i++) x = x * 3 ^ one;)", most), "x");
}

/* ---- Barriers, atomics, code ---- */

static void add_barriers(struct table *table)
{
    for (unsigned threads = 32; threads <= 1024; threads *= 2)
        add(table, ROW(threads, 16, 4 * KB, "barrier_%u", threads), text("uint x = t;"),
            text("R16(x += one; barrier(CLK_LOCAL_MEM_FENCE);)"), "x");
}

static void add_atomics(struct table *table)
{
    for (unsigned global = 0; global < 2; global++)
        for (unsigned together = 1; together <= 32; together *= 2)
            add(table, ROW(32, 16, 4 * KB, "atomic_%s_%u", global ? "global" : "shared", together),
                text("%s uint *p = %s + t / %u; uint x = t;",
                     global ? "__global" : "__local uint array[32]; array[t] = zero; __local", global ? "data" : "array", together),
                text("R16(x += atomic_add(p, x);)"), "x");
}

static void add_code(struct table *table)
{
    static const unsigned lengths[] = {64, 256, 1024, 4096};
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
        for (unsigned threads = 32; threads <= 1024; threads *= 32)
            add(table, ROW(threads, lengths[n], 4 * KB, "code_%u_%u", lengths[n], threads), text("uint x = t;"),
                text("R%u(PTX(asm volatile(\"mad.lo.u32 %%0, %%0, %%1, %%1;\" : \"+r\"(x) : \"r\"(one)), x = x * one + one);)",
                     lengths[n]),
                "x");
}

struct kernel_row *kernels_make(size_t *count)
{
    struct table table = {.rows = calloc(MOST, sizeof *table.rows)};
    *count = 0;
    if (!table.rows)
        return NULL;
    add(&table, ROW(32, 0, 4 * KB, "empty"), text("uint x = t;"), text("x += one;"), "x");
    for (size_t n = 0; n < sizeof operations / sizeof *operations; n++)
        add_operation(&table, &operations[n]);
    add_banks(&table);
    add_chases(&table);
    add_strides(&table);
    add_divergence(&table);
    add_barriers(&table);
    add_atomics(&table);
    add_code(&table);
    *count = table.count;
    if (!table.failed)
        return table.rows;
    kernels_free(table.rows, table.count);
    return NULL;
}

void kernels_free(struct kernel_row *rows, size_t count)
{
    for (size_t n = 0; n < count; n++)
        free(rows[n].source);
    free(rows);
}
