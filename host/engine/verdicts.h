/* What the cache knows of a device's lane forms, for `list devices`. */
#ifndef WS_ENGINE_VERDICTS_H
#define WS_ENGINE_VERDICTS_H

#include "base/text.h"
#include "engine/device.h"

/* Adds which form of lanes is used on a device and why: from verdicts of earlier self-tests alone, nothing is built or run on it.
 */
void ws_verdicts_add(const struct ws_cl_device *device, struct ws_text *text);

#endif
