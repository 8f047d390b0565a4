/* The tuning of the C library's heap, which Swift's own module of that library leaves out. */
#include <malloc.h>
