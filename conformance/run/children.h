// SPDX-License-Identifier: Apache-2.0
// The children of a process, as the kernel tells them. Slow (it reads all of /proc), and needed
// only where a time limit has passed or where a library left processes behind.
#ifndef TVMFFI_CONFORMANCE_RUN_CHILDREN_H_
#define TVMFFI_CONFORMANCE_RUN_CHILDREN_H_

#include <stddef.h>
#include <sys/types.h>

// Writes the living children of `parent`, at most `capacity` of them, into `out`; returns how many
// it wrote. Zombies are not alive.
size_t children_list(pid_t parent, pid_t *out, size_t capacity);

// Kills the living children of `parent`, and the process groups that they lead, but for the `count`
// processes in `spared`. Returns how many it killed; where there are more than it can take at once,
// another call finds them.
size_t children_kill(pid_t parent, const pid_t *spared, size_t count);

#endif  // TVMFFI_CONFORMANCE_RUN_CHILDREN_H_
