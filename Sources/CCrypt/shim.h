/* The system's password hashing (libxcrypt): bcrypt, yescrypt and any other method that it supports. */
#include <crypt.h>
