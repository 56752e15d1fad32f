// SPDX-License-Identifier: Apache-2.0
// Debug information that is installed apart from its library (Debian's -dbg packages; Valgrind
// brings that of the C library) is not there for the library under test. A runtime that names the
// frames of its backtraces would read it in every process that raises an error: that takes longer
// than a thousand cases, each fork of a process that has read it is ten times as dear, and a
// backtrace would look different from machine to machine.
//
// The worker exports these two names, so the dynamic linker gives them to the library in place of
// the C library's. Everything else that is opened is opened as ever.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

static const char hidden[] = "/usr/lib/debug/";

#define EXPORT __attribute__((visibility("default"), used))

// Under names of their own, so that what <fcntl.h> says of `open` (the path is never NULL) is not
// assumed here.
EXPORT int debug_files_open(const char *path, int flags, ...) __asm__("open");
EXPORT int debug_files_open64(const char *path, int flags, ...) __asm__("open64");

static int open_unless_hidden(const char *path, int flags, mode_t mode)
{
  if (path && strncmp(path, hidden, sizeof hidden - 1) == 0) {
    errno = ENOENT;
    return -1;
  }
  return openat(AT_FDCWD, path, flags, mode);
}

// The mode is there only if a file may be made. The system call takes no notice of it otherwise.
static mode_t mode_of(int flags, va_list arguments)
{
  bool makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  return makes ? va_arg(arguments, mode_t) : 0;
}

int debug_files_open(const char *path, int flags, ...)
{
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_unless_hidden(path, flags, mode);
}

int debug_files_open64(const char *path, int flags, ...)
{
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_unless_hidden(path, flags | O_LARGEFILE, mode);
}
