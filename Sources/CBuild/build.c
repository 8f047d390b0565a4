#include "CBuild.h"

#include <features.h>
#include <sqlite3.h>
#include <stddef.h>
#include <yaml.h>

#define TEXT(words) #words
#define VALUE(macro) TEXT(macro)

const char *build_commit(void) {
#ifdef HUBSEND_COMMIT
    return VALUE(HUBSEND_COMMIT);
#else
    return NULL;
#endif
}

const char *build_compiler(void) { return __VERSION__; }

const char *build_target(void) {
    return
#if defined(__x86_64__)
        "x86_64"
#elif defined(__aarch64__)
        "aarch64"
#else
        "another processor"
#endif
#if defined(__GLIBC__)
        "-linux-gnu, glibc " VALUE(__GLIBC__) "." VALUE(__GLIBC_MINOR__)
#elif defined(__linux__)
        "-linux, another C library"
#else
        ", another system"
#endif
#if defined(__OPTIMIZE__)
        ", optimised";
#else
        ", not optimised";
#endif
}

/* The package manager writes this file before it builds. If it is elsewhere, for example because this package is a dependency
   of another package, the versions are unknown. The compiler records the dependency, so that a change rebuilds this file. */
#pragma clang diagnostic ignored "-Wc23-extensions"
#if defined(__has_embed)
#if __has_embed("../../Package.resolved")
static const char packages[] = {
#embed "../../Package.resolved" suffix(, 0)
};
#define HAS_PACKAGES
#endif
#endif

const char *build_packages(void) {
#ifdef HAS_PACKAGES
    return packages;
#else
    return NULL;
#endif
}

const char *linked_libyaml(void) { return yaml_get_version_string(); }

const char *linked_sqlite(void) { return sqlite3_libversion(); }
