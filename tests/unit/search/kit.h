/* Spaces and searches for the tests of search methods. */
#pragma once

#include "search/method.h"

enum { KIT_AXES = 8, KIT_ROOM = 20000 };

/* A search over a space: candidates and their values. */
struct kit {
    struct ws_search_space space;
    struct ws_search_axis axis[KIT_AXES];
    /* Fills in objectives and excess of a candidate; NULL leaves them 0. */
    void (*measure)(const u32 *choice, u32 fidelity, double *objective, double *excess);
    struct ws_search_settings settings;
    u64 seed;
    struct ws_search_candidate *candidate;
    u32 *choice;
    double *objective;
    u32 count, generation;
    struct ws_search_proposals last; /* of the last generation; its arrays are invalid */
};

/* A search over ordered axes of these numbers of values, ended by 0. */
void kit_begin(struct kit *kit, const u32 *values);
void kit_end(struct kit *kit);

/* Proposes and measures a generation. Fails the test if a proposal is illegal, out of range or repeated, or if the same request
 * gives other proposals. Returns their number. */
u32 kit_generation(struct kit *kit, const char *method, u32 wanted);
