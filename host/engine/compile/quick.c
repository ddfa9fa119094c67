#include "engine/compile/quick.h"

#include <stdlib.h>

bool ws_compiles_quickly(void)
{
    const char *const quick = getenv("WARPSWEEP_QUICK");
    return quick && *quick;
}
