// SPDX-License-Identifier: Apache-2.0
// Known deviations. A waived case runs all the same; that it fails is expected, that it passes is a failure.
//
// The file is JSON: {"waivers": [{"case": "error.x", "reason": "...", "url": "...", "expires": "2027-01-31",
// "since": "0.1.0", "until": "0.1.8"}]}; "case" may end in ".*" to cover the rows of one case. "since" and
// "until" (optional) restrict it to what the library reports as its version.
#ifndef TVMFFI_CONFORMANCE_JUDGE_WAIVERS_H_
#define TVMFFI_CONFORMANCE_JUDGE_WAIVERS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Waiver {
  char *case_id;  // own
  char *reason;   // own, never empty
  char *url;      // own, or NULL
  char *expires;  // own, "YYYY-MM-DD", or NULL
  uint32_t since, until;  // ABI_VERSION; 0 and UINT32_MAX if not given
} Waiver;

typedef struct WaiverSet {
  Waiver *items;  // own
  size_t count;
  char *path;  // own
} WaiverSet;

// Reads a waiver file. NULL on failure, with `error` saying what is wrong, where, and what is expected: a file
// that can't be read, malformed JSON, an unknown key, an unknown case id (with the nearest ones), an empty reason,
// a second entry for a case, an expiry date that is malformed or has passed (`today` is "YYYY-MM-DD").
WaiverSet *waivers_read(const char *path, const char *today, char *error, size_t error_size);
void waivers_free(WaiverSet *set);

// The waiver in force for a case of a library that reports `version`, or NULL.
const Waiver *waivers_find(const WaiverSet *set, const char *case_id, uint32_t version);

#endif  // TVMFFI_CONFORMANCE_JUDGE_WAIVERS_H_
