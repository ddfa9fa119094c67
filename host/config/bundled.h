/* YAML files by path, or embedded ones by name. */
#pragma once

#include "base/documents/yaml.h"

enum bundled_kind { BUNDLED_MACHINE, BUNDLED_EXPERIMENT, BUNDLED_SPACE };

/* Reads a bundled file of this kind by name, else a file. For an unknown name the error suggests the nearest bundled one. */
enum ws_status config_load_yaml(enum bundled_kind kind, const char *file_or_name, struct ws_yaml **root, struct ws_error *error);

/* Whether this is the name of a bundled file. */
bool config_is_bundled(enum bundled_kind kind, const char *name);
