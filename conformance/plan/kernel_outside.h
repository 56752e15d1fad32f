// SPDX-License-Identifier: Apache-2.0
// Whether a call is outside of a signature, and whether the file promises that it is refused.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_OUTSIDE_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_OUTSIDE_H_

#include "plan/kernel.h"

// One element of a tensor that is not what its parameter says.
typedef struct KernelElement {
  uint32_t position;  // of the parameter
  size_t index;       // in the order of indices
  double value;
} KernelElement;

enum { KERNEL_STATEMENTS_MAX = 128 };

// A set of statements of a form, by their places in it.
typedef struct KernelStatements {
  uint64_t words[KERNEL_STATEMENTS_MAX / 64];
} KernelStatements;

static inline bool kernel_statements_have(const KernelStatements *set, uint32_t at)
{
  return at < KERNEL_STATEMENTS_MAX && (set->words[at / 64] >> (at % 64) & 1);
}

static inline void kernel_statements_add(KernelStatements *set, uint32_t at)
{
  if (at < KERNEL_STATEMENTS_MAX) set->words[at / 64] |= (uint64_t)1 << (at % 64);
}

static inline void kernel_statements_join(KernelStatements *set, const KernelStatements *more)
{
  for (size_t i = 0; i < KERNEL_STATEMENTS_MAX / 64; ++i) set->words[i] |= more->words[i];
}

typedef struct KernelOutside {
  // SIGNATURE_CHECKS_*: in what it is outside of each form that takes as many arguments. 0: it is
  // inside, or that can't be worked out.
  unsigned by;
  unsigned promised;  // those of them that each form promises to check
  unsigned count;     // statements of the form that is nearest that do not hold
  // The refusal whose condition holds, counted from 1, where there is one form; 0: none, or several.
  uint32_t refusal;
  // The same of the conditions of "where" that do not hold.
  uint32_t condition;
  KernelStatements refusals, conditions;  // all of both
} KernelOutside;

// `kernel` is the call: its parameters are the arguments, None is of KERNEL_NONE. Of what is in
// containers kinds, data types and shapes are looked at. `element` (NULL: none) is changed besides.
KernelOutside kernel_outside(const Signature *signature, const Kernel *kernel,
                             const KernelElement *element);

// Has the size of this name be `size`, and each extent that follows from it what it then is. False
// if an extent can't be worked out, or is negative.
bool kernel_resize(const Signature *signature, Kernel *kernel, const char *name, int64_t size);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_OUTSIDE_H_
