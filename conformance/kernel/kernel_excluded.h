// SPDX-License-Identifier: Apache-2.0
// Calls that a signature file rules out by a value: wrong in one argument or size, whatever else is right.
//
//   KernelTrying trying = {.iut = iut, .kernel = example, .signature = signature, .look = look_for_refusal, ...};
//   kernel_try_argument(&trying, &numbers, position);   // makes such calls, and looks at each
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXCLUDED_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXCLUDED_H_

#include "kernel/kernel_bases.h"
#include "kernel/kernel_refused.h"
#include "plan/kernel_limits.h"

typedef struct KernelTrying {
  Iut *iut;
  const Kernel *kernel;  // the right call
  const Signature *signature;
  Kernel *changed;  // own; the call that is asked for
  LookAtRefusal *look;
  unsigned tried;
  bool judged, refused;
  // Calls with one argument or size changed: [1] wrong by a value alone, [0] by more.
  unsigned of_one[2];
  bool bare;        // without what is optional: what the file says of an error is not asked of it
  unsigned fewest;  // statements that a call breaks of those that an argument was changed for
  bool by_value;    // whether the call that was asked for last is wrong by a value alone
  bool looking;     // for what `least` is to be: no call is made
  bool unlisted;    // with a size, or beside other values, that nobody lists
  bool narrowed;    // to statements that no call has broken yet
  const char *finite;   // the name of what is NaN or infinite; NULL: nothing is
  bool nan;             // which of both
  KernelBroken breaks;  // by the call that was asked for last
  unsigned count;       // statements that it breaks
  KernelBroken broken;  // by any call that was made
  // Of each refusal with a condition: with how many statements a call breaks that it holds for, at
  // least. What else is broken in another one may be what is told first.
  unsigned least[KERNEL_STATEMENTS_MAX];
  KernelBroken done;  // a call that breaks no more was made; of refusals, with listed sizes
  // A call with a size, or values together, that nobody lists may be refused for that: what the file says of an error is
  // asked of such calls only where no call has had it.
  uint32_t asked;          // the refusal whose error is asked so of this call; SIGNATURE_NONE: none
  KernelStatements heard;  // the refusals whose error a call had that they rule out
  struct {
    KernelCall *call;  // the first that had another one; NULL: none
    char words[96];
  } differing[KERNEL_STATEMENTS_MAX];
} KernelTrying;

// The condition of a refusal; "" if it has none.
const char *kernel_when(const Signature *signature, const SignatureForm *form, uint32_t refusal);

// The error that the file states of a refusal, counted from 0.
StatedError kernel_error_of(const Signature *signature, uint32_t refusal);

// Begins with another argument, size, or pair of them: of each only some calls are made.
void kernel_begin_one(KernelTrying *trying);

// Makes the call that `changed` is, if the file rules it out, and looks at it. The rest says what is changed.
void kernel_try_changed(KernelTrying *trying, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void kernel_set_text(KernelParameter *parameter, const char *text, size_t size);

// The values that the file lists for a size; NULL: none.
const SignatureVariable *kernel_listed_sizes(const Signature *signature, const Kernel *kernel,
                                             const char *name);

// Wrong values of the argument at `position`; wrong sizes; fewer arguments than there must be.
void kernel_try_argument(KernelTrying *trying, const KernelLimits *numbers, unsigned position);
void kernel_try_sizes(KernelTrying *trying);
void kernel_try_counts(KernelTrying *trying);

// Makes a call that is wrong, and looks at it. `before`: how many fences there were before it was prepared.
void kernel_look_with(KernelTrying *trying, KernelCall *call, unsigned before, StatedError stated);

// Judges the errors that were asked of calls that nobody lists, and that no call had.
void kernel_judge_unheard(const KernelTrying *trying);

// What the call breaks, for kernel_look_with.
KernelOutside kernel_note_outside(KernelTrying *trying, const Kernel *kernel,
                                  const KernelElement *element);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXCLUDED_H_
