#include "capture/cuda/core/record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "capture/contents.h"
#include "capture/store.h"

/* A buffer or variable that the launch accesses. */
struct touched {
    const struct ws_buffer *buffer;
    bool is_variable;
    char *before; /* file of its contents */
    struct touched *next;
};

struct gpu_record {
    u32 number;
    const struct gpu_function *function;
    const struct ws_ndrange *launch;
    char name[GPU_SHORT];
    struct touched *first; /* in the order of first access */
    char *reason;          /* why it cannot be recorded; NULL if it can */
};

/* ---- Names ---- */

/* Length of the identifier of a mangled name: _Z4axpy..., _ZN5space4axpyE..., _ZN12_GLOBAL__N_14axpyE...; 0 if it is none. */
static size_t identifier_of(const char *symbol, const char **start)
{
    size_t length = 0;
    if (strncmp(symbol, "_Z", 2) != 0)
        return 0;
    symbol += symbol[2] == 'L' ? 3 : 2;
    const bool nested = *symbol == 'N';
    symbol += nested;
    while (*symbol >= '0' && *symbol <= '9') {
        char *end;
        const unsigned long count = strtoul(symbol, &end, 10);
        if (strlen(end) < count)
            break;
        *start = end;
        length = count;
        symbol = end + count;
        if (!nested)
            break;
    }
    return length;
}

void gpu_short_name(const char *symbol, char *text)
{
    const char *start = symbol;
    size_t length = identifier_of(symbol, &start);
    if (length == 0)
        length = strlen(symbol);
    if (length > GPU_SHORT - 1)
        length = GPU_SHORT - 1;
    for (size_t n = 0; n < length; n++)
        text[n] = strchr("/ .$<>,:", start[n]) ? '_' : start[n];
    text[length] = 0;
}

__attribute__((format(printf, 2, 3))) static bool refuse(struct gpu_record *record, const char *format, ...)
{
    char message[WS_MESSAGE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!record->reason)
        record->reason = strdup(message);
    return false;
}

/* ---- Contents ---- */

