/* Files of a test, in a separate folder that is current while a test runs. */
#pragma once

/* Group set-up and tear-down of cmocka: makes and enters an empty folder; leaves and removes it with its files. */
int files_enter(void **state);
int files_leave(void **state);

/* Writes a file of the folder. */
void files_write(const char *name, const char *text);
