#include "capture/cuda/core/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "capture/cuda/core/image.h"
#include "capture/cuda/core/link.h"
#include "warpsweep/sass.h"

enum { WRAPPER_MAGIC = 0x466243B1, MOST_IMAGES = 256 };
#define FATBIN_MAGIC 0xBA55ED50u
#define MOST_FILE    (UINT64_C(4) << 30)

/* What the fat binary's symbol in an executable is. */
struct wrapper {
    u32 magic, version;
    const void *data, *more; /* more, from version 2 on: NULL-terminated list of further fat binaries, linked later */
};

/* One of a module's images, as a program. */
struct gpu_code {
    struct ws_program *program;
    char *bytes; /* PTX, or a cubin */
    size_t length;
    bool is_ptx;
    struct gpu_range **variables; /* by number in the program; NULL: nameless */
    u32 variable_count;
};

struct gpu_module {
    char *name;
    char *bytes; /* until loaded */
    size_t length;
    bool is_text, loaded;
    bool is_linked; /* of several objects, whose PTX is to be linked (-rdc=true) */
    int failure;
    struct ws_sass_binary *file;
    bool tried[MOST_IMAGES];
    struct ws_error errors[2]; /* the first of PTX, and of machine code: why an image did not load */
    struct gpu_code codes[2];  /* PTX and machine code, by preference */
    u32 code_count;
    struct gpu_function *functions;
};

/* ---- Bytes ---- */

static int not_whole(const char *what)
{
    return gpu_fail(GPU_image, "the %s at this address is not whole", what);
}

static int add_fatbins(struct gpu_module *module, const struct wrapper *wrapper)
{
    const void *lists[MOST_IMAGES] = {wrapper->data};
    u64 lengths[MOST_IMAGES];
    size_t count = wrapper->data != NULL, bytes = 0, at = 0;
    const void *const *const more = wrapper->version >= 2 ? wrapper->more : NULL;
    for (size_t n = 0; more && more[n] && count < MOST_IMAGES; n++)
        lists[count++] = more[n];
    for (size_t n = 0; n < count; n++) {
        lengths[n] = gpu_fatbin_bytes(lists[n], gpu_readable(lists[n]));
        if (lengths[n] == 0)
            return not_whole("fat binary");
        bytes += lengths[n];
    }
    module->bytes = malloc(bytes + 1);
    module->length = bytes;
    module->is_linked = more != NULL;
    for (size_t n = 0; module->bytes && n < count; n++) {
        memcpy(module->bytes + at, lists[n], lengths[n]);
        at += lengths[n];
    }
    return module->bytes ? GPU_none : GPU_memory;
}

static int add_bytes(struct gpu_module *module, const void *code, size_t length)
{
    module->bytes = malloc(length + 1);
    module->length = length;
    if (!module->bytes)
        return GPU_memory;
    memcpy(module->bytes, code, length);
    module->bytes[length] = 0;
    return GPU_none;
}

static int add_code(struct gpu_module *module, const void *code)
{
    u32 magic = 0;
    const u64 room = gpu_readable(code);
    memcpy(&magic, code, room < sizeof magic ? room : sizeof magic);
    if (magic == WRAPPER_MAGIC && room >= sizeof(struct wrapper))
        return add_fatbins(module, code);
    const bool is_elf = memcmp(&magic, "\177ELF", sizeof magic) == 0;
    module->is_text = magic != FATBIN_MAGIC && !is_elf;
    const u64 bytes = module->is_text ? strnlen(code, room) : is_elf ? gpu_elf_bytes(code, room) : gpu_fatbin_bytes(code, room);
    return bytes > 0 ? add_bytes(module, code, bytes) : not_whole(module->is_text ? "PTX" : is_elf ? "cubin" : "fat binary");
}

static struct gpu_module *make(const char *name)
{
    struct gpu_module *const module = calloc(1, sizeof *module);
    if (module)
        module->name = strdup(name);
    if (!module || module->name)
        return module;
    free(module);
    return NULL;
}

static int settle(struct gpu_module *made, int error, struct gpu_module **module)
{
    *module = made;
    if (error == GPU_none)
        return error;
    gpu_module_unload(made);
    *module = NULL;
    return error;
}

int gpu_module_make(const void *code, const char *name, struct gpu_module **module)
{
    struct gpu_module *const made = make(name);
    return made ? settle(made, add_code(made, code), module) : GPU_memory;
}

