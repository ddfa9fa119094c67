/* Environment variables by which the command configures the capture layer. */
#pragma once

#define WS_CAPTURE_FOLDER        "WARPSWEEP_CAPTURE_FOLDER"
#define WS_CAPTURE_KERNEL        "WARPSWEEP_CAPTURE_KERNEL"
#define WS_CAPTURE_FIRST         "WARPSWEEP_CAPTURE_FIRST"
#define WS_CAPTURE_LAST          "WARPSWEEP_CAPTURE_LAST"
#define WS_CAPTURE_LIMIT         "WARPSWEEP_CAPTURE_LIMIT"
#define WS_CAPTURE_CHECK         "WARPSWEEP_CAPTURE_CHECK"
#define WS_CAPTURE_BINARIES      "WARPSWEEP_CAPTURE_BINARIES"
#define WS_CAPTURE_KEEP_BINARIES "WARPSWEEP_CAPTURE_KEEP_BINARIES"
/* For CUDA programs: the machine whose GPU they find, and options of the front end. */
#define WS_CAPTURE_DEVICE   "WARPSWEEP_CAPTURE_DEVICE"
#define WS_CAPTURE_LENIENT  "WARPSWEEP_CAPTURE_LENIENT"
#define WS_CAPTURE_LOCKSTEP "WARPSWEEP_CAPTURE_LOCKSTEP"
#define WS_CAPTURE_WORKERS  "WARPSWEEP_CAPTURE_WORKERS" /* cores that execute a launch; default all */
#define WS_CAPTURE_MOST     "WARPSWEEP_CAPTURE_MOST"    /* instructions of a thread */

/* Files of the folder. The list has a line for each event: NUMBER STATE KERNEL. A "captured" launch adds its program and
 * BUFFER:TYPE=FILE for the final contents of each buffer (for an image, its channel format); a "skipped" or "refused" one,
 * the reason. */
#define WS_CAPTURE_LIST    "launches.txt"
#define WS_CAPTURE_COUNT   ".count"
#define WS_CAPTURE_REFUSED ".refused"
#define WS_CAPTURE_CUDA    ".cuda" /* the program has loaded the stand-in for NVIDIA's libraries */
