/* prctl(2), which Swift cannot call, because it takes a variable number of arguments. */
#include <sys/prctl.h>

/* Prevents core dumps, and prevents other processes of the user from reading this process's memory. Programs that it starts
   are not affected. Returns 0, or -1 if the system refuses. */
static inline int keep_memory_private(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
