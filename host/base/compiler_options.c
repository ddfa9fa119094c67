#include "base/compiler_options.h"

#include <string.h>

const char *const ws_compiler_options[] = {
#define OPTION(text) text,
#include "warpsweep/compiler_options.def"
#undef OPTION
    NULL};

static bool takes(const char *option, const char *word)
{
    const size_t length = strlen(option);
    const bool open = option[length - 1] == '=' || strchr("DUI", option[length - 1]);
    return open ? strncmp(option, word, length) == 0 : strcmp(option, word) == 0;
}

bool ws_compiler_option(const char *word)
{
    for (size_t n = 0; ws_compiler_options[n]; n++)
        if (takes(ws_compiler_options[n], word))
            return true;
    return false;
}

const char *ws_compiler_word(const char *text, struct ws_text *word)
{
    char quote = 0;
    word->length = 0;
    ws_text_bytes(word, "", 0);
    text += strspn(text, " \t\n\r");
    if (!*text)
        return NULL;
    for (; *text && (quote || !strchr(" \t\n\r", *text)); text++) {
        if (*text == quote)
            quote = 0;
        else if (!quote && (*text == '"' || *text == '\''))
            quote = *text;
        else
            ws_text_bytes(word, *text == '\\' && text[1] ? ++text : text, 1);
    }
    return text;
}
