/* How kernels are compiled that a job needs first. */
#ifndef WS_ENGINE_COMPILE_QUICK_H
#define WS_ENGINE_COMPILE_QUICK_H

#include <stdbool.h>

/* Whether WARPSWEEP_QUICK asks for little or no optimization, on the processor and on OpenCL devices that are one: a third of the
 * time to compile, twice that of jobs. GPUs and specialized kernels are always optimized. */
bool ws_compiles_quickly(void);

#endif
