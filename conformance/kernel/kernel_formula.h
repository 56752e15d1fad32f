// SPDX-License-Identifier: Apache-2.0
// Formulas over numbers with names, as signatures state what comes out of a call: "x * 2 + 1".
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_FORMULA_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_FORMULA_H_

#include <stdbool.h>
#include <stddef.h>

// The value of a name of `size` characters; false if there is none.
typedef bool FormulaLookup(void *context, const char *name, size_t size, double *value);

// Works out `formula`: numbers, names, + - * / with the usual precedence, a sign, parentheses.
// NULL, and the number in `value`; or a pointer to where in it something is not understood.
const char *kernel_formula_value(const char *formula, FormulaLookup *lookup, void *context,
                                 double *value);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_FORMULA_H_
