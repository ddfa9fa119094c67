/* The traces of an experiment. */
#pragma once

#include "base/documents/yaml.h"
#include "warpsweep/experiment.h"

/* Copies a file name; relative names are relative to the folder of the node's file. The caller frees *path. */
enum ws_status traces_path(const struct ws_yaml *node, const char *name, char **path, struct ws_error *error);

/* Adds a trace by its name, and the place of that name (ws_experiment.trace_places); both are copied. false: out of memory. */
bool traces_append(struct ws_experiment *experiment, const char *name, const char *place);

/* Adds the traces of a list, each once: files, folders, patterns, names of bundled workloads. */
enum ws_status traces_read(const struct ws_yaml *list, struct ws_experiment *experiment, struct ws_error *error);
