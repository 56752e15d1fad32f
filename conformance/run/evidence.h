// SPDX-License-Identifier: Apache-2.0
// The evidence channel: one shared mapping a worker slot, written by the process that runs a case,
// read by the main process. It outlives closed descriptors, exit() and SIGKILL; a case that got to
// its end seals it. Slots have a fixed size, so that nothing in it has to be parsed: whatever a
// broken library scribbles there, reading it stays within bounds, and a wrong seal makes it no
// evidence at all.
#ifndef TVMFFI_CONFORMANCE_RUN_EVIDENCE_H_
#define TVMFFI_CONFORMANCE_RUN_EVIDENCE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
  EVIDENCE_FAILURES_MAX = 8,  // further ones are counted, not kept
  EVIDENCE_FRAMES_MAX = 24,
  EVIDENCE_TEXT_MAX = 16384,
  EVIDENCE_TRIED_MAX = 48,  // further ones are counted, not kept
  EVIDENCE_ROWS_MAX = 16,   // rows of a case that run in one process
};

// How the body of a case came to its end.
typedef enum EvidenceEnd {
  EVIDENCE_NOT_ENDED = 0,
  EVIDENCE_FINISHED,       // the body returned
  EVIDENCE_REQUIREMENT,    // a `require` did not hold, the rest was not run
  EVIDENCE_SKIPPED,        // the library lacks what the case needs; `reason` says what
  EVIDENCE_NOT_CONCERNED,  // the library does not do what the clauses are about, nor has to
  EVIDENCE_INCONCLUSIVE,   // the case could not observe what it has to; `reason` says why
} EvidenceEnd;

typedef struct EvidenceFailure {
  char what[160];      // "strong count of the object"
  char expected[512];  // "2"
  char seen[512];      // "1"
  char note[192];  // what had been done: "after the second release"; empty if the case said nothing
  char source[96];  // "any.c:42"
  bool leak;        // memory or an object was not given back
  bool has_bytes;   // the 16 bytes of two values follow
  uint8_t expected_bytes[16], seen_bytes[16];
  uint8_t ignored_bytes[16];  // non-zero: this byte was not compared
} EvidenceFailure;

// What the signature of a function says of a combination of arguments that was tried.
typedef enum TriedPromise {
  TRIED_UNSAID,    // nothing: there is no signature file, or none that was read for this
  TRIED_PROMISED,  // it is listed, and has to be served
  TRIED_EXPLORED,  // it is within what is written, but not listed: it may be refused
  TRIED_EXCLUDED,  // it is excluded, and has to be refused
  TRIED_PROMISE_COUNT
} TriedPromise;

// What came of it.
typedef enum TriedEnd {
  TRIED_OPEN,       // the case has not said yet
  TRIED_RIGHT,      // served, and what was looked at is right
  TRIED_SERVED,     // served; nobody said what comes out
  TRIED_WRONG,      // served, and what came out is wrong
  TRIED_REFUSED,    // it raised an error
  TRIED_NO_RETURN,  // the call did not come back
  TRIED_NOT_MADE,   // no time was left for the call
  TRIED_END_COUNT
} TriedEnd;

// Combinations of arguments that were tried, and what came of them; alike ones are one entry.
typedef struct EvidenceTried {
  char what[120];     // "x: float64[300, 400], mask: None"
  char settled[112];  // the line of a signature file that would say what has to come of it:
                      // `"where": ["1 <= k <= n"]`; empty if nothing has to be said
  uint32_t promise;   // TriedPromise
  uint32_t end;       // TriedEnd
  uint32_t times;
} EvidenceTried;

typedef struct EvidenceCrash {
  int32_t signal;  // 0: none
  int32_t code;  // si_code; 0 or less: not caused by an access, or by one whose address isn't known
  uint64_t address;
  uint32_t frame_count;
  uint64_t frames[EVIDENCE_FRAMES_MAX];  // program counters, innermost first
  char fence[160];  // "1 byte past the end of `args` (32 bytes)"; empty if the address is in no
                    // fence
} EvidenceCrash;

// The shared mapping of a slot. The main process clears it before it asks for a case.
typedef struct Evidence {
  uint64_t nonce;           // chosen for each run of a case
  _Atomic uint32_t held;    // expectations that held
  _Atomic uint32_t failed;  // expectations that did not hold
  uint32_t end;             // EvidenceEnd
  uint64_t seal;            // evidence_seal() over the rest, written last
  uint64_t duration_ns;     // of what was to be timed; cases are timed from outside
  uint64_t load_address;  // of the library in the process of the case, to name program counters by
  uint32_t version;       // of a version probe: what the library reports, ABI_VERSION; else 0
  uint32_t generations;   // of a probe of objects: GENERATION_BIT of what was recognised; else 0
  uint32_t scopes;        // of a probe for scopes: CLAUSE_SCOPE_ bits; else 0
  uint32_t rows;          // of several rows of a case in one process: how many of them have passed
  uint32_t row_held[EVIDENCE_ROWS_MAX];  // expectations that held in each of these
  _Atomic uint32_t
      calls;  // of a function under test that came back, in this process or in copies of it
  _Atomic uint32_t back_ms;  // when the last of them did: the low 32 bits of the time
  _Atomic uint32_t at_work;  // not 0: the suite itself is, on what such a call gave
  uint32_t races;  // not 0: threads of the case race, and what comes of it is up to their timing
  char reason[256];
  char note[192];  // the note in force, shown with a crash or a time-out too
  EvidenceCrash crash;
  EvidenceFailure failures[EVIDENCE_FAILURES_MAX];
  uint32_t tried_count;  // entries of `tried`; the last one is being tried, or was
  uint32_t tried_more;   // combinations for which there was no room
  EvidenceTried tried[EVIDENCE_TRIED_MAX];
  _Atomic uint32_t began;        // a worker runs: what it was started by has come as far as that
  uint32_t text_size;            // bytes of `text`; may lie
  char text[EVIDENCE_TEXT_MAX];  // what does not fit elsewhere: the metadata of a function
} Evidence;

// The value that `seal` has to have. Any change of the nonce, the counts, the end, the rows or the
// failures changes it.
uint64_t evidence_seal(const Evidence *evidence);

// A fresh, zeroed evidence and the descriptor (own) behind it, by which another process maps it
// with evidence_attach. NULL if there is no memory to be had.
Evidence *evidence_create(int *fd);
Evidence *evidence_attach(int fd);

// Empties `evidence` for a new run under `nonce`.
void evidence_clear(Evidence *evidence, uint64_t nonce);

#endif  // TVMFFI_CONFORMANCE_RUN_EVIDENCE_H_
