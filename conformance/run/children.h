// SPDX-License-Identifier: Apache-2.0
// The children of a process, as the kernel tells them. Slow (it reads all of /proc), and needed
// only where a case takes long or where a library left processes behind.
#ifndef TVMFFI_CONFORMANCE_RUN_CHILDREN_H_
#define TVMFFI_CONFORMANCE_RUN_CHILDREN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Writes the living children of `parent`, at most `capacity` of them, into `out`; returns how many
// it wrote. Zombies are not alive.
size_t children_list(pid_t parent, pid_t *out, size_t capacity);

// What processes take of the machine.
typedef struct ChildrenToll {
  size_t tasks;  // threads, zombies included: what they have of the kernel's table of processes
  size_t pages;  // of memory; one that several have counts for each of them
} ChildrenToll;

// How many threads, zombies included, the machine has; 0 if that is not known. Takes no time.
size_t children_of_machine(void);

// Counts, for each of the `count` processes in `roots`, what it and all its descendants take.
void children_count(const pid_t *roots, size_t count, ChildrenToll *tolls);

// What processors have given to the descendants of `parent`, all threads together, in nanoseconds.
typedef struct ChildrenTime {
  uint64_t waited;  // ready to run, and had none; of those that have ended nothing is known
  uint64_t worked;  // had one; those that have ended included, in steps of some milliseconds
  unsigned ready;   // processes that run, or could: `waited` is told when a wait is over
} ChildrenTime;

// All 0 where the kernel does not tell.
ChildrenTime children_time(pid_t parent);

// Whether more threads are ready to run, on the whole machine, than there are processors.
bool children_machine_is_busy(void);

// Kills the living children of `parent`, their descendants, and the process groups that they lead,
// but for the `count` processes in `spared` and what descends from those. Returns how many it
// killed; one that takes its time to die may count twice. What is started meanwhile is found by another call. If `reaped` is not NULL, `parent` is
// this process: its other dead children are reaped, and counted there.
size_t children_kill(pid_t parent, const pid_t *spared, size_t count, size_t *reaped);

#endif  // TVMFFI_CONFORMANCE_RUN_CHILDREN_H_
