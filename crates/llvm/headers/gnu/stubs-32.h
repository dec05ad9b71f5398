/* The one file that Debian's 64-bit C headers, which serve 32 bits too, lack for that. It lists functions
   that the C library does not implement; none matters for reading declarations. */
