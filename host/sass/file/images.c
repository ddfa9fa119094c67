#include "sass/file/images.h"

#include <elf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "sass/file/elf.h"
#include "sass/exec/machine.h"

#define MOST_FILE (UINT64_C(4) << 30)
static const u8 fatbin_magic[] = {0x50, 0xED, 0x55, 0xBA};

bool ws_sass_holds_fatbins(const char *name)
{
    return strcmp(name, ".nv_fatbin") == 0 || strcmp(name, "__nv_relfatbin") == 0;
}

static enum ws_status read_section(struct ws_sass_binary *file, Elf *elf, Elf_Scn *section, struct ws_error *error)
{
    GElf_Shdr header;
    size_t names;
    const char *name = NULL;
    if (gelf_getshdr(section, &header) && elf_getshdrstrndx(elf, &names) == 0)
        name = elf_strptr(elf, names, header.sh_name);
    if (!name || !ws_sass_holds_fatbins(name) || header.sh_type == SHT_NOBITS)
        return WS_STATUS_ok;
    if (header.sh_offset > file->length || header.sh_size > file->length - header.sh_offset)
        return ws_fail(error, WS_STATUS_bad_input, "%s: section %s lies beyond the end of the file; copy the file again",
                       file->name, name);
    return ws_sass_fatbin_read(file, header.sh_offset, header.sh_size, error);
}

static enum ws_status read_host(struct ws_sass_binary *file, struct ws_error *error)
{
    Elf *const elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_memory(file->data, file->length);
    enum ws_status status = WS_STATUS_ok;
    if (!elf)
        return ws_fail(error, WS_STATUS_bad_input, "%s: the ELF header is damaged: %s", file->name, elf_errmsg(-1));
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section && status == WS_STATUS_ok; section = elf_nextscn(elf, section))
        status = read_section(file, elf, section, error);
    elf_end(elf);
    if (status == WS_STATUS_ok && file->count == 0)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: found no GPU code (section .nv_fatbin or __nv_relfatbin); compile it with nvcc, or give a cubin",
                       file->name);
    return status;
}

static bool begins(const char *data, size_t length, const void *magic, size_t magic_length)
{
    return length >= magic_length && memcmp(data, magic, magic_length) == 0;
}

static enum ws_status read_images(struct ws_sass_binary *file, struct ws_error *error)
{
    const u32 architecture = ws_sass_elf_architecture((const u8 *)file->data, file->length);
    if (architecture != 0) {
        const struct ws_sass_image image = {.kind = WS_SASS_CUBIN,
                                            .architecture = architecture,
                                            .compression = "none",
                                            .stored = file->length,
                                            .bytes = file->length};
        return ws_sass_entry_add(file, (struct ws_sass_entry){.image = image, .stored = (const u8 *)file->data}, error);
    }
    if (begins(file->data, file->length, fatbin_magic, sizeof fatbin_magic))
        return ws_sass_fatbin_read(file, 0, file->length, error);
    if (begins(file->data, file->length, ELFMAG, SELFMAG))
        return read_host(file, error);
    return ws_fail(error, WS_STATUS_bad_input,
                   "%s: found another type of file, allowed are a cubin, a fat binary and a host ELF file%s", file->name,
                   begins(file->data, file->length, "!<arch>", 7) ? "; extract the objects of the archive (ar x)" : "");
}

enum ws_status ws_sass_binary_take(const char *name, char *bytes, size_t length, struct ws_sass_binary **file,
                                   struct ws_error *error)
{
    *file = calloc(1, sizeof **file);
    char *const copy = *file ? ws_arena_text(&(*file)->arena, name, strlen(name)) : NULL;
    if (!copy) {
        free(bytes);
        free(*file);
        *file = NULL;
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", name);
    }
    (*file)->name = copy;
    (*file)->data = bytes;
    (*file)->length = length;
    const enum ws_status status = read_images(*file, error);
    if (status == WS_STATUS_ok)
        return status;
    ws_sass_binary_close(*file);
    *file = NULL;
    return status;
}

