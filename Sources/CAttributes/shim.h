/* Extended attributes of files, which Swift's own module of the C library leaves out. */
#include <sys/xattr.h>
