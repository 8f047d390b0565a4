#pragma once

/* libpq 13 or later: the client library of PostgreSQL that PostgreSQLClient stands on, as its own header has it. */
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h> /* Debian's place */
#endif

/* Loads the library of this name; before it has succeeded, no function of libpq may be called, and only those can be that
   libpq.c lists: any other is missing when the program is linked. Not for several threads at once.
   Returns NULL, or why it cannot be loaded, in the words of the system, which the next call may overwrite; then nothing has changed. */
const char *_Nullable libpq_load(const char *_Nonnull name);
