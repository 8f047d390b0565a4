/* The system's password hashing (libxcrypt): bcrypt, yescrypt and whatever else it knows. */
#include <crypt.h>
