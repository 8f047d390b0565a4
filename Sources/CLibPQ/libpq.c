#include "CLibPQ.h"

#include <dlfcn.h>

/* Every function of libpq that PostgreSQLClient calls: the result type, the name, the parameters and the arguments. The compiler
   checks them against libpq's header. */
#define FUNCTIONS(X) \
    X(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expand), (keywords, values, expand)) \
    X(PostgresPollingStatusType, PQconnectPoll, (PGconn *c), (c)) \
    X(char *, PQhost, (const PGconn *c), (c)) \
    X(char *, PQhostaddr, (const PGconn *c), (c)) \
    X(char *, PQport, (const PGconn *c), (c)) \
    X(int, PQbackendPID, (const PGconn *c), (c)) \
    X(void, PQfinish, (PGconn *c), (c)) \
    X(ConnStatusType, PQstatus, (const PGconn *c), (c)) \
    X(PGTransactionStatusType, PQtransactionStatus, (const PGconn *c), (c)) \
    X(int, PQserverVersion, (const PGconn *c), (c)) \
    X(int, PQsocket, (const PGconn *c), (c)) \
    X(char *, PQerrorMessage, (const PGconn *c), (c)) \
    X(const char *, PQparameterStatus, (const PGconn *c, const char *name), (c, name)) \
    X(PGVerbosity, PQsetErrorVerbosity, (PGconn *c, PGVerbosity verbosity), (c, verbosity)) \
    X(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *c, PQnoticeProcessor processor, void *context), (c, processor, context)) \
    X(PQconninfoOption *, PQconninfoParse, (const char *text, char **complaint), (text, complaint)) \
    X(PQconninfoOption *, PQconninfo, (PGconn *c), (c)) \
    X(void, PQconninfoFree, (PQconninfoOption *options), (options)) \
    X(PGcancel *, PQgetCancel, (PGconn *c), (c)) \
    X(void, PQfreeCancel, (PGcancel *cancel), (cancel)) \
    X(int, PQcancel, (PGcancel *cancel, char *complaint, int size), (cancel, complaint, size)) \
    X(PGresult *, PQexec, (PGconn *c, const char *sql), (c, sql)) \
    X(PGresult *, PQprepare, (PGconn *c, const char *name, const char *sql, int count, const Oid *types), \
      (c, name, sql, count, types)) \
    X(PGresult *, PQexecPrepared, \
      (PGconn *c, const char *name, int count, const char *const *values, const int *lengths, const int *formats, int format), \
      (c, name, count, values, lengths, formats, format)) \
    X(int, PQsendQueryPrepared, \
      (PGconn *c, const char *name, int count, const char *const *values, const int *lengths, const int *formats, int format), \
      (c, name, count, values, lengths, formats, format)) \
    X(int, PQsetSingleRowMode, (PGconn *c), (c)) \
    X(PGresult *, PQgetResult, (PGconn *c), (c)) \
    X(int, PQputCopyData, (PGconn *c, const char *bytes, int count), (c, bytes, count)) \
    X(int, PQputCopyEnd, (PGconn *c, const char *refusal), (c, refusal)) \
    X(int, PQconsumeInput, (PGconn *c), (c)) \
    X(PGnotify *, PQnotifies, (PGconn *c), (c)) \
    X(void, PQfreemem, (void *memory), (memory)) \
    X(void, PQclear, (PGresult *r), (r)) \
    X(ExecStatusType, PQresultStatus, (const PGresult *r), (r)) \
    X(char *, PQresultErrorField, (const PGresult *r, int field), (r, field)) \
    X(char *, PQcmdStatus, (PGresult *r), (r)) \
    X(char *, PQcmdTuples, (PGresult *r), (r)) \
    X(int, PQntuples, (const PGresult *r), (r)) \
    X(int, PQnfields, (const PGresult *r), (r)) \
    X(Oid, PQftype, (const PGresult *r, int column), (r, column)) \
    X(int, PQgetisnull, (const PGresult *r, int row, int column), (r, row, column)) \
    X(int, PQgetlength, (const PGresult *r, int row, int column), (r, row, column)) \
    X(char *, PQgetvalue, (const PGresult *r, int row, int column), (r, row, column)) \
    X(int, PQlibVersion, (void), ())

struct functions {
#define POINTER(result, name, parameters, arguments) result(*name) parameters;
    FUNCTIONS(POINTER)
};

/* The addresses of the functions, once the library is loaded. */
static struct functions library;

/* These functions are hidden; otherwise, the library could call them instead of its own functions with the same names. */
#pragma GCC visibility push(hidden)
#define FORWARD(result, name, parameters, arguments) \
    result name parameters { return library.name arguments; }
FUNCTIONS(FORWARD)
#pragma GCC visibility pop

/* RTLD_LOCAL hides the dependencies of the library (OpenSSL, Kerberos and LDAP) from the rest of the program.
   RTLD_DEEPBIND is not used. Without it, these dependencies look up symbols in the program first, but find none with the same
   name, because the program's BoringSSL has a prefix before each name, and release builds export no symbols. With it, they would
   not use a replaced memory allocator, and the address sanitizer refuses it. */
const char *libpq_load(const char *name) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return dlerror();
    struct functions found;
#define FIND(result, name, parameters, arguments) \
    if ((*(void **)&found.name = dlsym(handle, #name)) == NULL) return dlerror();
    FUNCTIONS(FIND)
    library = found;
    return NULL;
}
