// SPDX-License-Identifier: Apache-2.0
// Recognises what the official C++ headers do in every module that includes them. It is not the
// module's doing, and is told once, of all its functions.
#ifndef TVMFFI_CONFORMANCE_JUDGE_KNOWN_HEADERS_H_
#define TVMFFI_CONFORMANCE_JUDGE_KNOWN_HEADERS_H_

#include "judge/judge.h"

// Where the failed case of a module shows nothing but that: what they do, one line. NULL: it is the
// module's. Borrowed, lives for ever.
const char *known_headers(const InspectReport *library, const CaseResult *result);

#endif  // TVMFFI_CONFORMANCE_JUDGE_KNOWN_HEADERS_H_
