#include "CLibPQ.h"

#include <dlfcn.h>

/* Every function of libpq that PostgreSQLClient calls: what it returns, its name, its parameters, and what it is given. The compiler
   compares them with libpq's header. */
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

/* Where the library has them, once it is loaded. */
static struct functions library;

/* Hidden, or the library itself could take them for its own, whose names they have. */
#pragma GCC visibility push(hidden)
#define FORWARD(result, name, parameters, arguments) \
    result name parameters { return library.name arguments; }
FUNCTIONS(FORWARD)
#pragma GCC visibility pop

/* RTLD_LOCAL: nothing else of the program is to find what the library brings along, which is OpenSSL, Kerberos and LDAP.
   Not RTLD_DEEPBIND: without it these look for what they need in the program first, but find nothing there that has the name of
   something of theirs. The BoringSSL in the program has a prefix before each of its names, and a release of it shows none at all.
   With it, they would not have the memory allocator that the rest of the program has where another one is put in its place,
   and the address sanitizer refuses it. */
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
