/* Only the collectives: lane form group in a form that compiles everywhere. */
#include "lanes/selftest.h"

LANES_KERNEL void collectives(GLOBAL const u32 *in, GLOBAL u32 *out)
{
    LOCAL struct collectives_local local_words;
    try_collectives(&local_words, in, out);
}
