/* Figures of storage: what the hardware of a mechanism stores at the figure's point, counted from the machine's parameters, beside
 * the paper's bits and areas. */
#include "report/storage.h"

#include <math.h>
#include <string.h>

#include "report/bars.h"
#include "report/grid.h"
#include "report/kinds.h"

/* What bits follow from. */
struct sizes {
    u32 lanes, threads, lut, majority_table;
    u32 thread_bits;  /* of a thread's number */
    u32 count_bits;   /* of a count of threads */
    u32 slices, sets; /* of a core of 32 lanes, of slots of each slice */
    u32 l0;           /* bytes */
};

static u32 bits_for(u32 values)
{
    u32 bits = 0;
    while (bits < 32 && (1ull << bits) < values)
        bits++;
    return bits;
}

static struct sizes sizes_of(const struct ws_dimensions *dimensions)
{
    const u32 threads = dimensions->warps * dimensions->warp_size;
    const u32 slices = dimensions->warp_size < WS_MOST_LANES ? WS_MOST_LANES / dimensions->warp_size : 1;
    return (struct sizes){.lanes = dimensions->lanes,
                          .threads = threads,
                          .lut = dimensions->lut,
                          .majority_table = dimensions->majority_table,
                          .thread_bits = bits_for(threads),
                          .count_bits = bits_for(threads + 1),
                          .slices = slices,
                          .sets = dimensions->warps / slices,
                          .l0 = dimensions->l0};
}

static const struct structure {
    const char *paper, *name;
    u64 paper_bits;
    double paper_area; /* mm2 a core */
} structures[] = {
#define STRUCTURE(paper, name, entries, bits, paper_bits, paper_area) {#paper, name, paper_bits, paper_area},
#include "report/storage.def"
};

enum { STRUCTURES = sizeof structures / sizeof *structures };

static void count_entries(const struct sizes *sizes, u32 counts[STRUCTURES])
{
    u32 *next = counts;
#define STRUCTURE(paper, name, entries, bits, paper_bits, paper_area) *next++ = (entries);
#include "report/storage.def"
}

static void count_bits(const struct sizes *sizes, u32 counts[STRUCTURES])
{
    u32 *next = counts;
#define STRUCTURE(paper, name, entries, bits, paper_bits, paper_area) *next++ = (bits);
#include "report/storage.def"
}

/* What a structure has on a core; the whole of a paper's with that of its register file where `of` is none of them. */
struct amount {
    u64 entries, bits, paper_bits; /* bits: of an entry */
    double total, area, paper_area;
};

static struct amount amount_of(const struct ws_dimensions *dimensions, size_t of)
{
    const struct sizes sizes = sizes_of(dimensions);
    u32 entries[STRUCTURES], bits[STRUCTURES];
    count_entries(&sizes, entries);
    count_bits(&sizes, bits);
    const double total = (double)entries[of] * bits[of];
    return (struct amount){.entries = entries[of],
                           .bits = bits[of],
                           .paper_bits = structures[of].paper_bits,
                           .total = total,
                           .area = structures[of].paper_area * total / (double)structures[of].paper_bits,
                           .paper_area = structures[of].paper_area};
}

static struct amount sum_of(const char *paper, const struct ws_dimensions *dimensions)
{
    struct amount sum = {0};
    for (size_t n = 0; n < STRUCTURES; n++) {
        if (strcmp(structures[n].paper, paper) != 0)
            continue;
        const struct amount amount = amount_of(dimensions, n);
        sum.paper_bits += amount.paper_bits;
        sum.total += amount.total;
        sum.area += amount.area;
        sum.paper_area += amount.paper_area;
    }
    return sum;
}

struct chip {
    const char *paper, *other;
    double other_area, core_area, cores, area; /* mm2; core_area 0: not said */
};

/* The paper's chip; {0} without one. */
static struct chip chip_of(const char *paper, const struct ws_dimensions *dimensions)
{
    const struct sizes all = sizes_of(dimensions), *const sizes = &all;
    const struct chip chips[] = {
#define CHIP(paper, other, other_area, core_area, cores, chip_area) {#paper, other, other_area, core_area, cores, chip_area},
#include "report/storage.def"
    };
    (void)sizes;
    for (size_t n = 0; n < sizeof chips / sizeof *chips; n++)
        if (strcmp(chips[n].paper, paper) == 0)
            return chips[n];
    return (struct chip){0};
}

double ws_storage_core(const char *paper, const struct ws_dimensions *dimensions)
{
    const struct chip chip = chip_of(paper, dimensions);
    return chip.paper ? sum_of(paper, dimensions).area + chip.other_area : (double)NAN;
}

