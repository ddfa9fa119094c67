#include <stdlib.h>
#include <string.h>

#include "manual/manual.h"

/* Cuts what says how often an argument may be given: "[FILE...]" is FILE, several. Brackets in a name ("PAPER[/FIGURE]") stay. */
static char *cut(char *word, bool *several)
{
    size_t length = strlen(word);
    if (word[0] == '[' && word[length - 1] == ']') {
        word[length - 1] = 0;
        word++;
        length -= 2;
    }
    *several = length > 3 && strcmp(word + length - 3, "...") == 0;
    if (*several)
        word[length - 3] = 0;
    return word;
}

enum ws_status arguments_read(const struct argp *parser, add_argument *add, void *context, struct ws_error *error)
{
    char *const words = strdup(parser->args_doc ? parser->args_doc : "");
    if (!words)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory");
    enum ws_status status = WS_STATUS_ok;
    bool value = false; /* the word belongs to the option before it */
    char *place;
    for (char *word = strtok_r(words, " \n", &place); word && status == WS_STATUS_ok; word = strtok_r(NULL, " \n", &place)) {
        bool several;
        const bool option = word[0] == '-';
        if (!option && !value) {
            word = cut(word, &several);
            status = add(context, word, several, error);
        }
        value = option;
    }
    free(words);
    return status;
}
