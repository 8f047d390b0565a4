/* libpq 13 or later: the client library of PostgreSQL that PostgreSQLClient stands on. */
#include <libpq-fe.h>
