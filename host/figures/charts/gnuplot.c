#include "base/error.h"
#include "base/process.h"
#include "figures/shown.h"

/* Without a font gnuplot silently draws pictures without text. If no tool lists fonts, assumes that there are some. */
static enum ws_status check_fonts(struct ws_error *error)
{
    static const char *const words[] = {"sh", "-c",
                                        "! command -v fc-list >/dev/null || test -n \"$(fc-list 2>/dev/null | head -n 1)\"", NULL};
    int code = 0;
    const enum ws_status status = ws_process_run(words, &code, error);
    if (status == WS_STATUS_no_file || (status == WS_STATUS_ok && code == 0))
        return WS_STATUS_ok;
    if (status != WS_STATUS_ok)
        return status;
    return ws_fail(error, WS_STATUS_failed,
                   "no font is installed, and pictures would have no text: install one (Debian: fontconfig fonts-dejavu-core)");
}

enum ws_status ws_gnuplot(const char *script, struct ws_error *error)
{
    enum { NOT_FOUND = 127 };                                                       /* exit code of env */
    const char *const words[] = {"env", "LC_ALL=C.UTF-8", "gnuplot", script, NULL}; /* gnuplot warns of UTF-8 elsewhere */
    int code = 0;
    WS_TRY(check_fonts(error));
    const enum ws_status status = ws_process_run(words, &code, error);
    if (status == WS_STATUS_no_file || (status == WS_STATUS_ok && code == NOT_FOUND))
        return ws_fail(error, WS_STATUS_failed,
                       "gnuplot is not installed: install it (Debian: gnuplot-nox fonts-dejavu-core) and draw with \"gnuplot %s\"",
                       script);
    if (status == WS_STATUS_interrupted)
        return ws_fail(error, status, "interrupted while drawing; run the same command again");
    if (status != WS_STATUS_ok || code != 0)
        return ws_fail(error, WS_STATUS_failed, "gnuplot failed on %s; its own message is above", script);
    return WS_STATUS_ok;
}