enum ws_status ws_sass_binary_open(const char *path, struct ws_sass_binary **file, struct ws_error *error)
{
    char *bytes;
    size_t length;
    *file = NULL;
    WS_TRY(ws_file_read(path, MOST_FILE, &bytes, &length, error));
    return ws_sass_binary_take(path, bytes, length, file, error);
}

void ws_sass_binary_close(struct ws_sass_binary *file)
{
    if (!file)
        return;
    free(file->data);
    ws_arena_free(&file->arena);
    free(file);
}

bool ws_sass_binary_is(const char *path)
{
    char head[8];
    FILE *const file = fopen(path, "rb");
    const size_t length = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    return begins(head, length, fatbin_magic, sizeof fatbin_magic) || begins(head, length, ELFMAG, SELFMAG);
}

const struct ws_sass_image *ws_sass_binary_image(const struct ws_sass_binary *file, u32 n)
{
    return n < file->count ? &file->entries[n].image : NULL;
}

enum ws_status ws_sass_binary_load(const struct ws_sass_binary *file, u32 n, const struct ws_frontend_options *options,
                                   struct ws_program **program, struct ws_error *error)
{
    const struct ws_sass_entry *const entry = &file->entries[n];
    char *bytes;
    *program = NULL;
    if (entry->image.kind == WS_SASS_OTHER)
        return ws_fail(error, WS_STATUS_bad_input, "%s: image %u has kind %u, allowed are PTX (1) and cubins (2)", file->name, n,
                       entry->kind);
    WS_TRY(ws_sass_entry_unpack(file, entry, &bytes, error));
    const enum ws_status status =
        entry->image.kind == WS_SASS_PTX
            ? ws_program_load(file->name, bytes, strnlen(bytes, entry->image.bytes), options, program, error)
            : ws_sass_program(file->name, (const u8 *)bytes, entry->image.bytes, program, error);
    free(bytes);
    return status;
}

enum ws_status ws_sass_binary_bytes(const struct ws_sass_binary *file, u32 n, char **bytes, size_t *length, struct ws_error *error)
{
    const struct ws_sass_entry *const entry = &file->entries[n];
    WS_TRY(ws_sass_entry_unpack(file, entry, bytes, error));
    *length = entry->image.kind == WS_SASS_PTX ? strnlen(*bytes, entry->image.bytes) : entry->image.bytes;
    return WS_STATUS_ok;
}

/* ---- The image of a launch file ---- */

/* The choice of an image: by kind and architecture ("sm_86", "compute_86") and by kernels. */
struct choice {
    enum ws_sass_kind kind;
    u32 architecture; /* 0: the only one in the file */
    const char *const *kernels;
    const struct ws_frontend_options *options;
    bool listed; /* accept kernels that are not launchable */
};

/* Whether the program has all kernels; *missing is a kernel that it lacks, or NULL. A kernel that is present but not launchable is
 * an error. */
static enum ws_status has_all(const struct ws_program *program, const struct choice *choice, const char **missing,
                              struct ws_error *error)
{
    const struct ws_kernel *kernel;
    *missing = NULL;
    for (const char *const *name = choice->kernels; *name; name++) {
        const enum ws_status status = ws_program_find(program, *name, &kernel, error);
        if (status != WS_STATUS_ok && kernel && !choice->listed)
            return status;
        if (!kernel)
            *missing = *name;
    }
    return WS_STATUS_ok;
}

static const char *prefix_of(enum ws_sass_kind kind)
{
    return kind == WS_SASS_PTX ? "compute_" : "sm_";
}

/* Whether image n is the first one of this kind and its architecture. */
static bool is_first(const struct ws_sass_binary *file, enum ws_sass_kind kind, u32 n)
{
    for (u32 before = 0; before < n; before++)
        if (file->entries[before].image.kind == kind &&
            file->entries[before].image.architecture == file->entries[n].image.architecture)
            return false;
    return file->entries[n].image.kind == kind;
}

