#include "differential/mutants/processes.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/allocate.h"
#include "test.h"

/* A crash ends the process, whatever handlers the test has set. */
static void crash_plainly(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
}

static pid_t start(u32 n, int (*work)(u32 n))
{
    const pid_t process = fork();
    if (process == 0) {
        crash_plainly();
        _exit(work(n));
    }
    assert_true(process > 0);
    return process;
}

/* Waits for one of the processes. */
static void await_one(const pid_t *processes, u32 count, int *status)
{
    int code;
    const pid_t ended = wait(&code);
    for (u32 n = 0; n < count; n++)
        if (processes[n] == ended)
            status[n] = code;
}

void in_processes(const u32 *of, u32 count, int (*work)(u32 n), int *status)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pid_t *const processes = oracle_allocate(count, sizeof *processes);
    u32 running = 0;
    for (u32 n = 0; n < count; n++) {
        for (; running >= (u32)cores; running--)
            await_one(processes, n, status);
        processes[n] = start(of[n], work);
        running++;
    }
    for (; running > 0; running--)
        await_one(processes, count, status);
    free(processes);
}
