/* What a process may say about itself, which Swift leaves out: prctl(2) takes any number of arguments. */
#include <sys/prctl.h>

/* No core dump, and no other process of the user may look into the memory; programs that this one starts are as usual.
   Returns 0, or -1 where the system refuses it. */
static inline int keep_memory_private(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
