// SPDX-License-Identifier: Apache-2.0
// The functions of a module whose right call was seen to be served. What a case finds no use for in one
// of these is known without running it.
#ifndef TVMFFI_CONFORMANCE_RUN_SERVED_H_
#define TVMFFI_CONFORMANCE_RUN_SERVED_H_

#include <stdbool.h>
#include <stddef.h>

#include "plan/kernel.h"

// Zeroed, it holds none.
typedef struct Served {
  const Kernel **kernels;  // own; borrowed pointers, NULL where there is none
  size_t room;             // a power of two, or 0
  size_t count;
} Served;

// Where memory is out, it is not added: its cases are run.
void served_add(Served *served, const Kernel *kernel);
bool served_has(const Served *served, const Kernel *kernel);
void served_free(Served *served);

#endif  // TVMFFI_CONFORMANCE_RUN_SERVED_H_
