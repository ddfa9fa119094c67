#ifndef WS_SHARED_STATUS_H
#define WS_SHARED_STATUS_H

enum ws_status {
#define STATUS(name, value, exit_code, text) WS_STATUS_##name = value,
#include "shared/results/status.def"
#undef STATUS
    WS_STATUSES
};

#endif
