#include <signal.h>

#include "cli/cli.h"

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_DFL); /* a reader who has seen enough ends the program quietly, whatever the caller had set */
    return cli_main(argc, argv);
}