static const struct ws_buffer *find_buffer(const struct ws_ndrange *launch, u64 address, bool *is_variable)
{
    u32 low = 0, high = launch->buffer_count;
    *is_variable = false;
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (launch->buffers[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && launch->buffers[low - 1].address == address)
        return &launch->buffers[low - 1];
    *is_variable = true;
    for (u32 n = 0; n < launch->initial_count; n++)
        if (launch->initial[n].address == address)
            return &launch->initial[n];
    return NULL;
}

static bool is_known(const struct gpu_record *record, const struct ws_buffer *buffer)
{
    for (const struct touched *touched = record->first; touched; touched = touched->next)
        if (touched->buffer == buffer)
            return true;
    return false;
}

/* Stores contents, within --limit; the file's name, or NULL. */
static char *store(struct gpu_record *record, const struct ws_buffer *buffer)
{
    struct ws_text name = {0};
    struct ws_error error;
    if (!capture_room(buffer->bytes)) {
        refuse(record, "its buffers and those recorded before exceed --limit; raise it, or choose launches with --launches");
        return NULL;
    }
    if (capture_contents("data", ".bin", buffer->data, buffer->bytes, &name, &error) != WS_STATUS_ok || name.failed) {
        refuse(record, "%s", name.failed ? "out of memory" : error.message);
        ws_text_free(&name);
        return NULL;
    }
    return name.data;
}

void gpu_record_touch(struct gpu_record *record, u64 address)
{
    bool is_variable;
    const struct ws_buffer *const buffer = find_buffer(record->launch, address, &is_variable);
    if (record->reason || !buffer || is_known(record, buffer))
        return;
    struct touched *const touched = calloc(1, sizeof *touched);
    struct touched **end = &record->first;
    if (!touched) {
        refuse(record, "out of memory");
        return;
    }
    while (*end)
        end = &(*end)->next;
    *touched = (struct touched){.buffer = buffer, .is_variable = is_variable, .before = store(record, buffer)};
    *end = touched;
}

/* ---- Begin ---- */

/* Machine code reads constants from banks, which are not reported: its variables are all recorded. */
static void touch_banks(struct gpu_record *record)
{
    size_t length;
    const char *suffix;
    gpu_function_text(record->function, &length, &suffix);
    for (u32 n = 0; strcmp(suffix, ".ptx") != 0 && n < record->launch->initial_count; n++)
        gpu_record_touch(record, record->launch->initial[n].address);
}

static bool is_wanted(const struct capture_wanted *wanted, u32 number, const char *symbol, const char *name)
{
    return number >= wanted->first && number <= wanted->last &&
           (!wanted->kernel || strcmp(wanted->kernel, symbol) == 0 || strcmp(wanted->kernel, name) == 0);
}

struct gpu_record *gpu_record_begin(const struct gpu_function *function, const struct ws_ndrange *launch)
{
    const struct capture_wanted *const wanted = capture_wanted();
    char name[GPU_SHORT];
    if (!wanted)
        return NULL;
    const u32 number = capture_next_number();
    gpu_short_name(function->name, name);
    struct gpu_record *const record = is_wanted(wanted, number, function->name, name) ? calloc(1, sizeof *record) : NULL;
    if (!record)
        return NULL;
    *record = (struct gpu_record){.number = number, .function = function, .launch = launch};
    memcpy(record->name, name, sizeof name);
    capture_log(number, "begun", name, "");
    touch_banks(record);
    return record;
}

void gpu_record_refused(const char *symbol, int error)
{
    const struct capture_wanted *const wanted = capture_wanted();
    char name[GPU_SHORT];
    const bool ours =
        error == GPU_unsupported || error == GPU_ptx || error == GPU_image || error == GPU_no_binary || error == GPU_function;
    if (!wanted || !ours)
        return;
    const u32 number = capture_next_number();
    gpu_short_name(symbol, name);
    if (is_wanted(wanted, number, symbol, name))
        capture_log(number, "refused", name, gpu_message(error));
}

/* ---- The launch file ---- */

static void add_head(const struct gpu_record *record, const char *program, struct ws_text *out)
{
    const struct ws_ndrange *const launch = record->launch;
    ws_text_add(out,
                "# Launch %" PRIu32 " of the program, %s. In this folder: warpsweep trace build %s --launch %05" PRIu32
                "-%s.yaml -o OUT.wst\n",
                record->number, record->name, program, record->number, record->name);
    ws_text_add(out, "kernel: %s\n", launch->kernel);
    ws_text_add(out, "global: [%u, %u, %u]\n", launch->global[0], launch->global[1], launch->global[2]);
    ws_text_add(out, "local: [%u, %u, %u]\n", launch->local[0], launch->local[1], launch->local[2]);
    if (launch->cluster[0] > 0)
        ws_text_add(out, "cluster: [%u, %u, %u]\n", launch->cluster[0], launch->cluster[1], launch->cluster[2]);
    if (launch->shared_bytes > 0)
        ws_text_add(out, "shared: %" PRIu64 "\n", launch->shared_bytes);
}

static void add_image(const struct ws_image_desc *image, struct ws_text *out)
{
    static const struct {
        const char *name;
        u32 sizes;
    } shapes[] = {
#define IMAGE_SHAPE(name, type, dimensions, layers) {#name, (dimensions) + (layers)},
#include "warpsweep/images.def"
#undef IMAGE_SHAPE
    };
    static const char *const orders[] = {
#define IMAGE_ORDER(name, number, red, green, blue, alpha) #name,
#include "warpsweep/images.def"
#undef IMAGE_ORDER
    };
    static const char *const formats[] = {
#define IMAGE_FORMAT(name, number, element, kind) #name,
#include "warpsweep/images.def"
#undef IMAGE_FORMAT
    };
    static const char *const addresses[] = {"none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"};
    ws_text_add(out, "image: %s, size: [%u", shapes[image->shape].name, image->size[0]);
    for (u32 n = 1; n < shapes[image->shape].sizes; n++)
        ws_text_add(out, ", %u", image->size[n]);
    ws_text_add(out, "], order: %s, format: %s, sampler: {coordinates: %s, address: %s, filter: %s}", orders[image->order],
                formats[image->format], image->sampler & WS_SAMPLER_normalised ? "normalised" : "texels",
                addresses[(image->sampler & (WS_SAMPLER_repeat | WS_SAMPLER_mirror)) / 2],
                image->sampler & WS_SAMPLER_linear ? "linear" : "nearest");
}

static void add_memory(const struct gpu_record *record, bool variables, struct ws_text *out)
{
    bool any = false;
    for (const struct touched *touched = record->first; touched; touched = touched->next) {
        const struct ws_buffer *const buffer = touched->buffer;
        if (touched->is_variable != variables)
            continue;
        if (!any)
            ws_text_add(out, variables ? "variables:\n" : "buffers:\n");
        any = true;
        const char *const quote = strchr(buffer->name, '%') ? "'" : ""; /* %envreg1 is no plain word of YAML */
        ws_text_add(out, "  %s%s%s: {", quote, buffer->name, quote);
        if (buffer->image)
            add_image(buffer->image, out);
        else
            ws_text_add(out, "type: u8");
        ws_text_add(out, ", fill: {file: %s}, address: 0x%" PRIx64 "}\n", touched->before, buffer->address);
    }
}

/* The touched buffer that an address lies in, or NULL. */
static const struct ws_buffer *buffer_at(const struct gpu_record *record, u64 address)
{
    for (const struct touched *touched = record->first; touched; touched = touched->next)
        if (!touched->is_variable && !touched->buffer->image && address - touched->buffer->address < touched->buffer->bytes)
            return touched->buffer;
    return NULL;
}

static void add_bytes(const struct ws_argument *argument, struct ws_text *out)
{
    const u8 *const bytes = argument->data;
    ws_text_add(out, "array: u8, value: [");
    for (u64 n = 0; n < argument->bytes; n++)
        ws_text_add(out, "%s%u", n ? ", " : "", bytes[n]);
    ws_text_add(out, "]");
}

static void add_argument(const struct gpu_record *record, u32 n, struct ws_text *out)
{
    const struct ws_argument *const argument = &record->launch->arguments[n];
    const struct ws_argument_info *const info = &record->function->parameters[n];
    const bool may_point = info->kind == WS_TAKES_BUFFER || info->kind == WS_TAKES_WORD;
    const char *const element = info->kind == WS_TAKES_SCALAR ? info->element : NULL;
    u64 value = 0;
    memcpy(&value, argument->data, argument->bytes < sizeof value ? argument->bytes : sizeof value);
    const struct ws_buffer *const buffer = may_point && argument->bytes == sizeof value ? buffer_at(record, value) : NULL;
    ws_text_add(out, "  - {");
    if (buffer && value == buffer->address)
        ws_text_add(out, "buffer: %s", buffer->name);
    else if (buffer)
        ws_text_add(out, "buffer: %s, offset: %" PRIu64, buffer->name, value - buffer->address);
    else if (element && argument->bytes <= sizeof value && capture_is_finite(element, argument->data, argument->bytes)) {
        ws_text_add(out, "scalar: %s, value: ", element);
        capture_number(out, element, argument->data, argument->bytes);
    } else
        add_bytes(argument, out);
    ws_text_add(out, "}\n");
}

static bool write_file(struct gpu_record *record, const struct ws_text *text)
{
    struct ws_text path = {0};
    struct ws_error error;
    ws_text_add(&path, "%s/%05" PRIu32 "-%s.yaml", capture_wanted()->folder, record->number, record->name);
    const bool failed = path.failed || text->failed;
    const enum ws_status status = failed ? WS_STATUS_no_memory : ws_file_write(path.data, text->data, text->length, &error);
    ws_text_free(&path);
    return status == WS_STATUS_ok || refuse(record, "%s", failed ? "out of memory" : error.message);
}

/* ---- End ---- */

/* " m0:u8=data/HASH.bin" for each buffer, as it is now. */
static bool add_after(struct gpu_record *record, struct ws_text *rest)
{
    if (!capture_wanted()->check)
        return true;
    for (const struct touched *touched = record->first; touched; touched = touched->next) {
        char *const file = touched->is_variable ? NULL : store(record, touched->buffer);
        if (!file && !touched->is_variable)
            return false;
        if (file)
            ws_text_add(rest, " %s:u8=%s", touched->buffer->name, file);
        free(file);
    }
    return true;
}

static bool write(struct gpu_record *record, struct ws_text *rest, struct ws_text *out)
{
    struct ws_error error;
    size_t length;
    const char *suffix;
    const char *const text = gpu_function_text(record->function, &length, &suffix);
    if (capture_contents("programs", suffix, text, length, rest, &error) != WS_STATUS_ok)
        return refuse(record, "%s", error.message);
    add_head(record, rest->data, out);
    add_memory(record, false, out);
    add_memory(record, true, out);
    ws_text_add(out, record->launch->argument_count > 0 ? "arguments:\n" : "arguments: []\n");
    for (u32 n = 0; n < record->launch->argument_count; n++)
        add_argument(record, n, out);
    return add_after(record, rest) && write_file(record, out);
}

static void free_record(struct gpu_record *record)
{
    for (struct touched *touched = record->first, *next; touched; touched = next) {
        next = touched->next;
        free(touched->before);
        free(touched);
    }
    free(record->reason);
    free(record);
}

void gpu_record_end(struct gpu_record *record, const char *failure, bool is_refused)
{
    struct ws_text rest = {0}, out = {0};
    if (!record)
        return;
    if (failure)
        refuse(record, "%s", failure);
    if (!record->reason && write(record, &rest, &out))
        capture_log(record->number, "captured", record->name, rest.data);
    if (record->reason)
        capture_log(record->number, is_refused ? "refused" : "skipped", record->name, record->reason);
    ws_text_free(&rest);
    ws_text_free(&out);
    free_record(record);
}
