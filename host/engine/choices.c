#include "warpsweep/engine.h"

const char ws_engine_choices[] = "auto"
#define ENGINE(name) "|" #name
#include "engine/engines.def"
#undef ENGINE
    ;

const char ws_specialize_choices[] = "auto|always|never";

const char ws_lane_form_choices[] = "auto"
#define LANE_FORM(name, ...) "|" #name
#include "engine/lane_forms.def"
#undef LANE_FORM
    ;
