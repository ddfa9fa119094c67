/* A machine: one field a parameter, all 32-bit, in the order of parameters.def. */
#ifndef WS_SHARED_MACHINE_H
#define WS_SHARED_MACHINE_H

#include "shared/dialect.h"

/* Values of choices: WS_SET_NAME, for instance WS_divergence_lwm. */
enum {
#define CHOICE(set, name, value, doc) WS_##set##_##name = value,
#include "shared/choices.def"
#undef CHOICE
    WS_CHOICES_END
};

struct ws_machine {
#define NUMBER(group, name, standard, least, most, unit, doc) u32 group##_##name;
#define POWER(group, name, standard, least, most, unit, doc)  u32 group##_##name;
#define CHOOSE(group, name, set, standard, doc)               u32 group##_##name;
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
};

#endif
