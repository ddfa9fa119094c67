#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "warpsweep/engine.h"

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_DFL); /* a closed pipe ends the program quietly, whatever the parent process had set */
    if (ws_engine_self_test(argc, argv))
        quick_exit(0); /* the driver must not crash in an exit handler */
    const int exit_code = cli_main(argc, argv);
    if (exit_code == ws_status_exit_code(WS_STATUS_interrupted)) {
        fflush(NULL);
        quick_exit(exit_code); /* a driver thread may still compile with data that exit handlers would free */
    }
    return exit_code;
}
