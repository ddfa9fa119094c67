#include "import/read/header.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum field {
#define FIELD(key, name, reader, least, most) FIELD_##name,
#include "import/read/fields.def"
#undef FIELD
    FIELDS
};

/* State while a header is read. */
struct reading {
    struct sass_input *input;
    struct ws_error *error;
    char text[sizeof((struct sass_header *)0)->kernel];
    u64 numbers[FIELDS][3];
    bool given[FIELDS];
};

struct row {
    const char *key;
    enum ws_status (*read)(struct reading *reading, const struct row *row, const char *value, u64 *numbers);
    u64 least, most;
};

static enum ws_status refuse(const struct reading *reading, const struct row *row, const char *value, const char *allowed)
{
    return sass_input_fail(reading->input, reading->error, "-%s: found '%.60s', allowed is %s", row->key, value, allowed);
}

static enum ws_status out_of_range(const struct reading *reading, const struct row *row, const char *value)
{
    char allowed[64];
    snprintf(allowed, sizeof allowed, "%" PRIu64 " to %" PRIu64, row->least, row->most);
    return refuse(reading, row, value, allowed);
}

/* Reads a whole number; false when there is none. */
static bool digits(const char **at, int base, u64 *number)
{
    char *end;
    const char first = **at;
    if (!(first >= '0' && first <= '9') && !(base == 16 && first >= 'a' && first <= 'f'))
        return false;
    errno = 0;
    *number = strtoull(*at, &end, base);
    *at = end;
    return errno == 0;
}

static enum ws_status read_text(struct reading *reading, const struct row *row, const char *value, u64 *numbers)
{
    (void)numbers;
    if (!*value || strlen(value) >= sizeof reading->text)
        return refuse(reading, row, value, "a name of up to 4095 characters");
    memcpy(reading->text, value, strlen(value) + 1);
    return WS_STATUS_ok;
}

static enum ws_status read_number(struct reading *reading, const struct row *row, const char *value, u64 *numbers)
{
    const char *at = value;
    return !digits(&at, 10, numbers) || *at || numbers[0] < row->least || numbers[0] > row->most ? out_of_range(reading, row, value)
                                                                                                 : WS_STATUS_ok;
}

static enum ws_status read_version(struct reading *reading, const struct row *row, const char *value, u64 *numbers)
{
    const char *at = value;
    const bool sound = digits(&at, 10, numbers) && (!*at || *at == '.');
    return sound && numbers[0] >= row->least && numbers[0] <= row->most ? WS_STATUS_ok : refuse(reading, row, value, "1.2 to 6");
}

static enum ws_status read_address(struct reading *reading, const struct row *row, const char *value, u64 *numbers)
{
    const char *at = value + (strncmp(value, "0x", 2) == 0 ? 2 : 0);
    return digits(&at, 16, numbers) && !*at ? WS_STATUS_ok : refuse(reading, row, value, "an address in hexadecimal");
}

static enum ws_status read_extent(struct reading *reading, const struct row *row, const char *value, u64 *numbers)
{
    const char *at = value;
    bool sound = *at++ == '(';
    for (u32 n = 0; sound && n < 3; n++) {
        sound = digits(&at, 10, &numbers[n]) && *at == (n < 2 ? ',' : ')');
        at += sound;
        sound = sound && numbers[n] >= row->least && numbers[n] <= row->most;
    }
    return sound && !*at ? WS_STATUS_ok : refuse(reading, row, value, "(X,Y,Z), each at least 1, of a block at most 1024");
}

static const struct row rows[] = {
#define FIELD(key, name, reader, least, most) {key, read_##reader, least, most},
#include "import/read/fields.def"
#undef FIELD
};

/* ---- Lines ---- */

/* Whether an option replaces a field, which is then not read. */
static bool overridden(const struct ws_nvbit_options *options, enum field field)
{
    return (field == FIELD_registers && options->registers) || (field == FIELD_shared && options->replaces_shared) ||
           (field == FIELD_binary && options->binary_version);
}

/* The option that would replace a field, for a message. */
static const char *option_of(enum field field)
{
    switch (field) {
    case FIELD_registers:
        return "; --registers replaces it";
    case FIELD_shared:
        return "; --shared replaces it";
    case FIELD_binary:
        return "; --binary-version replaces it";
    default:
        return "";
    }
}

