/* Statistics of each instruction and source line of a run (docs/lines.md), from the events of the timeline and the counters of
 * single cycles. */
#pragma once

#include "base/documents/json.h"
#include "cli/trace/source_lines.h"
#include "warpsweep/engine.h"

enum cli_lines_column {
#define LINES(name, unit, each, counter, doc) CLI_LINES_##name,
#include "cli/run/lines.def"
#undef LINES
    CLI_LINES_COLUMNS
};

enum { CLI_LINES_PORTS = 8 };

struct cli_lines {
    const struct ws_launch *launch; /* of a trace that stays open */
    struct cli_source source;
    const char *source_name; /* as given; NULL: none was */
    bool has[CLI_LINES_COLUMNS];
    u64 (*by_pc)[CLI_LINES_COLUMNS]; /* of each pc, and behind them what belongs to none */
    u64 waits[CLI_LINES_PORTS][3];   /* stall slots of each port since its last issue, by kind */
    u32 pc, issues;                  /* of the quantum: the last issue, and their number */
    u64 end;                         /* of the last quantum */
};

/* Opens the statistics of a run of the launch on a machine. source: a file whose lines the program has, or NULL.
 * To be freed by cli_lines_free, also after an error. */
enum ws_status cli_lines_open(struct cli_lines *lines, const struct ws_launch *launch, const struct ws_machine *machine,
                              const char *source, struct ws_error *error);

/* The interval that the run's quanta need; 0: any. */
u32 cli_lines_interval(const struct cli_lines *lines);

/* Adds an event, and a quantum after its events. */
void cli_lines_event(struct cli_lines *lines, const struct ws_timeline_event *event);
void cli_lines_quantum(struct cli_lines *lines, u64 from, const u64 *counters);

/* After the run: what has waited for no issue belongs to none. */
void cli_lines_close(struct cli_lines *lines);

/* Forgets what was added: the run starts again. */
void cli_lines_restart(struct cli_lines *lines);
void cli_lines_free(struct cli_lines *lines);

/* Adds the statistics as a table with a row per line, the one with most slots first, or as a member "lines" with a row per pc. */
void cli_lines_text(const struct cli_lines *lines, struct ws_text *out);
void cli_lines_json(const struct cli_lines *lines, struct ws_json *json);
