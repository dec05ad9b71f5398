/* errno.h: the one errno of a program without threads. */

static int lariat_errno;

MODEL int *__errno_location(void) { return &lariat_errno; }
