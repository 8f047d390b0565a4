/* Linked into the programs that .ci/sanitize builds. Contains the sanitizer's options, which therefore apply to every child process in any
 * environment; suppressions, each with its reason; and synchronisation that the thread sanitizer cannot see. The script defines REPORTS and
 * SYMBOLIZER.
 */
#include <stdint.h>

#define COMMON "log_path=" REPORTS ":external_symbolizer_path=" SYMBOLIZER

#if defined(ADDRESS)

/* detect_leaks=0: Swift keeps flags in spare bits of pointers, so leak detection misses these pointers and reports false leaks.
 * detect_stack_use_after_return=0: it does not know frames of async functions, which are not on the stack.
 */
const char *__asan_default_options(void) {
    return COMMON ":detect_leaks=0:detect_stack_use_after_return=0:abort_on_error=0:exitcode=99";
}

#elif defined(THREAD)

const char *__tsan_default_options(void) {
    /* Processes continue after a report, so one run finds everything; they exit with 99. */
    return COMMON ":halt_on_error=0:exitcode=99:second_deadlock_stack=1";
}

/* One line each, with the reason above it; only for dependencies and the Swift runtime. */
const char *__tsan_default_suppressions(void) {
    return "";
}

/* The slow paths of Synchronization.Mutex, for contended locks, are in a toolchain library built without the sanitizer. It therefore does not
 * see these locks, and reports races for everything they guard. The fast paths are compiled into each caller. The linker inserts these two
 * functions (--wrap), which tell the sanitizer.
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
