#include "cli/trace/images.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/table.h"
#include "warpsweep/sass.h"

static const char *const kinds[] = {[WS_SASS_PTX] = "PTX", [WS_SASS_CUBIN] = "cubin", [WS_SASS_OTHER] = "other"};

struct listing {
    struct cli_table table;
    struct ws_text notes; /* for codes that the table lacks */
};

static void add_format(struct cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_format(struct cli_table *table, const char *format, ...)
{
    char cell[40];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell, sizeof cell, format, arguments);
    va_end(arguments);
    cli_table_text(table, cell);
}

/* Columns that are equal for all kernels of an image. */
static void add_image(struct cli_table *table, u32 n, const struct ws_sass_image *image)
{
    cli_table_number(table, n);
    cli_table_text(table, kinds[image->kind]);
    add_format(table, "sm_%" PRIu32, image->architecture);
    cli_table_text(table, image->compression);
}

static u32 parameter_bytes(const struct ws_program *program, const char *kernel, u32 count)
{
    u32 bytes = 0;
    struct ws_argument_info argument;
    for (u32 n = 0; n < count; n++)
        if (ws_program_argument(program, kernel, n, &argument, NULL) == WS_STATUS_ok)
            bytes += argument.bytes;
    return bytes;
}

static void add_kernels(struct listing *listing, u32 n, const struct ws_sass_image *image, const struct ws_program *program)
{
    struct cli_table *const table = &listing->table;
    for (const char *const *name = ws_program_kernels(program); *name; name++) {
        struct ws_kernel_info info;
        struct ws_error error;
        if (ws_program_kernel(program, *name, &info, &error) != WS_STATUS_ok) {
            ws_text_add(&listing->notes, "image %" PRIu32 ", kernel %s cannot be launched: %s\n", n, *name, error.message);
            continue;
        }
        add_image(table, n, image);
        cli_table_text(table, *name);
        cli_table_number(table, info.registers);
        cli_table_number(table, info.shared_bytes);
        cli_table_number(table, info.local_bytes);
        add_format(table, "%" PRIu32 " (%" PRIu32 " bytes)", info.parameters, parameter_bytes(program, *name, info.parameters));
        cli_table_number(table, info.instructions);
    }
}

static void add_one(struct listing *listing, const struct ws_sass_binary *file, u32 n, const struct ws_frontend_options *options)
{
    const struct ws_sass_image *const image = ws_sass_binary_image(file, n);
    struct ws_program *program;
    struct ws_error error;
    if (ws_sass_binary_load(file, n, options, &program, &error) == WS_STATUS_ok) {
        add_kernels(listing, n, image, program);
        if (!ws_program_kernels(program)[0])
            ws_text_add(&listing->notes, "image %" PRIu32 ", %s for sm_%" PRIu32 ", has no kernels\n", n, kinds[image->kind],
                        image->architecture);
        ws_program_free(program);
    } else
        ws_text_add(&listing->notes, "image %" PRIu32 ", %s for sm_%" PRIu32 ": %s\n", n, kinds[image->kind], image->architecture,
                    error.message);
}

int cli_images_list(const char *path, const struct ws_frontend_options *options)
{
    struct ws_sass_binary *file;
    struct ws_error error;
    struct listing listing = {.table = {.columns = {"image", "kind", "for", "compressed", "kernel", "registers", "shared", "local",
                                                    "parameters", "instructions"}}};
    struct ws_text out = {0};
    if (ws_sass_binary_open(path, &file, &error) != WS_STATUS_ok)
        return cli_fail(&error);
    for (u32 n = 0; ws_sass_binary_image(file, n); n++)
        add_one(&listing, file, n, options);
    if (listing.table.count > 0)
        cli_table_print_to_fit(&listing.table, &out);
    if (listing.notes.data)
        ws_text_bytes(&out, listing.notes.data, listing.notes.length);
    out.failed |= listing.notes.failed || listing.table.failed;
    cli_table_free(&listing.table);
    ws_text_free(&listing.notes);
    ws_sass_binary_close(file);
    return cli_print(&out);
}
