// SPDX-License-Identifier: Apache-2.0
// Namespaces of a program's own: of users, in which it has no rights outside, and of processes, in
// which it cannot name others, sees them in no /proc, and leaves none behind. Each set of them has a
// keeper, a process that does nothing: it is the first of its namespace, so that all the others end
// with it, and it ends with the process that opened them.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_NAMESPACES_H_
#define TVMFFI_CONFORMANCE_SANDBOX_NAMESPACES_H_

#include <stdbool.h>
#include <sys/types.h>

typedef struct Namespaces {
  bool users, processes;
  pid_t keeper;  // 0: none are open
  int channel;   // to the keeper, -1 once it is not needed
} Namespaces;

// What runs on a stack that a sanitizer does not know of.
#define ON_OTHER_STACK __attribute__((no_sanitize_address))

// How many processes and threads there are at most in a namespace of processes.
enum { NAMESPACE_TASKS_MAX = 4096 };

// Opens those that are asked for in `wanted`. 0, or an errno.
int namespaces_open(Namespaces *wanted);

// Ends all that is in them.
void namespaces_close(Namespaces *open);

// Moves this process, which has one thread, into them; of processes, only its children are. 0, or an
// errno.
int namespaces_join(const Namespaces *open);

// In a process that was born in them: gives it a /proc of its own, and bounds how many there can
// be, which `bounded` tells. 0, or an errno.
int namespaces_settle(const Namespaces *open, bool *bounded);

// In one that has settled: puts an empty file system in memory, of so many MiB, over the directory. 0,
// or an errno.
int namespaces_mount(const char *folder, unsigned mebibytes);

// How many there should be on this machine.
unsigned namespaces_room(void);

// Starts a function as a child of our parent's, in our namespaces, with our memory, while we wait until
// it has become another program or has ended. -1 if it can't.
pid_t namespaces_spawn(int (*function)(void *), void *argument);

// Whether they can be had here: 0, or an errno. The child that tried goes on to end what it got, which
// takes longer than to get it: namespaces_end_trial has to follow a success.
int namespaces_probe(bool users, bool processes);

// Waits until that child has ended, if there is one.
void namespaces_end_trial(void);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_NAMESPACES_H_
