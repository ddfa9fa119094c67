/* Energy of a run, by its parts. */
#ifndef WS_CLI_RUN_ENERGY_H
#define WS_CLI_RUN_ENERGY_H

#include "cli/run_report.h"

/* What --energy may be: "both", then the profiles. */
extern const char cli_energy_choices[];

/* Adds a table, a member "energy", columns of CSV (names or values, a comma before each) of the profiles that the run asks for;
 * nothing where it asks for none. */
void cli_energy_text(const struct cli_run *run, struct ws_text *out);
void cli_energy_json(const struct cli_run *run, struct ws_json *json);
void cli_energy_csv_names(const struct cli_run *run, struct ws_text *out);
void cli_energy_csv(const struct cli_run *run, struct ws_text *out);

#endif