double ws_storage_core_percent(const char *paper, const struct ws_dimensions *dimensions)
{
    const struct chip chip = chip_of(paper, dimensions);
    return chip.core_area > 0 ? 100 * ws_storage_core(paper, dimensions) / chip.core_area : (double)NAN;
}

double ws_storage_chip(const char *paper, const struct ws_dimensions *dimensions)
{
    return chip_of(paper, dimensions).cores * ws_storage_core(paper, dimensions);
}

double ws_storage_percent(const char *paper, const struct ws_dimensions *dimensions)
{
    return 100 * ws_storage_chip(paper, dimensions) / chip_of(paper, dimensions).area;
}

/* ---- Tables ---- */

static bool is_point(const struct ws_shown *shown, size_t point)
{
    return strcmp(shown->measures->point[point], shown->figure->point) == 0;
}

static const struct ws_dimensions *dimensions_of(const struct ws_shown *shown)
{
    const size_t point = ws_measures_point(shown->measures, shown->figure->point);
    return point < shown->measures->points ? &shown->measures->dimensions[point] : NULL;
}

static void add_heads(struct ws_grid *grid)
{
    static const char *const heads[] = {"a core has", "entries", "bits of each", "bits", "paper", "mm2, scaled by bits", "paper"};
    for (size_t n = 0; n < sizeof heads / sizeof *heads; n++)
        ws_grid_cell(grid, "%s", heads[n]);
    ws_grid_end(grid);
}

static void add_sums(struct ws_grid *grid, const struct amount *amount)
{
    ws_grid_number(grid, "%.0f", amount->total);
    ws_grid_cell(grid, "%llu", (unsigned long long)amount->paper_bits);
    ws_grid_number(grid, "%.3f", amount->area);
    ws_grid_number(grid, "%.3f", amount->paper_area);
    ws_grid_end(grid);
}

static void add_chip(struct ws_grid *grid, const char *paper, const struct ws_dimensions *dimensions)
{
    const struct chip chip = chip_of(paper, dimensions);
    if (!chip.paper)
        return;
    ws_grid_cell(grid, "%s", chip.other);
    for (size_t blank = 0; blank < 4; blank++)
        ws_grid_cell(grid, " ");
    ws_grid_number(grid, "%.3f", chip.other_area);
    ws_grid_number(grid, "%.3f", chip.other_area);
    ws_grid_end(grid);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_dimensions *const dimensions = dimensions_of(shown);
    add_heads(grid);
    if (!dimensions)
        return;
    for (size_t n = 0; n < STRUCTURES; n++) {
        if (strcmp(structures[n].paper, shown->figure->paper) != 0)
            continue;
        const struct amount amount = amount_of(dimensions, n);
        ws_grid_cell(grid, "%s", structures[n].name);
        ws_grid_cell(grid, "%llu", (unsigned long long)amount.entries);
        ws_grid_cell(grid, "%llu", (unsigned long long)amount.bits);
        add_sums(grid, &amount);
    }
    const struct amount sum = sum_of(shown->figure->paper, dimensions);
    ws_grid_cell(grid, "all");
    ws_grid_cell(grid, " ");
    ws_grid_cell(grid, " ");
    add_sums(grid, &sum);
    add_chip(grid, shown->figure->paper, dimensions);
}

WS_GRID_TABLES(storage, fill)

/* ---- The picture ---- */

/* The n-th structure of the paper, or STRUCTURES. */
static size_t structure_at(const char *paper, size_t n)
{
    size_t at = 0;
    for (; at < STRUCTURES; at++)
        if (strcmp(structures[at].paper, paper) == 0 && n-- == 0)
            break;
    return at;
}

static const char *name(const struct ws_shown *shown, size_t group)
{
    return structures[structure_at(shown->figure->paper, group)].name;
}

static double area(const struct ws_shown *shown, size_t group, size_t point)
{
    return amount_of(&shown->measures->dimensions[point], structure_at(shown->figure->paper, group)).area;
}

static double paper_area(const struct ws_shown *shown, size_t group, size_t point)
{
    (void)point;
    return structures[structure_at(shown->figure->paper, group)].paper_area;
}

static struct ws_bars areas(const struct ws_shown *shown)
{
    size_t groups = 0;
    while (structure_at(shown->figure->paper, groups) < STRUCTURES)
        groups++;
    return (struct ws_bars){.title = "Area of a core's structures, mm2: the paper's, scaled by bits",
                            .groups = groups,
                            .group = name,
                            .bar = is_point,
                            .value = area,
                            .paper = paper_area};
}

WS_BARS_PICTURE(storage, areas(shown))
