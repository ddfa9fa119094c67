#include <string.h>

#include "base/error.h"
#include "config/parameters.h"
#include "shared/image.h"

enum {
    LONGEST_VALUE = 32,
    SMALL_WARP = 32,
    LARGEST_WARP = 512,
    LEAST_MSHRS = 32,
    LEAST_L0 = 64,
    WIDEST = 4 /* words per lane access */
};

static bool is_read(const struct ws_machine *machine, size_t n)
{
    return ws_machine_unread(machine, n) == PARAMETERS;
}

static bool power_of_two(u32 value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static enum ws_status check_ranges(const struct ws_machine *machine, struct ws_error *error)
{
    char text[LONGEST_VALUE];
    u32 value;
    for (size_t n = 0; n < PARAMETERS; n++) {
        if (config_within(n, config_value(machine, n)))
            continue;
        if (!error)
            return WS_STATUS_bad_input;
        ws_machine_get(machine, n, text, sizeof text);
        return config_parse(n, text, &value, error);
    }
    return WS_STATUS_ok;
}

size_t ws_variant_find(const struct ws_variant *variant)
{
    size_t count, n = 0;
    const struct ws_variant *const variants = ws_variants(&count);
    while (n < count &&
           (strcmp(variants[n].pipeline, variant->pipeline) != 0 || strcmp(variants[n].divergence, variant->divergence) != 0 ||
            strcmp(variants[n].policy, variant->policy) != 0 || strcmp(variants[n].dispatch, variant->dispatch) != 0))
        n++;
    return n;
}

size_t ws_machine_variant(const struct ws_machine *machine)
{
    return ws_variant_find(&(struct ws_variant){.pipeline = config_chosen(machine, PARAMETER_core_pipeline),
                                                .divergence = config_chosen(machine, PARAMETER_divergence_unit),
                                                .policy = config_chosen(machine, PARAMETER_schedule_policy),
                                                .dispatch = config_chosen(machine, PARAMETER_core_dispatch)});
}

static enum ws_status check_variant(const struct ws_machine *machine, struct ws_error *error)
{
    size_t count;
    ws_variants(&count);
    if (ws_machine_variant(machine) < count)
        return WS_STATUS_ok;
    return error ? config_fail_variant(machine, error) : WS_STATUS_bad_input;
}

static enum ws_status check_warp_size(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 size = machine->core_warp_size;
    if (machine->divergence_unit != WS_divergence_lwm && size > SMALL_WARP)
        return ws_fail(error, WS_STATUS_bad_input,
                       "core.warp_size: found %u, allowed are at most %d threads unless divergence.unit is lwm", size, SMALL_WARP);
    if (machine->divergence_unit == WS_divergence_lwm && (size % SMALL_WARP != 0 || size > LARGEST_WARP))
        return ws_fail(error, WS_STATUS_bad_input,
                       "core.warp_size: found %u, allowed are %d to %d threads where divergence.unit is lwm", size, SMALL_WARP,
                       LARGEST_WARP);
    return WS_STATUS_ok;
}

static enum ws_status check_warps(const struct ws_machine *machine, struct ws_error *error)
{
    char unit[LONGEST_VALUE];
    const u32 most = ws_machine_slots(machine);
    if (machine->core_warps <= most)
        return WS_STATUS_ok;
    ws_machine_get(machine, PARAMETER_divergence_unit, unit, sizeof unit);
    return ws_fail(error, WS_STATUS_bad_input, "core.warps: found %u, allowed are at most %u where divergence.unit is %s",
                   machine->core_warps, most, unit);
}

static enum ws_status check_compaction(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 threads = machine->divergence_compaction_block, size = machine->core_warp_size;
    if (machine->divergence_unit != WS_divergence_tbc || threads >= size)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input,
                   "divergence.compaction_block: found %u, allowed is at least core.warp_size, %u threads", threads, size);
}

/* A lane's words must lie in different banks, so that an access takes at most 32 passes. */
static enum ws_status check_banks(const struct ws_machine *machine, struct ws_error *error)
{
    if (machine->memory_shared_wide == WS_shared_wide_word || machine->memory_shared_banks >= WIDEST)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input,
                   "memory.shared_banks: found %u, allowed are at least %d unless memory.shared_wide is word",
                   machine->memory_shared_banks, WIDEST);
}

