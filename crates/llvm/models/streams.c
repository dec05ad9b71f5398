/* stdio.h: the three streams that are open at the start. */

static char lariat_stdin_file, lariat_stdout_file, lariat_stderr_file;

MODEL void *stdin = &lariat_stdin_file;
MODEL void *stdout = &lariat_stdout_file;
MODEL void *stderr = &lariat_stderr_file;
