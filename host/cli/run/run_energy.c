#include "cli/run/run_report.h"

#include "cli/table.h"
#include "warpsweep/energy.h"

const char cli_energy_choices[] = "both"
#define ENERGY_PROFILE(name, idle, doc) "|" #name
#include "warpsweep/energy.def"
    ;

/* Columns of a profile. */
static const char *const columns[WS_ENERGY_PROFILES][2] = {
#define ENERGY_PROFILE(name, idle, doc) {#name ", nJ", "%"},
#include "warpsweep/energy.def"
};

enum { BOTH = 1 };

/* The n-th choice, from 1; none for 0. */
static bool wants(const struct cli_run *run, enum ws_energy_profile profile)
{
    return run->energy == BOTH || run->energy == BOTH + 1 + (size_t)profile;
}

/* In nanojoules; the sum follows the parts. */
static void measure(const struct cli_run *run, enum ws_energy_profile profile, double part[WS_ENERGY_PARTS + 1])
{
    ws_energy_by_part(&run->machine->machine, run->result->counters, 1, profile, part);
    part[WS_ENERGY_PARTS] = 0;
    for (size_t n = 0; n < WS_ENERGY_PARTS; n++)
        part[WS_ENERGY_PARTS] += part[n] /= 1000;
}

static const char *name(size_t part)
{
    return part < WS_ENERGY_PARTS ? ws_energy_part_names[part] : "all";
}

void cli_energy_text(const struct cli_run *run, struct ws_text *out)
{
    struct cli_table table = {.columns = {"energy"}};
    double part[WS_ENERGY_PROFILES][WS_ENERGY_PARTS + 1];
    size_t column = 1;
    if (run->energy == 0)
        return;
    for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
        measure(run, profile, part[profile]);
        for (size_t n = 0; wants(run, profile) && n < 2; n++)
            table.columns[column++] = columns[profile][n];
    }
    for (size_t n = 0; n <= WS_ENERGY_PARTS; n++) {
        cli_table_text(&table, name(n));
        for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
            if (!wants(run, profile))
                continue;
            cli_table_real(&table, part[profile][n], 1);
            cli_table_real(&table, 100 * part[profile][n] / part[profile][WS_ENERGY_PARTS], 1);
        }
    }
    ws_text_add(out, "\n");
    cli_table_print(&table, out);
    cli_table_free(&table);
}

void cli_energy_json(const struct cli_run *run, struct ws_json *json)
{
    double part[WS_ENERGY_PARTS + 1];
    if (run->energy == 0)
        return;
    ws_json_object(json, "energy");
    for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
        if (!wants(run, profile))
            continue;
        measure(run, profile, part);
        ws_json_object(json, ws_energy_profile_names[profile]);
        for (size_t n = 0; n <= WS_ENERGY_PARTS; n++)
            ws_json_real(json, name(n), part[n]);
        ws_json_end_object(json);
    }
    ws_json_end_object(json);
}

void cli_energy_csv_names(const struct cli_run *run, struct ws_text *out)
{
    for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++)
        for (size_t n = 0; wants(run, profile) && n <= WS_ENERGY_PARTS; n++)
            ws_text_add(out, ",%s_%s", ws_energy_profile_names[profile], name(n));
}

void cli_energy_csv(const struct cli_run *run, struct ws_text *out)
{
    double part[WS_ENERGY_PARTS + 1];
    for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
        if (!wants(run, profile))
            continue;
        measure(run, profile, part);
        for (size_t n = 0; n <= WS_ENERGY_PARTS; n++)
            ws_text_add(out, ",%.4f", part[n]);
    }
}
