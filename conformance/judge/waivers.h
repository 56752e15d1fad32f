// SPDX-License-Identifier: Apache-2.0
// Known deviations. A waived case runs all the same; that it fails is expected, that it passes is a
// failure.
//
// The file is JSON: {"waivers": [{"case": "error.x", "reason": "...", "url": "...", "expires":
// "2027-01-31", "since": "0.1.0", "until": "0.1.8", "except": "0.1.8.post0"}]}; "case" may end in ".*" to cover the rows of
// one case. "since" and "until" (optional) restrict it to what the library reports as its version;
// "except" (optional) names official releases that it is not about, with commas between them: some
// report the version of another.
// An entry that names a row goes before one that ends in ".*".
#ifndef TVMFFI_CONFORMANCE_JUDGE_WAIVERS_H_
#define TVMFFI_CONFORMANCE_JUDGE_WAIVERS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Waiver {
  char *case_id;          // own
  char *reason;           // own, never empty
  char *url;              // own, or NULL
  char *expires;          // own, "YYYY-MM-DD", or NULL
  char *except;           // own, or NULL
  uint32_t since, until;  // ABI_VERSION; 0 and UINT32_MAX if not given
} Waiver;

typedef struct WaiverSet {
  Waiver *items;  // own
  size_t count;
  char *path;  // own
} WaiverSet;

// Reads a waiver file. NULL on failure, with `error` saying what is wrong, where, and what is
// expected: a file that can't be read, malformed JSON, an unknown key, an unknown case id (with the
// nearest ones), an empty reason, a second entry for a case and version, an expiry date that is
// malformed or has passed (`today` is "YYYY-MM-DD").
WaiverSet *waivers_read(const char *path, const char *today, char *error, size_t error_size);
void waivers_free(WaiverSet *set);

// The same for a text that stood in the file, which has at most so many bytes.
enum { WAIVERS_FILE_MAX = 1 << 20 };
WaiverSet *waivers_read_text(const char *path, const char *text, size_t size, const char *today,
                             char *error, size_t error_size);

// The waiver in force for a case of a library that reports `version`, or NULL; `set` may be NULL.
const Waiver *waivers_find(const WaiverSet *set, const char *case_id, uint32_t version);

// Whether the text is a date of the calendar, as "2027-01-31".
bool waivers_is_date(const char *text);

// True if the waiver names this case or, with ".*", the case that it is a row of.
bool waivers_names(const Waiver *waiver, const char *case_id);

// Takes out those that are not about this official release.
void waivers_leave_out(WaiverSet *set, const char *release);

struct RunReport;

// Writes the waiver file under which `report`, judged, conforms as far as fails go: an entry for
// every fail that counts, those of its waivers that are not disproved (a row that passed leaves an
// entry that ends in ".*"), and nothing else. New entries say that somebody has to write down why.
// 0, or -1 with `error`; the file is replaced at once or not at all.
int waivers_write(const struct RunReport *report, const char *path, const char *today, char *error,
                  size_t error_size);

#endif  // TVMFFI_CONFORMANCE_JUDGE_WAIVERS_H_
