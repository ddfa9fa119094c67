/* The kernels of the native engine, cycle by cycle, with tallies for fewer pcs than most programs have: compiled once for each row
 * of one_by_one.def. */
#define WS_NO_SKIP
#define TALLIES 16
#include "engine/native/native_kernel.c"

#if SKIPS || defined(WS_SKIP_ROUNDS_H)
#error "WS_NO_SKIP leaves skips in"
#endif
