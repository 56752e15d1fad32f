// SPDX-License-Identifier: Apache-2.0
// The limits of a number that the words of an error name.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_LIMIT_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_LIMIT_H_

#include <stdbool.h>

// Whether the message names limits that the number is outside of: "from 1 to 16", "must be positive".
// False where it names none.
bool refusal_excludes(const char *message, double number);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_LIMIT_H_
