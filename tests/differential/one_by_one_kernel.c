/* The kernels as the native engine has them, each cycle by itself: compiled once for each row of one_by_one.def. */
#define WS_NO_ROUNDS
#include "engine/native/native_kernel.c"

#ifdef WS_ROUNDS_BARREL_H
#error "WS_NO_ROUNDS leaves the rounds in"
#endif
