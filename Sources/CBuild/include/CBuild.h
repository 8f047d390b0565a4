#pragma once

/* What the program was built of, and what it is linked with as it runs; Swift has no words for it. NULL: it is not known. */

/* The commit, as whoever built it has said. */
const char *_Nullable build_commit(void);
/* The compiler of this file, which came with that of the others. */
const char *_Nonnull build_compiler(void);
/* Processor, system and C library. */
const char *_Nonnull build_target(void);
/* Package.resolved: the dependencies, with their versions. */
const char *_Nullable build_packages(void);

/* The versions of the system's libraries that the program has at this moment. */
const char *_Nonnull linked_libyaml(void);
const char *_Nonnull linked_sqlite(void);
