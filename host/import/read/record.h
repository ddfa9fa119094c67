/* A record: an instruction that a warp executed. */
#pragma once

#include "import/code.h"
#include "import/read/header.h"

struct sass_record {
    struct sass_op *op; /* until the next record */
    u32 mask;           /* executing lanes: active, with a true guard */
    u32 addresses;      /* number of addresses: none, or one per lane of mask */
    u64 address[SASS_LANES];
};

/* Parses a record from a line, from its pc (or source line number) on. */
enum ws_status sass_record_read(const struct sass_input *input, const struct sass_header *header, struct sass_code *code,
                                const char *at, struct sass_record *record, struct ws_error *error);

/* Reads a decimal number of up to 9 digits after spaces; false if there is none. */
bool sass_decimal(const char **at, u32 *number);
