/* Results by the front end: a kernel whose thread n has case n's operands in memory. */
#include <stdlib.h>
#include <string.h>

#include "ptx_values/values.h"

enum { ROOM = 4000, BLOCK = 256, ROW = 8 * (VALUES_SOURCES + 1) };

static void write_kernel(const struct form *form, u32 count, char *text)
{
    char declarations[300];
    values_declare(form, declarations, sizeof declarations);
    int length = snprintf(text, ROOM,
                          ".version 9.0\n.target sm_100\n.address_size 64\n.visible .entry k(.param .u64 rows)\n{\n%s\n"
                          ".reg .b64 at; .reg .b32 thread, block; .reg .pred outside;\n"
                          "mov.u32 thread, %%tid.x; mov.u32 block, %%ctaid.x; mad.lo.u32 thread, block, %d, thread;\n"
                          "setp.ge.u32 outside, thread, %u; @outside bra end;\n"
                          "mul.wide.u32 at, thread, %d; ld.param.u64 W, [rows]; add.u64 at, at, W;\n",
                          declarations, BLOCK, count, ROW);
    for (u32 n = 0; n < form->sources; n++)
        length +=
            snprintf(text + length, ROOM - (size_t)length, "ld.global.b%u %c, [at+%u];\n", form->source[n].bits, "abce"[n], 8 * n);
    snprintf(text + length, ROOM - (size_t)length, "%s\nst.global.b%u [at+%d], d;\nend: ret;\n}\n", form->text, form->result.bits,
             ROW - 8);
}

static enum ws_status run(char *text, u32 count, u64 (*rows)[VALUES_SOURCES + 1], struct ws_error *error)
{
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    ws_frontend_defaults(&options);
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = count * sizeof *rows, .data = rows};
    struct ws_ndrange launch = {.kernel = "k",
                                .global = {(count + BLOCK - 1) / BLOCK * BLOCK, 1, 1},
                                .local = {BLOCK, 1, 1},
                                .argument_count = 1,
                                .arguments = &argument};
    enum ws_status status = ws_program_load("k.ptx", text, strlen(text), &options, &program, error);
    if (status == WS_STATUS_ok)
        status = ws_execute(program, &options, &launch, NULL, NULL, error);
    ws_program_free(program);
    return status;
}

bool values_execute(const struct values *values, const struct form *form, u64 *results, struct ws_error *error)
{
    char text[ROOM];
    u64(*const rows)[VALUES_SOURCES + 1] = calloc(form->count ? form->count : 1, sizeof *rows);
    if (!rows)
        abort();
    for (u32 n = 0; n < form->count; n++)
        memcpy(rows[n], values->cases[form->first + n].source, VALUES_SOURCES * sizeof(u64));
    write_kernel(form, form->count, text);
    const bool good = form->count == 0 || run(text, form->count, rows, error) == WS_STATUS_ok;
    for (u32 n = 0; good && n < form->count; n++)
        results[n] = rows[n][VALUES_SOURCES];
    free(rows);
    return good;
}