/* Packets of large warps leave the pipeline in issue order. */
static enum ws_status check_port(const struct ws_machine *machine, struct ws_error *error)
{
    if (machine->divergence_unit != WS_divergence_lwm)
        return WS_STATUS_ok;
    if (machine->memory_data_port != WS_data_port_select)
        return ws_fail(error, WS_STATUS_bad_input, "memory.data_port: found '%s', allowed is select where divergence.unit is lwm",
                       config_chosen(machine, PARAMETER_memory_data_port));
    if (machine->l1_latency != 0)
        return ws_fail(error, WS_STATUS_bad_input, "l1.latency: found %u, allowed is 0 where divergence.unit is lwm",
                       machine->l1_latency);
    return WS_STATUS_ok;
}

/* Path units that form packets from single threads. */
static enum ws_status check_pool(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 entries = machine->dwf_lut, ways = machine->dwf_lut_ways;
    if (ws_path_issues(machine->divergence_unit) != WS_ISSUES_threads)
        return WS_STATUS_ok;
    if (machine->icache_size != 0)
        return ws_fail(error, WS_STATUS_bad_input, "icache.size: found %u, allowed is 0 (always hits) where divergence.unit is %s",
                       machine->icache_size, config_chosen(machine, PARAMETER_divergence_unit));
    if (!is_read(machine, PARAMETER_dwf_lut) || (entries % ways == 0 && (entries == 0 || power_of_two(entries / ways))))
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input,
                   "dwf.lut: found %u, allowed are 0 (no limit) and a power of two of dwf.lut_ways = %u entries", entries, ways);
}

/* Slices of one set of warps; each slice is an issue port. */
static enum ws_status check_slices(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 slices = WS_SLICES(machine);
    if (ws_path_issues(machine->divergence_unit) != WS_ISSUES_slices)
        return WS_STATUS_ok;
    if (machine->core_issue_ports != 1)
        return ws_fail(error, WS_STATUS_bad_input,
                       "core.issue_ports: found %u, allowed is 1 where divergence.unit is vws, whose slices are its issue ports",
                       machine->core_issue_ports);
    if (machine->core_issue_port_order != WS_port_order_fixed)
        return ws_fail(error, WS_STATUS_bad_input,
                       "core.issue_port_order: found 'rotate', allowed is fixed where divergence.unit is vws");
    if (machine->core_warps % slices != 0)
        return ws_fail(error, WS_STATUS_bad_input,
                       "core.warps: found %u, allowed are multiples of 32 / core.warp_size = %u where divergence.unit is vws",
                       machine->core_warps, slices);
    if (machine->vws_l0 != 0 && (machine->vws_l0 < LEAST_L0 || !power_of_two(machine->vws_l0)))
        return ws_fail(error, WS_STATUS_bad_input, "vws.l0: found %u, allowed are 0 (none) and powers of two from %d to 1024 bytes",
                       machine->vws_l0, LEAST_L0);
    return WS_STATUS_ok;
}

static enum ws_status check_mshrs(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 mshrs = machine->l1_mshrs;
    if (mshrs == 0 || mshrs >= LEAST_MSHRS || ws_pipeline_facts(machine->core_pipeline).levels ||
        !is_read(machine, PARAMETER_l1_mshrs))
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input,
                   "l1.mshrs: found %u, allowed are 0 (no limit) or at least %d: one access may need as many", mshrs, LEAST_MSHRS);
}

static enum ws_status check_cache(const char *level, u32 size, u32 ways, u32 line, struct ws_error *error)
{
    if (size >= ways * line)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input, "%s.size: found %u, allowed are at least %s.ways x %s.line = %u bytes", level, size,
                   level, level, ways * line);
}

/* Sectors have at least a granule, and are never dirty. */
static enum ws_status check_sectors(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 sectors = machine->l1_sectors;
    if (sectors * WS_GRANULE_BYTES > machine->l1_line)
        return ws_fail(error, WS_STATUS_bad_input, "l1.sectors: found %u, allowed are at most l1.line / %u = %u", sectors,
                       WS_GRANULE_BYTES, machine->l1_line / WS_GRANULE_BYTES);
    if (sectors > 1 && machine->l1_store == WS_store_back)
        return ws_fail(error, WS_STATUS_bad_input, "l1.sectors: found %u, allowed is 1 where l1.store is back", sectors);
    if (is_read(machine, PARAMETER_l2_sectors) && machine->l2_sectors != 1 && machine->l2_sectors != sectors)
        return ws_fail(error, WS_STATUS_bad_input, "l2.sectors: found %u, allowed are 1 and l1.sectors = %u", machine->l2_sectors,
                       sectors);
    return WS_STATUS_ok;
}

