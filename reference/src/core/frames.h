// SPDX-License-Identifier: Apache-2.0
// The native functions that a thread is in, as lines of a backtrace.
#ifndef REFERENCE_SRC_CORE_FRAMES_H_
#define REFERENCE_SRC_CORE_FRAMES_H_

#include <stdbool.h>
#include <stddef.h>

enum { FRAMES_ROOM = 4096 };

// A line names a file, a line of it, and a function.
#define FRAMES_LINE "  File \"%s\", line %d, in %s\n"

// Writes a line for each function that has a dynamic symbol, the most recent first, without those
// that only pass calls on. The list ends where frontends have frames of their own: at
// TVMFFIFunctionCall, and at the interpreter of Python.
// from: the return address of the first frame. skip: leave out that one. across: go on to the end.
// text: room for FRAMES_ROOM bytes. Returns how many it wrote; what does not fit is left out.
size_t frames_write(const void *from, bool skip, bool across, char *text);

#endif  // REFERENCE_SRC_CORE_FRAMES_H_
