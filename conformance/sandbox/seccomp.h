// SPDX-License-Identifier: Apache-2.0
// Seccomp: which system calls there are at all. The program is made once, by libseccomp, and loaded
// by each process that is confined.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_SECCOMP_H_
#define TVMFFI_CONFORMANCE_SANDBOX_SECCOMP_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// What other means leave to this one.
typedef struct SeccompDuties {
  bool sockets;     // but for pairs; without it, those of Unix that keep packets apart can listen
  bool attributes;  // modes, owners and times of files
  bool truncation;
  bool memory;      // of other processes
  bool signals;     // to `runner` and its parent, its group, and all at once
  bool scheduling;  // of other processes
  pid_t runner, parent;
} SeccompDuties;

// The program (own) and its size. NULL with the reason in `why` if it can't be had.
void *seccomp_program_make(const SeccompDuties *duties, size_t *size, const char **why);

// Whether the kernel takes such programs. 0, or an errno.
int seccomp_offered(void);

// Loads it for this process, which has to have given up new privileges before. 0, or an errno.
int seccomp_program_load(const void *program, size_t size);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_SECCOMP_H_
