/* What the programs that .ci/sanitize builds are linked with beside the sanitizer: its options, which so hold for every process that the
 * tests start too, whatever environment that has; what is suppressed, each with its reason; and what the thread sanitizer cannot see by
 * itself. REPORTS and SYMBOLIZER are given by the script.
 */
#include <stdint.h>

#define COMMON "log_path=" REPORTS ":external_symbolizer_path=" SYMBOLIZER

#if defined(ADDRESS)

/* detect_leaks=0: Swift keeps flags in the spare bits of pointers, and the search for leaks takes what only such a pointer leads to for lost.
 * detect_stack_use_after_return=0: a frame of an async function that is not on the stack is not known to it.
 */
const char *__asan_default_options(void) {
    return COMMON ":detect_leaks=0:detect_stack_use_after_return=0:abort_on_error=0:exitcode=99";
}

#elif defined(THREAD)

const char *__tsan_default_options(void) {
    /* Each process goes on to its end, so that one start of the suite tells all; its code is 99 then. */
    return COMMON ":halt_on_error=0:exitcode=99:second_deadlock_stack=1";
}

/* One line each, with its reason above it; only what is a dependency's, or the Swift runtime's, may stand here. */
const char *__tsan_default_suppressions(void) {
    return "";
}

/* The slow ways of Synchronization.Mutex, which a thread takes that has to wait or is waited for, are in a library of the toolchain that was
 * built without the sanitizer: it does not see that the lock was handed over, and took all that a lock guards for races. The fast ways
 * are compiled into each caller. The linker puts these two in between (--wrap), and they tell it.
 */
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);
SWIFT void lock_slowly(uint32_t thread, SELF void *handle) __asm__("__real_" LOCK);
SWIFT void unlock_slowly(SELF void *handle) __asm__("__real_" UNLOCK);
SWIFT void lock(uint32_t thread, SELF void *handle) __asm__("__wrap_" LOCK);
SWIFT void unlock(SELF void *handle) __asm__("__wrap_" UNLOCK);

SWIFT void lock(uint32_t thread, SELF void *handle) {
    lock_slowly(thread, handle);
    __tsan_acquire(handle);
}

SWIFT void unlock(SELF void *handle) {
    __tsan_release(handle);
    unlock_slowly(handle);
}

#endif
