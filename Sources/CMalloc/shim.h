/* The heap settings of the C library, which Swift's module for it does not include. */
#include <malloc.h>
