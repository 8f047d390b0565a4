#pragma once

/* The header of libpq, the client library of PostgreSQL, version 13 or later. */
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h> /* on Debian */
#endif

/* Loads the library with this name. No function of libpq must be called before this has succeeded. Only the functions listed
   in libpq.c can be called; for any other function, linking fails. This function is not thread-safe.
   Returns NULL, or the system's error message, which the next call may overwrite; after an error, nothing has changed. */
const char *_Nullable libpq_load(const char *_Nonnull name);
