/* stdio.h: the three streams that are open at the start. A stream without a buffer is all zeros. */

static long long lariat_stdin_file[32], lariat_stdout_file[32], lariat_stderr_file[32];

MODEL void *stdin = lariat_stdin_file;
MODEL void *stdout = lariat_stdout_file;
MODEL void *stderr = lariat_stderr_file;
