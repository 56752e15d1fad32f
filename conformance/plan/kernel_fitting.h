// SPDX-License-Identifier: Apache-2.0
// A call that is held against one form of a signature: what names stand for in it, and what does not hold.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_FITTING_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_FITTING_H_

#include "expression/expression.h"
#include "plan/kernel_bound.h"
#include "plan/kernel_outside.h"

enum { BOUND_MAX = 48, SIZES_MAX = BOUND_MAX + KERNEL_ELEMENTS_MAX * SIGNATURE_EACH_MAX };

typedef struct BoundDtype {
  const char *name;
  DLDataType dtype;
} BoundDtype;

// A tensor of the call, and what is stated of it.
typedef struct FittedTensor {
  const SignatureType *type;
  const KernelParameter *parameter;
  uint32_t place;  // in the outermost array that it stands in, counted from 1; 0: in none
} FittedTensor;

// How many elements, or entries, a container of the call has, and the expression that they are stated by.
typedef struct FittedLength {
  const char *length;
  int64_t count;
} FittedLength;

typedef struct Fitting {
  const Signature *signature;
  const SignatureForm *form;
  const Kernel *kernel;
  const KernelElement *element;
  BoundSize sizes[SIZES_MAX];
  BoundDtype dtypes[BOUND_MAX];
  BoundShape shapes[BOUND_MAX];
  FittedTensor tensors[KERNEL_PARAMETERS_MAX + KERNEL_ELEMENTS_MAX];
  FittedLength lengths[BOUND_MAX];
  uint32_t size_count, dtype_count, shape_count, tensor_count, length_count;
  unsigned by, count;
  uint32_t refusals;  // of the file that hold, which it promises whatever it checks
  uint32_t
      refusal;  // the last of them, counted from 1; 0: another statement may be what is refused
  uint32_t conditions, condition;  // that do not hold; the last of them, counted from 1
  KernelStatements all_refusals, all_conditions;
  // Of arguments that are not within their own limits and lists: their types; else NULL.
  const SignatureType *beyond[KERNEL_PARAMETERS_MAX];
  uint32_t place;  // of the tensor that is looked at
  bool resizing;   // sizes are those of the call
} Fitting;

const char *fitting_text(const Fitting *fitting, SignatureText text);

// Notes that one more statement does not hold, which `check` (SIGNATURE_CHECKS_*) is about.
void fitting_rule_out(Fitting *fitting, unsigned check);

// What the name of a size stands for. False if that is not known.
bool fitting_size(const Fitting *fitting, const char *name, int64_t *size);

// Has the name of a size stand for `size`, at this place of arrays (0: at all); rules the call out if it stands for
// another one.
void fitting_bind_at(Fitting *fitting, const char *name, uint32_t place, int64_t size);
void fitting_bind(Fitting *fitting, const char *name, int64_t size);

// An ExpressionLookup; the context is a Fitting.
bool fitting_look_up(void *context, const char *name, ExpressionValue *value);

// Whether the condition is known not to hold.
bool fitting_is_broken(Fitting *fitting, const char *text);

// The same of "NAME RELATION (LIMIT)"; false where there is no limit.
bool fitting_is_beyond(Fitting *fitting, const char *name, const char *relation, const char *limit);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_FITTING_H_
