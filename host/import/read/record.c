#include "import/read/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* State while a record is read. */
struct reading {
    const struct sass_input *input;
    struct ws_error *error;
    const char *at;
};

static enum ws_status refuse(const struct reading *reading, const char *allowed)
{
    const char *at = reading->at;
    while (*at == ' ')
        at++;
    return *at ? sass_input_fail(reading->input, reading->error, "found '%.40s', allowed is %s", at, allowed)
               : sass_input_fail(reading->input, reading->error, "the line ends before %s", allowed);
}

static const char *skip(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

static bool ends_word(char letter)
{
    return letter == ' ' || letter == 0;
}

bool sass_decimal(const char **at, u32 *number)
{
    const char *const start = skip(*at), *digit = start;
    u32 value = 0;
    while (*digit >= '0' && *digit <= '9' && digit - start < 10)
        value = value * 10 + (u32)(*digit++ - '0');
    if (digit == start || digit - start > 9 || !ends_word(*digit))
        return false;
    *at = digit;
    *number = value;
    return true;
}

static u32 hex_digit(char letter)
{
    if (letter >= '0' && letter <= '9')
        return (u32)(letter - '0');
    return letter >= 'a' && letter <= 'f' ? (u32)(letter - 'a') + 10 : 16;
}

/* A hexadecimal number of up to 16 digits, with an optional 0x. */
static bool hexadecimal(const char **at, u64 *number)
{
    const char *start = skip(*at);
    start += start[0] == '0' && start[1] == 'x' ? 2 : 0;
    const char *digit = start;
    u64 value = 0;
    for (u32 next; digit - start < 17 && (next = hex_digit(*digit)) < 16; digit++)
        value = value << 4 | next;
    if (digit == start || digit - start > 16 || !ends_word(*digit))
        return false;
    *at = digit;
    *number = value;
    return true;
}

/* A 64-bit decimal number with an optional sign. */
static bool whole(const char **at, u64 *number)
{
    const char *const start = skip(*at), *digit = start + (*start == '-');
    const char *const first = digit;
    u64 value = 0;
    while (*digit >= '0' && *digit <= '9' && digit - first < 20)
        value = value * 10 + (u64)(*digit++ - '0');
    if (digit == first || !ends_word(*digit))
        return false;
    *at = digit;
    *number = *start == '-' ? 0 - value : value;
    return true;
}

/* ---- Addresses ---- */

static enum ws_status read_list(struct reading *reading, struct sass_record *record, u32 lanes)
{
    for (u32 n = 0; n < lanes; n++)
        if (!hexadecimal(&reading->at, &record->address[n]))
            return refuse(reading, "an address for each lane of the mask");
    return WS_STATUS_ok;
}

static enum ws_status read_stride(struct reading *reading, struct sass_record *record, u32 lanes)
{
    u64 base, stride;
    if (!hexadecimal(&reading->at, &base))
        return refuse(reading, "the base of the addresses");
    if (!whole(&reading->at, &stride))
        return refuse(reading, "the stride of the addresses");
    for (u32 n = 0; n < lanes; n++)
        record->address[n] = base + n * stride;
    return WS_STATUS_ok;
}

/* A base, and differences for all lanes but the first. */
static enum ws_status read_deltas(struct reading *reading, struct sass_record *record, u32 lanes)
{
    if (!hexadecimal(&reading->at, &record->address[0]))
        return refuse(reading, "the base of the addresses");
    for (u32 n = 1; n < lanes; n++) {
        u64 delta;
        if (!whole(&reading->at, &delta))
            return refuse(reading, "a difference of addresses for each lane of the mask but its first");
        record->address[n] = record->address[n - 1] + delta;
    }
    return WS_STATUS_ok;
}

static enum ws_status read_addresses(struct reading *reading, struct sass_record *record)
{
    u32 width, mode;
    const char *at = reading->at;
    record->addresses = 0;
    if (!sass_decimal(&at, &width) || width > 4096)
        return refuse(reading, "the bytes that a lane accesses, 0 to 4096");
    reading->at = at;
    if (width == 0)
        return WS_STATUS_ok;
    record->op->addressed = true;
    if (!sass_decimal(&at, &mode) || mode > 2)
        return refuse(reading, "how addresses are given: 0, 1 or 2");
    reading->at = at;
    const u32 lanes = ws_popcount(record->mask);
    record->addresses = lanes;
    if (mode == 0)
        return read_list(reading, record, lanes);
    return (mode == 1 ? read_stride : read_deltas)(reading, record, lanes);
}

/* A word of letters, followed by a space or the end of the line. */
static bool word(const char **at, const char *text)
{
    const char *const start = skip(*at);
    const size_t length = strlen(text);
    if (strncmp(start, text, length) != 0 || !ends_word(start[length]))
        return false;
    *at = start + length;
    return true;
}

/* From version 5 on: an immediate, which is a direct branch's target. NVBit 1.8 adds a second one; version 6, the values of
 * registers: "Val ...", or none: "NoVal". */
static enum ws_status read_rest(struct reading *reading, const struct sass_header *header, struct sass_record *record)
{
    u64 immediate, second;
    if (header->version >= 5) {
        if (!whole(&reading->at, &immediate))
            return refuse(reading, "an immediate");
        if (record->op->direct && immediate < SASS_PC_MOST)
            record->op->immediate = (u32)immediate;
        const bool two = whole(&reading->at, &second);
        if (header->version >= 6 && word(&reading->at, "Val"))
            return WS_STATUS_ok;
        if (header->version >= 6 && !word(&reading->at, "NoVal"))
            return refuse(reading, two ? "Val or NoVal" : "a second immediate, Val or NoVal");
    }
    return *skip(reading->at) ? refuse(reading, "the end of the line") : WS_STATUS_ok;
}

/* ---- Records ---- */

enum ws_status sass_record_read(const struct sass_input *input, const struct sass_header *header, struct sass_code *code,
                                const char *at, struct sass_record *record, struct ws_error *error)
{
    struct reading reading = {.input = input, .error = error, .at = at};
    u64 pc, mask;
    u32 line = 0;
    if (header->lines && !sass_decimal(&reading.at, &line))
        return refuse(&reading, "a line of the source");
    at = reading.at;
    if (!hexadecimal(&at, &pc) || pc >= SASS_PC_MOST || pc % 8)
        return refuse(&reading, "a pc: a multiple of 8 below 1000000, hexadecimal");
    reading.at = at;
    if (!hexadecimal(&at, &mask) || mask > 0xFFFFFFFFu)
        return refuse(&reading, "a mask of 32 lanes, hexadecimal");
    reading.at = skip(at);
    WS_TRY(sass_code_find(code, input, (u32)pc, &reading.at, &record->op, error));
    record->op->line = line;
    record->mask = (u32)mask;
    WS_TRY(read_addresses(&reading, record));
    return read_rest(&reading, header, record);
}
