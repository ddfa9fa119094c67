/* Runs of experiments in results files. */
#ifndef WS_CLI_RUNS_H
#define WS_CLI_RUNS_H

/* Says on stderr which experiments of a results file have earlier runs, which the views do not show. */
void cli_note_runs(const char *file);

#endif
