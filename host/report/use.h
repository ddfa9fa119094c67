/* Classes of active lanes in words. */
#ifndef WS_REPORT_USE_H
#define WS_REPORT_USE_H

#include "report/measures.h"

/* "none", "1 to 8", ...; shares where points have packets of different sizes. A class that packets are too small for has no words.
 */
struct ws_use_words {
    char text[WS_USES][32];
    const char *words[WS_USES];
};
void ws_use_words(struct ws_use_words *words, const struct ws_measures *measures);

/* Their colours. */
extern const char *const ws_use_colours[WS_USES];

#endif
