// SPDX-License-Identifier: Apache-2.0
// A control group of the second version for the workers of a run, which bounds their memory and how
// many processes they are. It is made below the group of this process, where that was handed over to
// whoever runs it ("delegated"), and is this process's alone.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_CGROUP_H_
#define TVMFFI_CONFORMANCE_SANDBOX_CGROUP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CGROUP_TASKS_MAX = 16384, CGROUP_PATH_MAX = 512, CGROUP_WHY_MAX = 96 };

typedef struct Cgroup {
  char own[CGROUP_PATH_MAX];      // the directory of the group that this process was started in
  char workers[CGROUP_PATH_MAX];  // that of the workers; "": there is none
  char self[CGROUP_PATH_MAX];     // that this process went to; "": it stayed
} Cgroup;

// The directory of the group of this process. False, with why, if there is none of the second version.
bool cgroup_find(char own[CGROUP_PATH_MAX], char why[CGROUP_WHY_MAX]);

// Makes a group for workers in the directory `own`, with so many bytes at most. False, with why, if
// it can't be had; nothing is changed then. cgroup_close has to follow a success.
bool cgroup_open(Cgroup *group, const char *own, uint64_t memory, char why[CGROUP_WHY_MAX]);

// Moves this process into it, for good. 0, or an errno.
int cgroup_join(const Cgroup *group);

// Ends what is left in it, and undoes what was done.
void cgroup_close(Cgroup *group);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_CGROUP_H_