int gpu_module_open(const char *path, struct gpu_module **module)
{
    struct ws_error error;
    char *bytes;
    size_t length;
    if (ws_file_read(path, MOST_FILE, &bytes, &length, &error) != WS_STATUS_ok)
        return gpu_fail(GPU_file, "%s", error.message);
    struct gpu_module *const made = make(path);
    if (!made) {
        free(bytes);
        return GPU_memory;
    }
    made->bytes = bytes;
    made->length = length;
    u32 magic = 0;
    memcpy(&magic, bytes, length < sizeof magic ? length : sizeof magic);
    made->is_text = magic != FATBIN_MAGIC && (length < 4 || memcmp(bytes, "\177ELF", 4) != 0);
    return settle(made, GPU_none, module);
}

/* ---- Variables ---- */

static struct gpu_range *find_variable(const struct gpu_code *code, const char *name)
{
    for (u32 n = 0; n < code->variable_count; n++)
        if (code->variables[n] && strcmp(code->variables[n]->variable, name) == 0)
            return code->variables[n];
    return NULL;
}

/* The memory of a variable: that of the same name in the module's other image, whose contents stay, or a new one. */
static struct gpu_range *place_variable(struct gpu_module *module, const struct ws_variable_info *info, struct ws_buffer *buffer)
{
    struct gpu_range *const other = find_variable(&module->codes[0], info->name);
    *buffer = (struct ws_buffer){.address = other ? other->address : 0};
    if (other && other->bytes == info->bytes)
        return other;
    struct gpu_range *const range = gpu_memory_add(GPU_VARIABLE, info->bytes);
    if (!range)
        return NULL;
    range->owner = module;
    range->variable = info->name;
    *buffer = (struct ws_buffer){.data = range->data, .address = range->address, .bytes = range->bytes};
    return range;
}

/* Gives each variable of an image its memory. Nameless bytes between variables have none that lasts. */
static int place_variables(struct gpu_module *module, struct gpu_code *code)
{
    struct ws_variable_info info;
    u32 count = 0;
    while (ws_program_variable(code->program, count, &info))
        count++;
    struct ws_buffer *const buffers = calloc((size_t)count + 1, sizeof *buffers);
    code->variables = calloc((size_t)count + 1, sizeof *code->variables);
    bool good = buffers && code->variables;
    for (u32 n = 0; good && n < count; n++) {
        ws_program_variable(code->program, n, &info);
        code->variables[n] = info.name ? place_variable(module, &info, &buffers[n]) : NULL;
        good = code->variables[n] || !info.name;
        code->variable_count = n + 1;
    }
    const bool placed = good && ws_program_initial(code->program, buffers);
    free(buffers);
    if (good && !placed)
        return gpu_uncovered("variables of machine code that hold addresses of constants or of bytes without a name (%s)",
                             module->name);
    return good ? GPU_none : GPU_memory;
}

/* ---- Choice of an image ---- */

/* How well an image suits the device: 0 not at all; PTX before machine code, newer before older. */
static u32 suits(const struct ws_sass_image *image)
{
    enum { PTX_FIRST = 1000 };
    const u32 own = gpu_device()->row.capability, its = image->architecture;
    if (image->kind == WS_SASS_PTX && its <= own)
        return PTX_FIRST + its;
    if (image->kind == WS_SASS_CUBIN && its <= own && its / 10 == own / 10)
        return its;
    return 0;
}

/* The best image that was not tried, of another kind than what is loaded; MOST_IMAGES if there is none. */
static u32 best_image(const struct gpu_module *module)
{
    u32 best = MOST_IMAGES, most = 0;
    for (u32 n = 0; module->file && n < MOST_IMAGES && ws_sass_binary_image(module->file, n); n++) {
        const struct ws_sass_image *const image = ws_sass_binary_image(module->file, n);
        const bool again = module->code_count > 0 && module->codes[0].is_ptx == (image->kind == WS_SASS_PTX);
        const u32 how = module->tried[n] || again ? 0 : suits(image);
        best = how > most ? n : best;
        most = how > most ? how : most;
    }
    return best;
}

enum { OF_PTX, OF_MACHINE_CODE };

/* One message of what PTX and machine code lack, each "" if there is nothing. */
static const char *join(const char *ptx, const char *machine, char *text)
{
    static const char advice[] = "; try the kernel's PTX";
    const char *const end = strstr(machine, advice);
    const int length = (int)(*ptx && end ? end - machine : (ptrdiff_t)strlen(machine));
    const char *const both = *ptx && length > 0 ? "; as machine code: " : "";
    snprintf(text, GPU_REASON, "%s%s%s%.*s", *both ? "PTX: " : "", ptx, both, length, machine);
    return text;
}

