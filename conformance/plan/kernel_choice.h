// SPDX-License-Identifier: Apache-2.0
// Calls of a function, chosen from all that its signature describes: which data types, sizes and
// ranks, None or a value, which alternative of a variant. A Kernel is one of them.
//
//   KernelChoice choices[KERNEL_CHOICES_MAX];
//   size_t count = kernel_choices(signature, choices, KERNEL_CHOICES_MAX);  // the example first
//   if (kernel_of_choice(signature, &choices[1], &kernel, problem)) ...
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_CHOICE_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_CHOICE_H_

#include "expression/expression.h"
#include "plan/kernel.h"
#include "signature/signature.h"

enum { KERNEL_SITES_MAX = 96, KERNEL_CHOICES_MAX = 288, KERNEL_PROBLEM_MAX = 560 };

typedef enum KernelStanding {
  KERNEL_PROMISED,  // what the signature lists: refusing it is a failure
  KERNEL_EXPLORED,  // inside of the signature, but not listed: a refusal is not judged
  KERNEL_REFUSED,   // what it lists as refused: limits and conditions are not looked at
} KernelStanding;

// How tensors of integers are filled: those that nothing limits, and the others likewise, from the least that is
// allowed in the place of 0. With KERNEL_COUNTED and those behind it, those
// that conditions say to count something do that (build_counted), whatever limits them, and others are
// filled as the first three have it.
typedef enum KernelWhole {
  KERNEL_WHOLE_AS_STATED = 0,
  KERNEL_WHOLE_FROM_0,
  KERNEL_WHOLE_TO_2,
  KERNEL_WHOLE_0,
  KERNEL_COUNTED,
  KERNEL_COUNTED_FROM_0,
  KERNEL_COUNTED_0,
  KERNEL_WHOLE_WAYS
} KernelWhole;

typedef struct KernelChoice {
  KernelStanding standing;
  uint32_t form;
  uint8_t options[KERNEL_SITES_MAX];  // at each point where calls differ; 0: as in the example
  KernelContents contents;            // of tensors of floats; KERNEL_RISING: as in the example
  KernelContents bounded;   // of tensors with limits: KERNEL_LEAST, _MOST, _SORTED; KERNEL_RISING
  uint8_t whole;            // how tensors of integers are filled (KernelWhole)
  SignatureRange settings;  // values on top: those of a listed call, or of a refusal
  uint32_t call;            // the listed call that it is, counted from 1; 0: none
  // NULL, or a call: containers whose lengths follow from others are as long as there, and sizes do not
  // follow from those that are given.
  const Kernel *lengths;
  char words[96];    // in what it differs from the example: "x: float64"; "": it is the example
  char settle[112];  // what would say that it is taken, or not: "\"sizes\": {\"n\": [...]}"
} KernelChoice;

// Makes `kernel` the call that was chosen: parameters, elements, result and sizes; what else it
// holds stays. False if there is no such call, with the reason in `problem`: a condition that does
// not hold, a value beyond its limits, a shape that can't be worked out.
bool kernel_of_choice(const Signature *signature, const KernelChoice *choice, Kernel *kernel,
                      char problem[KERNEL_PROBLEM_MAX]);

// The choices that are tried, the example first, then those that are promised: each option at least
// once, and some together. Returns how many there are, at most `capacity`; 0 if no example
// satisfies the signature.
size_t kernel_choices(const Signature *signature, KernelChoice *choices, size_t capacity);

// A call that the signature lists as refused, and the error that it states.
typedef struct KernelRefused {
  KernelChoice choice;
  SignatureText kind, message;  // "": any
} KernelRefused;

// Those of "calls" with "refused", and of "refuses" with "with". Returns how many there are, at most
// `capacity`; signature->calls.count + signature->refusals.count are enough.
size_t kernel_refusals(const Signature *signature, KernelRefused *refused, size_t capacity);

// Looks for values that satisfy the signature with what `choice` has at the points where `pinned`
// is true, and sets the others. False if none were found; `problem` is that of `choice` itself.
bool kernel_choice_solve(const Signature *signature, KernelChoice *choice,
                         const bool pinned[KERNEL_SITES_MAX], Kernel *kernel,
                         char problem[KERNEL_PROBLEM_MAX]);

// The example: kernel_of_choice for the first of kernel_choices. If there is none, `problem` says
// what to add to the signature file.
bool kernel_example(const Signature *signature, Kernel *kernel, char problem[KERNEL_PROBLEM_MAX]);

// Makes `kernel` the call of a step, the object of a method in front of its arguments. Objects that
// steps have kept are of kind KERNEL_OBJECT, and have their name in `text`. False with a problem.
bool kernel_of_step(const Signature *signature, const SignatureStep *step, Kernel *kernel,
                    char problem[KERNEL_PROBLEM_MAX]);

// The element of a tensor at `index`, in the order of indices.
long double kernel_element_of(const KernelParameter *parameter, size_t index);

// The same of one that is written in the signature (KERNEL_FROM_NPY without a file).
long double kernel_written_element(const Signature *signature, const KernelParameter *parameter,
                                   size_t index);

// After how many elements they come round again, so that element `i` is like element `i` modulo
// this: KERNEL_ELEMENT_PERIOD, or 0 where they do not.
enum { KERNEL_ELEMENT_PERIOD = 122 };
size_t kernel_element_period(const KernelParameter *parameter);

// Looks up what a name means in the call: a size or a parameter. An ExpressionLookup; `context` is a
// KernelNames.
typedef struct KernelNames {
  const Kernel *kernel;
  uint32_t known;              // parameters before this one have their values
  const Signature *signature;  // that names the files of tensors
} KernelNames;
bool kernel_name_value(void *context, const char *name, ExpressionValue *value);

// The size of this name in the call; false if it has none.
bool kernel_size_of(const Kernel *kernel, const char *name, int64_t *size);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_CHOICE_H_
