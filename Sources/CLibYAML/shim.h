/* libyaml 0.2.5 or later: the event parser that YAMLSyntax stands on. */
#include <yaml.h>
