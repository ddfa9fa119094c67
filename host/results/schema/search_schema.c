/* Tables and views of searches (docs/search.md, docs/results.md). */
#include "results/schema/schema.h"

#define OF_SEARCH "search_id INTEGER NOT NULL REFERENCES search ON DELETE CASCADE, "

void ws_schema_search_tables(struct ws_text *text)
{
    ws_text_add(
        text,
        "CREATE TABLE IF NOT EXISTS search (search_id INTEGER PRIMARY KEY, search TEXT NOT NULL, run INTEGER NOT NULL, "
        "identity TEXT NOT NULL, definition TEXT NOT NULL, method TEXT NOT NULL, seed INTEGER NOT NULL, fidelities INTEGER NOT "
        "NULL, budget_simulations INTEGER, budget_seconds REAL, ended TEXT, run_seconds REAL NOT NULL DEFAULT 0, "
        "run_choosing_seconds REAL NOT NULL DEFAULT 0, UNIQUE (search, run)) STRICT;\n"
        "CREATE TABLE IF NOT EXISTS search_experiment (search_experiment_id INTEGER PRIMARY KEY, " OF_SEARCH
        "fidelity INTEGER NOT NULL, size TEXT NOT NULL, experiment_id INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE, "
        "UNIQUE (search_id, fidelity)) STRICT;\n"
        "CREATE TABLE IF NOT EXISTS search_objective (search_objective_id INTEGER PRIMARY KEY, " OF_SEARCH
        "position INTEGER NOT NULL, objective TEXT NOT NULL, goal TEXT NOT NULL, expression TEXT NOT NULL, "
        "UNIQUE (search_id, position), UNIQUE (search_id, objective)) STRICT;\n"
        "CREATE TABLE IF NOT EXISTS search_limit (search_limit_id INTEGER PRIMARY KEY, " OF_SEARCH
        "position INTEGER NOT NULL, limits TEXT NOT NULL, UNIQUE (search_id, position)) STRICT;\n"
        "CREATE TABLE IF NOT EXISTS search_axis (search_axis_id INTEGER PRIMARY KEY, " OF_SEARCH
        "position INTEGER NOT NULL, parameter TEXT NOT NULL, choices TEXT NOT NULL, ordered INTEGER NOT NULL, baseline INTEGER, "
        "UNIQUE (search_id, position)) STRICT;\n"
        "CREATE TABLE IF NOT EXISTS search_point (search_point_id INTEGER PRIMARY KEY, " OF_SEARCH
        "ordinal INTEGER NOT NULL, generation INTEGER NOT NULL, fidelity INTEGER NOT NULL, choice TEXT NOT NULL, origin TEXT NOT "
        "NULL, point_id INTEGER REFERENCES point ON DELETE SET NULL, simulations INTEGER, status TEXT, excess REAL, "
        "on_front INTEGER NOT NULL DEFAULT 0, UNIQUE (search_id, ordinal), UNIQUE (search_id, fidelity, choice)) STRICT;\n"
        "CREATE INDEX IF NOT EXISTS search_point_by_point ON search_point (point_id);\n"
        "CREATE TABLE IF NOT EXISTS search_value (search_value_id INTEGER PRIMARY KEY, search_point_id INTEGER NOT NULL "
        "REFERENCES search_point ON DELETE CASCADE, search_objective_id INTEGER NOT NULL REFERENCES search_objective ON DELETE "
        "CASCADE, value REAL, UNIQUE (search_point_id, search_objective_id)) STRICT;\n");
}

/* Searches whose points at the full size are in the shown runs of experiments. */
#define SHOWN                                                                                                                      \
    "search_id IN (SELECT search_id FROM search_experiment JOIN search AS own USING (search_id) JOIN selected USING "              \
    "(experiment_id) WHERE fidelity + 1 = own.fidelities)"

/* The newest run of each search. */
#define NEWEST "search_id IN (SELECT max(search_id) FROM search GROUP BY search)"

void ws_schema_search_views(struct ws_text *text, bool chosen)
{
    const char *const prefix = chosen ? "temp." : "";
    ws_text_add(
        text,
        "DROP VIEW IF EXISTS %scandidate;\nCREATE VIEW %scandidate AS SELECT search, search.run AS run, ordinal, generation, "
        "fidelity, fidelity + 1 = fidelities AS whole, origin, choice, experiment, point, point.position AS point_position, "
        "simulations, status, excess, on_front, search_id, search_point_id, point_id FROM search JOIN search_point USING "
        "(search_id) LEFT JOIN point USING (point_id) LEFT JOIN %s AS experiment USING (experiment_id) WHERE %s;\n",
        prefix, prefix, chosen ? "selected" : "experiment", chosen ? SHOWN : NEWEST);
    ws_text_add(text,
                "DROP VIEW IF EXISTS %scandidate_value;\nCREATE VIEW %scandidate_value AS SELECT candidate.*, "
                "search_objective.position AS objective_position, objective, goal, value FROM candidate JOIN search_value USING "
                "(search_point_id) JOIN search_objective USING (search_objective_id);\n"
                "DROP VIEW IF EXISTS %sfront;\nCREATE VIEW %sfront AS SELECT * FROM candidate_value WHERE on_front;\n",
                prefix, prefix, prefix, prefix);
}
