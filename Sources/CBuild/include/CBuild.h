#pragma once

/* How the program was built, and the libraries that it is linked with, which Swift code cannot find out. NULL means unknown. */

/* The commit, as specified during the build. */
const char *_Nullable build_commit(void);
/* The compiler of this file, which is part of the Swift toolchain. */
const char *_Nonnull build_compiler(void);
/* The processor, operating system and C library. */
const char *_Nonnull build_target(void);
/* The content of Package.resolved: the dependencies with their versions. */
const char *_Nullable build_packages(void);

/* The versions of the system libraries that the process has loaded. */
const char *_Nonnull linked_libyaml(void);
const char *_Nonnull linked_sqlite(void);
