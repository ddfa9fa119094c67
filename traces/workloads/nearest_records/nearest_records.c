#include "workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(nearest_records, "rogers2015", 17,
         "records nearest to a place, a list a work-item (Rogers 2015, section 7.1: nearest neighbour)");

enum { RECORDS, NEAREST, PLACE, COUNT, ARGUMENTS };

enum { ITEMS = 256, KEPT = 4 };

/* Degrees in tenths. */
enum { LATITUDES = 1800, LONGITUDES = 3600 };

static const struct {
    const char *source;
    u32 groups, records;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"nearest_records:tiny", 1, 5000},
    [WS_SIZE_SMALL] = {"nearest_records:small", 8, 400 * 1000},
    [WS_SIZE_PAPER] = {"nearest_records:paper", 32, 4 * 1000 * 1000},
};

enum ws_status ws_nearest_records_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = inputs[size].records, items = inputs[size].groups * ITEMS;
    i32 place[2] = {(i32)ws_random_range(&seed, 0, LATITUDES), (i32)ws_random_range(&seed, 0, LONGITUDES)};
    const struct ws_argument arguments[ARGUMENTS] = {
        [RECORDS] = {WS_ARGUMENT_BUFFER, "records", count * 2 * sizeof(i32), NULL},
        [NEAREST] = {WS_ARGUMENT_BUFFER, "nearest", items * KEPT * 2 * sizeof(u32), NULL},
        [PLACE] = {WS_ARGUMENT_SCALAR, "place", sizeof place, place},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){
        .kernel = "nearest_records", .source = inputs[size].source, .global = {items, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    i32(*records)[2] = launch->arguments[RECORDS].data;
    for (u32 n = 0; n < count; n++) {
        records[n][0] = (i32)ws_random_range(&seed, 0, LATITUDES);
        records[n][1] = (i32)ws_random_range(&seed, 0, LONGITUDES);
    }
    return WS_STATUS_ok;
}

struct entry {
    u32 distance, record;
};

static int compare(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    if (left->distance != right->distance)
        return left->distance < right->distance ? -1 : 1;
    return left->record < right->record ? -1 : left->record > right->record;
}

/* All records of a work-item sorted by distance; a list that is not full ends in UINT32_MAX. */
static void sort_strip(const struct ws_ndrange *input, u32 item, struct entry *strip, struct entry *nearest)
{
    const i32(*records)[2] = input->arguments[RECORDS].data, *place = input->arguments[PLACE].data;
    const u32 items = input->global[0], count = *(const u32 *)input->arguments[COUNT].data;
    u32 found = 0;
    for (u32 n = item; n < count; n += items, found++) {
        const i32 x = records[n][0] - place[0], y = records[n][1] - place[1];
        strip[found] = (struct entry){(u32)(x * x + y * y), n};
    }
    qsort(strip, found, sizeof *strip, compare);
    for (u32 k = 0; k < KEPT; k++)
        nearest[k * items + item] = k < found ? strip[k] : (struct entry){UINT32_MAX, UINT32_MAX};
}

enum ws_status ws_nearest_records_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_nearest_records_prepare(size, seed, &expected, error));
    const u32 items = expected.global[0];
    struct entry *strip = malloc((inputs[size].records / items + 1) * sizeof *strip);
    enum ws_status status = strip ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        for (u32 item = 0; item < items; item++)
            sort_strip(&expected, item, strip, expected.arguments[NEAREST].data);
        status = ws_launch_agrees(launch, &expected, NULL, error);
    }
    free(strip);
    ws_launch_release(&expected);
    return status;
}