const char *gpu_function_reason(const struct gpu_function *function, const char *message, char *text)
{
    static const char *const lacks[] = {"which is not executed", "a function that the driver has"};
    const char *ptx = "";
    for (size_t n = 0; !function->code->is_ptx && n < sizeof lacks / sizeof *lacks; n++)
        if (strstr(message, lacks[n]))
            ptx = function->ptx_reason ? function->ptx_reason : function->module->errors[OF_PTX].message;
    return join(ptx, message, text);
}

/* Loads the PTX of all objects for the architecture of image n as one module. */
static enum ws_status load_linked(struct gpu_module *module, u32 n, struct gpu_code *code, struct ws_error *error)
{
    char *texts[MOST_IMAGES];
    u32 count = 0;
    size_t length;
    enum ws_status status = WS_STATUS_ok;
    for (u32 i = n; status == WS_STATUS_ok && i < MOST_IMAGES && ws_sass_binary_image(module->file, i); i++) {
        const struct ws_sass_image *const image = ws_sass_binary_image(module->file, i);
        if (image->kind != WS_SASS_PTX || image->architecture != ws_sass_binary_image(module->file, n)->architecture)
            continue;
        module->tried[i] = true;
        status = ws_sass_binary_bytes(module->file, i, &texts[count], &length, error);
        count += status == WS_STATUS_ok;
    }
    if (status == WS_STATUS_ok) {
        code->bytes = gpu_link((const char *const *)texts, count, &code->length);
        status = code->bytes ? ws_program_load(module->name, code->bytes, code->length, gpu_options(), &code->program, error)
                             : ws_no_memory(error);
    }
    while (count > 0)
        free(texts[--count]);
    return status;
}

static enum ws_status load_one(const struct gpu_module *module, u32 n, struct gpu_code *code, struct ws_error *error)
{
    WS_TRY(ws_sass_binary_load(module->file, n, gpu_options(), &code->program, error));
    return ws_sass_binary_bytes(module->file, n, &code->bytes, &code->length, error);
}

static int load_image(struct gpu_module *module, u32 n)
{
    struct gpu_code *const code = &module->codes[module->code_count];
    struct ws_error error;
    const bool is_ptx = ws_sass_binary_image(module->file, n)->kind == WS_SASS_PTX;
    const enum ws_status status =
        module->is_linked && is_ptx ? load_linked(module, n, code, &error) : load_one(module, n, code, &error);
    if (status != WS_STATUS_ok) {
        struct ws_error *const first = &module->errors[is_ptx ? OF_PTX : OF_MACHINE_CODE];
        if (!first->message[0])
            *first = error;
        ws_program_free(code->program);
        free(code->bytes);
        *code = (struct gpu_code){.program = NULL};
        return GPU_ptx;
    }
    code->is_ptx = is_ptx;
    module->code_count++;
    return place_variables(module, code);
}

/* Loads one more image; false, with module->errors, if none loads. */
static bool load_next(struct gpu_module *module)
{
    for (u32 n; module->code_count < 2 && (n = best_image(module)) < MOST_IMAGES;) {
        module->tried[n] = true;
        if (load_image(module, n) == GPU_none)
            return true;
    }
    return false;
}

/* Lists the images for a message. */
static const char *list_images(const struct ws_sass_binary *file, char *text, size_t room)
{
    enum { MOST_ITEM = 24 };
    size_t used = 0;
    text[0] = 0;
    for (u32 n = 0; ws_sass_binary_image(file, n) && used + MOST_ITEM < room; n++) {
        const struct ws_sass_image *const image = ws_sass_binary_image(file, n);
        used += (size_t)snprintf(text + used, room - used, "%s%s_%u", n ? ", " : "", image->kind == WS_SASS_PTX ? "compute" : "sm",
                                 image->architecture);
    }
    return text;
}

static int load_images(struct gpu_module *module)
{
    char list[400], text[GPU_REASON], *const bytes = module->bytes;
    struct ws_error error;
    const struct gpu_device_row *const device = &gpu_device()->row;
    module->bytes = NULL;
    if (ws_sass_binary_take(module->name, bytes, module->length, &module->file, &error) != WS_STATUS_ok)
        return gpu_fail(GPU_image, "%s", error.message);
    if (load_next(module))
        return GPU_none;
    if (module->errors[OF_PTX].message[0] || module->errors[OF_MACHINE_CODE].message[0])
        return gpu_fail(GPU_ptx, "%s", join(module->errors[OF_PTX].message, module->errors[OF_MACHINE_CODE].message, text));
    return gpu_fail(GPU_no_binary,
                    "%s has code for %s, none of it for %s (sm_%u): compile for that, or choose another GPU with --device-as",
                    module->name, list_images(module->file, list, sizeof list), device->machine, device->capability);
}

