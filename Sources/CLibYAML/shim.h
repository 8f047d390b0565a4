/* The event parser of libyaml, 0.2.5 or later. */
#include <yaml.h>
