/* Instruction set extensions of the host's processor. */
#ifndef WS_ENGINE_NATIVE_PROCESSOR_H
#define WS_ENGINE_NATIVE_PROCESSOR_H

#ifdef WS_NATIVE_AVX2
#include <cpuid.h>
#include <stdbool.h>

#include "shared/dialect.h"

/* All extensions for which the functions named avx2 are compiled. Without the lzcnt extension a processor decodes lzcnt as another
 * instruction. */
static inline bool ws_has_avx2_and_bits(void)
{
    u32 a, b, c, d;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt") && __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & bit_LZCNT);
}
#endif

#endif
