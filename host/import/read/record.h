/* A record: an instruction that a warp executed. */
#pragma once

#include "import/code.h"
#include "import/read/header.h"

struct sass_record {
    struct sass_op *op; /* until the next record */
    u32 mask;           /* lanes that execute it: active, and with a guard that is true */
    u32 addresses;      /* how many: none, or one for each lane of mask */
    u64 address[SASS_LANES];
};

/* Reads a record from a line, of which what stands before its pc (and number of a line of the source) is taken off. */
enum ws_status sass_record_read(const struct sass_input *input, const struct sass_header *header, struct sass_code *code,
                                const char *at, struct sass_record *record, struct ws_error *error);

/* Reads a decimal number of at most 9 digits and the spaces before it; false when there is none. */
bool sass_decimal(const char **at, u32 *number);