static int load_text(struct gpu_module *module)
{
    struct gpu_code *const code = &module->codes[0];
    const size_t length = strlen(module->bytes);
    struct ws_error error;
    if (ws_program_load(module->name, module->bytes, length, gpu_options(), &code->program, &error) != WS_STATUS_ok)
        return gpu_fail(GPU_ptx, "%s", error.message);
    code->bytes = module->bytes;
    code->length = length;
    code->is_ptx = true;
    module->bytes = NULL;
    module->code_count = 1;
    return place_variables(module, code);
}

int gpu_module_load(struct gpu_module *module)
{
    if (module->loaded)
        return module->failure;
    module->loaded = true;
    module->failure = module->is_text ? load_text(module) : load_images(module);
    return module->failure;
}

static void free_code(struct gpu_module *module, struct gpu_code *code)
{
    for (u32 n = 0; n < code->variable_count; n++)
        if (code->variables[n] &&
            (code == module->codes || code->variables[n] != find_variable(module->codes, code->variables[n]->variable)))
            gpu_memory_remove(code->variables[n]);
    ws_program_free(code->program);
    free(code->bytes);
    free(code->variables);
}

void gpu_module_unload(struct gpu_module *module)
{
    if (!module)
        return;
    for (struct gpu_function *function = module->functions, *next; function; function = next) {
        next = function->next;
        free(function->parameters);
        free(function->ptx_reason);
        free((void *)(uintptr_t)function->name);
        free(function);
    }
    while (module->code_count > 0) {
        free_code(module, &module->codes[module->code_count - 1]);
        module->code_count--;
    }
    ws_sass_binary_close(module->file);
    free(module->bytes);
    free(module->name);
    free(module);
}

/* ---- Functions and variables ---- */

struct gpu_function *gpu_module_function(struct gpu_module *module, const char *name)
{
    for (struct gpu_function *function = module->functions; function; function = function->next)
        if (strcmp(function->name, name) == 0)
            return function;
    struct gpu_function *const function = calloc(1, sizeof *function);
    char *const copy = strdup(name);
    if (!function || !copy) {
        free(function);
        free(copy);
        return NULL;
    }
    *function = (struct gpu_function){.module = module, .name = copy, .carveout = -1, .next = module->functions};
    module->functions = function;
    return function;
}

static int read_parameters(struct gpu_function *function)
{
    struct ws_error error;
    function->parameters = calloc((size_t)function->info.parameters + 1, sizeof *function->parameters);
    for (u32 n = 0; function->parameters && n < function->info.parameters; n++)
        if (ws_program_argument(function->program, function->name, n, &function->parameters[n], &error) != WS_STATUS_ok)
            return gpu_fail(GPU_image, "%s", error.message);
    return function->parameters ? GPU_none : GPU_memory;
}

int gpu_function_load(struct gpu_function *function)
{
    struct gpu_module *const module = function->module;
    char text[GPU_REASON];
    if (function->code)
        return GPU_none;
    struct ws_error errors[2] = {{.message = ""}, {.message = ""}};
    const int loaded = gpu_module_load(module);
    if (loaded != GPU_none)
        return loaded;
    for (u32 n = 0; n < module->code_count || load_next(module); n++) {
        const struct gpu_code *const code = &module->codes[n];
        struct ws_error *const error = &errors[code->is_ptx ? OF_PTX : OF_MACHINE_CODE];
        if (ws_program_kernel(code->program, function->name, &function->info, error) == WS_STATUS_ok) {
            function->code = code;
            function->program = code->program;
            function->ptx_reason = errors[OF_PTX].message[0] ? strdup(errors[OF_PTX].message) : NULL;
            return read_parameters(function);
        }
    }
    for (u32 n = 0; n < 2; n++)
        if (!errors[n].message[0])
            errors[n] = module->errors[n];
    return gpu_fail(GPU_function, "%s", join(errors[OF_PTX].message, errors[OF_MACHINE_CODE].message, text));
}

const char *const *gpu_module_kernels(const struct gpu_module *module)
{
    return ws_program_kernels(module->codes[0].program);
}

struct gpu_range *gpu_module_variable(const struct gpu_module *module, const char *name)
{
    struct gpu_range *range = NULL;
    for (u32 n = 0; !range && n < module->code_count; n++)
        range = find_variable(&module->codes[n], name);
    return range;
}

struct gpu_range *const *gpu_function_variables(const struct gpu_function *function, u32 *count)
{
    *count = function->code->variable_count;
    return function->code->variables;
}

const char *gpu_function_text(const struct gpu_function *function, size_t *length, const char **suffix)
{
    *length = function->code->length;
    *suffix = function->code->is_ptx ? ".ptx" : ".cubin";
    return function->code->bytes;
}
