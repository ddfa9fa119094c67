#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/error.h"
#include "report/render.h"

extern char **environ;

/* Starts "gnuplot script"; 0 or the reason as an errno. */
static int start(const char *script, pid_t *child)
{
    char program[] = "gnuplot";
    char *const copy = strdup(script);
    char *const arguments[] = {program, copy, NULL};
    const int cause = copy ? posix_spawnp(child, program, NULL, NULL, arguments, environ) : ENOMEM;
    free(copy);
    return cause;
}

enum { LOST = -1, INTERRUPTED = -2, NO_SUCH_PROGRAM = 127 /* where starting cannot tell */ };

/* The exit code, or one of the above. */
static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return LOST;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM))
        return INTERRUPTED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : LOST;
}

enum ws_status ws_gnuplot(const char *script, struct ws_error *error)
{
    pid_t child;
    const int cause = start(script, &child);
    const int code = cause == 0 ? wait_for(child) : 0;
    if (cause == ENOENT || code == NO_SUCH_PROGRAM)
        return ws_fail(error, WS_STATUS_failed,
                       "gnuplot is not there: install it (Debian: gnuplot-nox fonts-dejavu-core) and draw with \"gnuplot %s\"",
                       script);
    if (cause != 0)
        return ws_fail(error, WS_STATUS_failed, "gnuplot cannot be started: %s", strerror(cause));
    if (code == INTERRUPTED)
        return ws_fail(error, WS_STATUS_interrupted, "interrupted while drawing; the same command goes on");
    if (code != 0)
        return ws_fail(error, WS_STATUS_failed, "gnuplot failed on %s", script);
    return WS_STATUS_ok;
}