static enum ws_status read_line(struct reading *reading, const struct ws_nvbit_options *options, const char *line)
{
    const char *const equals = strstr(line, " = ");
    for (u32 n = 0; equals && n < FIELDS; n++) {
        const size_t length = strlen(rows[n].key);
        if ((size_t)(equals - line - 1) != length || strncmp(line + 1, rows[n].key, length) != 0 || overridden(options, n))
            continue;
        reading->given[n] = true;
        const enum ws_status status = rows[n].read(reading, &rows[n], equals + 3, reading->numbers[n]);
        if (status == WS_STATUS_bad_input && reading->error && *option_of(n))
            strncat(reading->error->message, option_of(n), sizeof reading->error->message - strlen(reading->error->message) - 1);
        return status;
    }
    return WS_STATUS_ok;
}

static enum ws_status read_lines(struct reading *reading, const struct ws_nvbit_options *options)
{
    char *line;
    size_t length;
    for (;;) {
        WS_TRY(sass_input_line(reading->input, &line, &length, reading->error));
        if (!line)
            return sass_input_fail(reading->input, reading->error,
                                   "the file ends before its '#traces format' line; record it again");
        if (*line == '#')
            return WS_STATUS_ok;
        while (length > 0 && line[length - 1] == ' ')
            line[--length] = 0;
        if (*line == '-')
            WS_TRY(read_line(reading, options, line));
        else if (*line)
            return sass_input_fail(reading->input, reading->error, "found '%.40s', allowed are lines '-KEY = VALUE' and '#...'",
                                   line);
    }
}

static enum ws_status check(const struct reading *reading, const struct ws_nvbit_options *options)
{
    static const enum field needed[] = {FIELD_name, FIELD_grid, FIELD_block, FIELD_shared, FIELD_registers};
    for (size_t n = 0; n < sizeof needed / sizeof *needed; n++)
        if (!reading->given[needed[n]] && !overridden(options, needed[n]))
            return sass_input_fail(reading->input, reading->error, "the header has no line '-%s = ...'%s", rows[needed[n]].key,
                                   option_of(needed[n]));
    const u64 *const grid = reading->numbers[FIELD_grid], *const block = reading->numbers[FIELD_block];
    if (grid[0] * grid[1] > 0xFFFFFFFFu || grid[0] * grid[1] * grid[2] > 0xFFFFFFFFu)
        return sass_input_fail(reading->input, reading->error, "-grid dim: more than 2^32 - 1 blocks");
    if (block[0] * block[1] * block[2] > 1024)
        return sass_input_fail(reading->input, reading->error, "-block dim: more than 1024 threads");
    return WS_STATUS_ok;
}

enum ws_status sass_header_read(struct sass_input *input, const struct ws_nvbit_options *options, struct sass_header *header,
                                struct ws_error *error)
{
    struct reading reading = {.input = input, .error = error};
    WS_TRY(read_lines(&reading, options));
    WS_TRY(check(&reading, options));
    *header = (struct sass_header){.registers = (u32)reading.numbers[FIELD_registers][0],
                                   .shared_bytes = (u32)reading.numbers[FIELD_shared][0],
                                   .architecture =
                                       options->binary_version ? options->binary_version : (u32)reading.numbers[FIELD_binary][0],
                                   .version = (u32)reading.numbers[FIELD_version][0],
                                   .lines = reading.numbers[FIELD_lines][0] != 0,
                                   .windows = reading.given[FIELD_shared_base] && reading.given[FIELD_local_base],
                                   .shared_base = reading.numbers[FIELD_shared_base][0],
                                   .local_base = reading.numbers[FIELD_local_base][0]};
    memcpy(header->kernel, reading.text, sizeof header->kernel);
    header->registers = options->registers ? options->registers : header->registers;
    header->shared_bytes = options->replaces_shared ? options->shared_bytes : header->shared_bytes;
    for (u32 n = 0; n < 3; n++) {
        header->grid[n] = (u32)reading.numbers[FIELD_grid][n];
        header->block[n] = (u32)reading.numbers[FIELD_block][n];
    }
    return WS_STATUS_ok;
}

u32 sass_threads(const struct sass_header *header)
{
    return header->block[0] * header->block[1] * header->block[2];
}

u64 sass_blocks(const struct sass_header *header)
{
    return (u64)header->grid[0] * header->grid[1] * header->grid[2];
}

u32 sass_warps(const struct sass_header *header)
{
    return (sass_threads(header) + SASS_LANES - 1) / SASS_LANES;
}
