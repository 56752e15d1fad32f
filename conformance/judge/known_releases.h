// SPDX-License-Identifier: Apache-2.0
// Recognises the libraries of official releases, whose deviations are known: the waivers for them
// come with the program.
#ifndef TVMFFI_CONFORMANCE_JUDGE_KNOWN_RELEASES_H_
#define TVMFFI_CONFORMANCE_JUDGE_KNOWN_RELEASES_H_

#include "inspect/inspect.h"

// The version of the official release whose runtime this file is, by its build id or its digest, the
// newest where releases share one: "0.1.15.post2". NULL if it is none that is known.
const char *known_release(const InspectReport *library);

#endif  // TVMFFI_CONFORMANCE_JUDGE_KNOWN_RELEASES_H_
