#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "base/error.h"

enum { NO_SUCH_PROGRAM = 127 }; /* exit code where posix_spawnp itself cannot report the failure */

extern char **environ;

static enum ws_status cannot_start(const char *program, int cause, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_file, "%s: cannot be started: %s", program, strerror(cause));
}

enum ws_status ws_process_wait(pid_t process, const char *program, int *code, struct ws_error *error)
{
    int state;
    while (waitpid(process, &state, 0) < 0)
        if (errno != EINTR)
            return ws_fail(error, WS_STATUS_failed, "%s: %s", program, strerror(errno));
    if (WIFSIGNALED(state)) {
        const int cause = WTERMSIG(state);
        const bool wanted = cause == SIGINT || cause == SIGTERM;
        *code = WS_PROCESS_SIGNALLED + cause;
        return ws_fail(error, wanted ? WS_STATUS_interrupted : WS_STATUS_failed, "%s: ended by signal %d", program, cause);
    }
    *code = WEXITSTATUS(state);
    return *code == NO_SUCH_PROGRAM ? cannot_start(program, ENOENT, error) : WS_STATUS_ok;
}

enum ws_status ws_process_start(const char *const *words, pid_t *process, struct ws_error *error)
{
    /* posix_spawnp takes non-const arguments but does not change them */
    const int cause = posix_spawnp(process, words[0], NULL, NULL, (char *const *)(uintptr_t)words, environ);
    return cause == 0 ? WS_STATUS_ok : cannot_start(words[0], cause, error);
}

enum ws_status ws_process_run(const char *const *words, int *code, struct ws_error *error)
{
    pid_t process;
    *code = 0;
    WS_TRY(ws_process_start(words, &process, error));
    return ws_process_wait(process, words[0], code, error);
}
