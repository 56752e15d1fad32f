// SPDX-License-Identifier: Apache-2.0
// A search for a call that is served: the calls that were refused, and what was heard of them.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_HEARD_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_HEARD_H_

#include "inspect/inspect_words.h"
#include "plan/signature_move.h"
#include "plan/signature_probe.h"

enum {
  SEEN_MAX = 256,
  MOVES_MAX = 1024,
};

// In the place of a message, of a call that did not come back.
#define SEARCH_LOST "(lost)"

// A call that was refused, and what is still to be tried on it.
typedef struct Frame {
  Kernel call;
  char message[512];
  Move moves[MOVES_MAX];
  unsigned count, next;
  unsigned likely;                      // so many moves are about what the message is about
  uint32_t doubted[KERNEL_PLACES_MAX];  // as bits, the kinds of changes of which one was
} Frame;

typedef struct Search {
  const Signature *known;     // borrowed; or NULL
  const InspectWords *words;  // borrowed; or NULL: what texts are tried beside the usual ones
  ProbeCall *make;
  void *context;
  unsigned left;
  unsigned idle;            // calls since something new was heard
  uint64_t seen[SEEN_MAX];  // hashes of messages
  size_t seen_count;
  // The word with which messages about a parameter begin, once it is known.
  char subjects[KERNEL_PLACES_MAX][REFUSAL_WORD_MAX];
  Frame *frames;  // own; DEPTH_MAX
  unsigned depth;
  Kernel call;
  uint32_t kept;       // the parameter whose alternative is not changed
  uint32_t kept_text;  // the one whose text is not
} Search;

// Makes a call, as long as any are left; the message of the answer is without what headers put in front
// of it. False if the call was not made, or did not come back.
bool signature_heard_ask(Search *search, const Kernel *call, ProbeAnswer *answer);

// The same for messages that differ in what was got, not in what they are about.
uint64_t signature_heard_hash(const char *message);

// Whether it is the first message of its kind; from then on it is not.
bool signature_heard_is_news(Search *search, const char *message);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_HEARD_H_
