/* Initial contents of a launch file's buffers. */
#ifndef WS_FRONTEND_FILL_H
#define WS_FRONTEND_FILL_H

#include "frontend/element.h"

/* Writes count elements to data as the fill node says (NULL is zero). File names are relative to the launch file; seed is for
 * random fills that give none. data holds count * element->bits / 8 bytes. */
enum ws_status ws_fill(const struct ws_yaml *fill, const struct ws_element *element, u64 count, u64 seed, void *data,
                       struct ws_error *error);

#endif
