/* Extended attributes of files, which Swift's module for the C library does not include. */
#include <sys/xattr.h>
