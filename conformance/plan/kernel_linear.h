// SPDX-License-Identifier: Apache-2.0
// The size in an extent that is an expression.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_LINEAR_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_LINEAR_H_

#include "expression/expression.h"

// The only size of this name, 0 or more, with which an expression that grows evenly, such as "n+1",
// gives this extent. `others` has what its other names stand for. False if there is none.
bool kernel_solve_size(const Expression *expression, const char *name,
                       const ExpressionScope *others, int64_t extent, int64_t *size);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_LINEAR_H_