/* Sets the architecture if the file has exactly one. */
static enum ws_status only_architecture(const struct ws_sass_binary *file, struct choice *choice, struct ws_error *error)
{
    struct ws_text list = {0}, other = {0};
    u32 several = 0;
    enum ws_status status = WS_STATUS_ok;
    for (u32 n = 0; n < file->count; n++)
        if (is_first(file, choice->kind, n)) {
            choice->architecture = file->entries[n].image.architecture;
            ws_text_add(&list, "%ssm_%u", several++ ? ", " : "", choice->architecture);
        } else if (is_first(file, WS_SASS_PTX, n))
            ws_text_add(&other, "; --arch compute_%u executes its PTX", file->entries[n].image.architecture);
    if (several != 1)
        status =
            ws_fail(error, WS_STATUS_bad_input, "%s: found machine code of %s; %s%s", file->name, list.data ? list.data : "none",
                    several ? "choose one with --arch" : "--list shows all images", other.data ? other.data : "");
    ws_text_free(&list);
    ws_text_free(&other);
    return status;
}

/* Loads image n if it has all kernels. If not, *program is NULL, and names lists its kernels. */
static enum ws_status try_image(const struct ws_sass_binary *file, u32 n, const struct choice *choice, struct ws_names *names,
                                struct ws_program **program, struct ws_error *error)
{
    WS_TRY(ws_sass_binary_load(file, n, choice->options, program, error));
    const enum ws_status status = has_all(*program, choice, &names->nearest.word, error);
    if (status == WS_STATUS_ok && !names->nearest.word)
        return status;
    for (const char *const *name = ws_program_kernels(*program); names->nearest.word && *name; name++)
        ws_names_offer(names, *name);
    ws_program_free(*program);
    *program = NULL;
    return status;
}

static enum ws_status choose(const struct ws_sass_binary *file, struct choice choice, struct ws_program **program,
                             struct ws_error *error)
{
    const enum ws_sass_kind kind = choice.kind;
    struct ws_names names = {0};
    enum ws_status status = WS_STATUS_ok;
    u32 tried = 0;
    *program = NULL;
    if (choice.architecture == 0)
        WS_TRY(only_architecture(file, &choice, error));
    for (u32 n = 0; n < file->count && status == WS_STATUS_ok && !*program; n++)
        if (file->entries[n].image.kind == kind && file->entries[n].image.architecture == choice.architecture) {
            tried++;
            status = try_image(file, n, &choice, &names, program, error);
        }
    if (status == WS_STATUS_ok && !*program)
        status = tried > 0 ? ws_fail(error, WS_STATUS_bad_input, "%s: no kernel '%s' of %s%u; there are %s", file->name,
                                     names.nearest.word, prefix_of(kind), choice.architecture, ws_names_text(&names))
                           : ws_fail(error, WS_STATUS_bad_input, "%s: no code of %s%u (--list shows all images)", file->name,
                                     prefix_of(kind), choice.architecture);
    ws_names_free(&names);
    return status;
}

enum ws_status ws_sass_binary_choose(const struct ws_sass_binary *file, enum ws_sass_kind kind, u32 architecture,
                                     const char *const *kernels, const struct ws_frontend_options *options,
                                     struct ws_program **program, struct ws_error *error)
{
    return choose(file, (struct choice){kind, architecture, kernels, options, false}, program, error);
}

enum ws_status ws_sass_binary_code(const struct ws_sass_binary *file, u32 architecture, const char *kernel,
                                   struct ws_program **program, const struct ws_machine_code **code, struct ws_error *error)
{
    const char *const kernels[] = {kernel, NULL};
    WS_TRY(choose(file, (struct choice){WS_SASS_CUBIN, architecture, kernels, NULL, true}, program, error));
    return ws_sass_code(*program, kernel, code, error);
}
