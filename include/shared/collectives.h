/* Input and output of the kernel that tests the collectives of lanes.h. */
#ifndef WS_SHARED_COLLECTIVES_H
#define WS_SHARED_COLLECTIVES_H

#include "shared/image.h"

/* Input: a value for each lane, then the lane to pick from. Output: these results of each lane. */
#define WS_COLLECTIVE_INPUTS (WS_LANES + 1)

enum {
    WS_COLLECTIVE_ballot,      /* lanes whose value is odd */
    WS_COLLECTIVE_least,       /* of all values */
    WS_COLLECTIVE_pick,        /* value of the lane to pick from */
    WS_COLLECTIVE_first,       /* value of the first lane */
    WS_COLLECTIVE_any,         /* whether a value is odd */
    WS_COLLECTIVE_none,        /* whether any of all zeros is nonzero */
    WS_COLLECTIVE_least_again, /* of all values */
    WS_COLLECTIVE_leaders,     /* of the lanes with an odd value, the first of each value / 2 % 8 */
    WS_COLLECTIVE_neighbour,   /* value of the next lane, cyclically, after a fence */
    WS_COLLECTIVES
};

#endif