static enum ws_status check_l1(const struct ws_machine *machine, struct ws_error *error)
{
    if (!is_read(machine, PARAMETER_l1_size))
        return WS_STATUS_ok;
    if (machine->l1_bypass == WS_toggle_on && machine->l1_store == WS_store_back)
        return ws_fail(error, WS_STATUS_bad_input,
                       "l1.bypass: found 'on', allowed is off where l1.store is back: lines that are dirty are nowhere else");
    return check_cache("l1", machine->l1_size, machine->l1_ways, machine->l1_line, error);
}

static enum ws_status check_icache(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 size = machine->icache_size;
    if (size == 0)
        return WS_STATUS_ok;
    if (!power_of_two(size))
        return ws_fail(error, WS_STATUS_bad_input,
                       "icache.size: found %u, allowed is a power of two, or 0 for a cache that always hits", size);
    return check_cache("icache", size, machine->icache_ways, machine->icache_line, error);
}

/* A cache with a power-of-two number of sets, or size 0. */
static enum ws_status check_sets(const char *level, u32 size, u32 ways, u32 line, struct ws_error *error)
{
    if (size == 0 || (size % (ways * line) == 0 && power_of_two(size / (ways * line))))
        return WS_STATUS_ok;
    return ws_fail(
        error, WS_STATUS_bad_input,
        "%s.size: found %u, allowed are 0, for a cache that always hits, or a power of two of %s.ways x %s.line = %u bytes", level,
        size, level, level, ways * line);
}

static enum ws_status check_constants(const struct ws_machine *machine, struct ws_error *error)
{
    if (!is_read(machine, PARAMETER_constant_size))
        return WS_STATUS_ok;
    WS_TRY(check_sets("constant", machine->constant_size, machine->constant_ways, machine->constant_line, error));
    return check_sets("texture", machine->texture_size, machine->texture_ways, machine->texture_line, error);
}

static enum ws_status check_l2(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 set = machine->l2_ways * machine->l1_line;
    if (machine->l2_size % set == 0 || !is_read(machine, PARAMETER_l2_size))
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input, "l2.size: found %u, allowed are multiples of l2.ways x l1.line = %u bytes",
                   machine->l2_size, set);
}

static enum ws_status check_l0(const struct ws_machine *machine, struct ws_error *error)
{
    const u32 set = machine->icache_line * machine->subcore_l0_ways;
    if (!is_read(machine, PARAMETER_subcore_l0) || machine->subcore_l0 >= set)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input,
                   "subcore.l0: found %u, allowed are at least subcore.l0_ways x icache.line = %u bytes", machine->subcore_l0, set);
}

/* Features that some pipelines lack. */
static enum ws_status check_pipeline(const struct ws_machine *machine, struct ws_error *error)
{
    const struct ws_pipeline_facts facts = ws_pipeline_facts(machine->core_pipeline);
    const char *const pipeline = config_chosen(machine, PARAMETER_core_pipeline);
    if (machine->core_issue_ports > facts.ports)
        return ws_fail(error, WS_STATUS_bad_input, "core.issue_ports: found %u, allowed is %u where core.pipeline is %s",
                       machine->core_issue_ports, facts.ports, pipeline);
    if (machine->l1_store == WS_store_evict && !facts.levels)
        return ws_fail(error, WS_STATUS_bad_input,
                       "l1.store: found 'evict', allowed are through and back where core.pipeline is %s", pipeline);
    return WS_STATUS_ok;
}

enum ws_status ws_machine_check(const struct ws_machine *machine, struct ws_error *error)
{
    static enum ws_status (*const checks[])(const struct ws_machine *, struct ws_error *) = {
        check_ranges, check_variant,   check_warps,  check_warp_size, check_compaction, check_banks,
        check_port,   check_pool,      check_slices, check_mshrs,     check_sectors,    check_l1,
        check_icache, check_constants, check_l2,     check_pipeline,  check_l0,
    };
    for (size_t n = 0; n < sizeof checks / sizeof *checks; n++)
        WS_TRY(checks[n](machine, error));
    return WS_STATUS_ok;
}
