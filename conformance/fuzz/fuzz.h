// SPDX-License-Identifier: Apache-2.0
// Fuzzing of a foreign runtime: what a surface is, and what can be found on one.
//
// A surface is a part of the C API that takes bytes from outside. It is a row of a table
// (fuzz_surfaces.c) and says how inputs are made, what the library has to do with each, and how a
// finding is told to people. The engine (fuzz_engine.c) calls it in a worker, next to the library;
// the campaign (fuzz_campaign.c) in the main process. Only `prepare` and `run` touch the library,
// and only in the worker; everything else is a pure function of its arguments.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "battery/iut.h"
#include "fuzz/fuzz_random.h"
#include "spec_clauses.h"

enum {
  FUZZ_INPUT_MAX = 65536,  // bytes of an input
  FUZZ_ASPECTS_MAX = 96,
  FUZZ_SEEN_MAX = 6,  // findings of one input
  FUZZ_TEXT_MAX = 400,
  FUZZ_EARLY = 256,
  FUZZ_LATE = 32768,
};

// X(constant, name, sentence): the classes of findings.
#define FUZZ_CLASS_LIST(X)                                                  \
  X(CRASH, "crash", "the process goes down")                                \
  X(HANG, "hang", "it does not come back within the time limit")            \
  X(SLOW, "slow", "it takes work out of all proportion to the input")       \
  X(MEMORY, "memory", "it takes memory out of all proportion to the input") \
  X(LEAK, "leak", "something remains that should be gone")                  \
  X(RELEASED, "released", "something is released more often than retained") \
  X(ACCEPTED, "accepted", "what must be refused is accepted")               \
  X(REFUSED, "refused", "what must be accepted is refused")                 \
  X(DIFFERENT, "different", "what comes out is not what the input says")    \
  X(ERROR, "error", "a refusal has no kind or message, or not the one it needs")

typedef enum FuzzClass {
#define X(constant, name, sentence) FUZZ_##constant,
  FUZZ_CLASS_LIST(X)
#undef X
      FUZZ_CLASSES
} FuzzClass;

const char *fuzz_class_name(FuzzClass which);
const char *fuzz_class_sentence(FuzzClass which);
// FUZZ_CLASSES if there is no such class.
FuzzClass fuzz_class_find(const char *name);

// Bytes that a surface makes calls of. `bytes` is borrowed and has room for `room`, which is
// FUZZ_INPUT_MAX at most.
typedef struct FuzzInput {
  uint8_t *bytes;
  size_t size, room;
} FuzzInput;

// What has to become of an input.
typedef enum FuzzDue {
  FUZZ_DUE_EITHER,  // the spec leaves it open
  FUZZ_DUE_ACCEPT,
  FUZZ_DUE_REFUSE,
} FuzzDue;

// What an input is about, by the surface's oracle: the rule that it breaks, or what is special
// about a sound one.
typedef struct FuzzAspect {
  const char *name;  // "row-falls"; a word for machines
  ClauseId clause;   // that it is judged by
  FuzzDue due;
  const char *what;  // "a row is less than the one before it": a sentence without its full stop
  bool sized;        // a number announces more than is there: memory that is spent is spent on it
} FuzzAspect;

// All findings of a class about inputs of which this is due are about one clause.
typedef struct FuzzClassClause {
  FuzzClass class;
  FuzzDue due;
  ClauseId clause;
} FuzzClassClause;

// What is seen of the first aspect follows from the other one, if an input shows both.
typedef struct FuzzFollows {
  unsigned aspect, cause;
} FuzzFollows;

// One execution, as `run` reports it.
typedef struct FuzzSeen {
  uint32_t class;   // FuzzClass
  uint32_t aspect;  // that of the input, or of what was seen
  char text[FUZZ_TEXT_MAX];
} FuzzSeen;

typedef struct FuzzRun {
  unsigned aspect;          // of the input, as the surface said
  bool refused;             // the library refused it with an error
  bool unusable;            // the process can't run further inputs
  bool costly;              // it takes long: no other inputs are made of it
  uint64_t behaviour;       // digest of what could be seen, inputs of one behaviour count as one
  _Atomic uint32_t *phase;  // where phases are told, for the other processes
  _Atomic uint64_t *fence;  // the same of what fuzz_fence was told
  uint32_t count;
  FuzzSeen seen[FUZZ_SEEN_MAX];
} FuzzRun;

// Tells a finding; printf-like. A class counts once a run.
void fuzz_see(FuzzRun *run, FuzzClass which, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same for what is judged by another clause than the input: `aspect` is the row that has it,
// and counts for itself.
void fuzz_see_of(FuzzRun *run, FuzzClass which, unsigned aspect, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Adds something that was seen to the behaviour.
void fuzz_behave(FuzzRun *run, const void *bytes, size_t size);
// The same for a text of the library: digits and addresses make no difference.
void fuzz_behave_text(FuzzRun *run, const char *text, size_t size);
// From here on the run is in this phase, an index into the surface's names of phases.
void fuzz_enter(FuzzRun *run, unsigned phase);

// The input ends at this address, and what follows it can't be read.
void fuzz_fence(FuzzRun *run, const void *end);

// What a program has to reproduce.
typedef struct FuzzReport {
  FuzzClass class;
  unsigned aspect;
  const uint8_t *before;  // what runs before the input: fuzz_record_next
  size_t before_size;
} FuzzReport;

// The input of the record at `*at`, of records of so many bytes; moves on. False at the end.
bool fuzz_record_next(const uint8_t *records, size_t records_size, size_t *at,
                      const uint8_t **bytes, size_t *size);

typedef struct FuzzSurface FuzzSurface;

struct FuzzSurface {
  const char *name;   // "library_bin"
  const char *title;  // one line for the help
  size_t input_max;   // FUZZ_INPUT_MAX or less
  const FuzzAspect *aspects;
  unsigned aspect_count;
  bool drifts;         // a smaller input may be about something else, and shows the same
  unsigned of_inputs;  // inputs are about the aspects before this one; 0: about any
  unsigned slow;       // the aspect of what does not come back; 0: that of the input
  size_t memory;       // that a process may take, beyond what it has; 0: 64 MiB
  unsigned stateful;   // the aspect of what only shows after other inputs; 0: that of the input
  unsigned
      equal;  // the aspect of what differs between equal inputs, others before them or not; 0: none
  unsigned in_part;      // the aspect of what is accepted in part, and then refused; 0: none
  unsigned left_behind;  // the aspect of what an input that is refused leaves; 0: that of the input
  const FuzzClassClause *class_clauses;  // may be NULL
  unsigned class_clause_count;
  const FuzzFollows *follows;  // may be NULL
  unsigned follows_count;
  unsigned beyond;  // the aspect of a read past a sound input; 0: that of the input
  // Of an aspect that is more special than another which may show the same: that other one, else 0.
  const unsigned *general;  // may be NULL
  bool in_library;  // the input is loaded from a library, which findings come with (payload.so)
  const char *const *phases;      // "loading", ...
  const unsigned *phase_aspects;  // what goes down in a phase is about; 0: what the input is about
  unsigned phase_count;

  // In the worker, once in each process before its first input. False if the library lacks what
  // the surface needs, which `why` then says.
  bool (*prepare)(Iut *iut, char *why, size_t size);
  // The input by which rates are measured: a sound one of middling size.
  void (*sample)(FuzzInput *out);
  // Input `index` of those that there are, if there are so many and no others: `count`, else 0.
  void (*nth)(uint64_t index, FuzzInput *out);
  uint64_t count;
  uint64_t early;  // where `count` is 0: so many of nth come behind the first FUZZ_EARLY ones
  // How many bytes the library reads for an input; NULL: as many as it has.
  size_t (*weight)(const FuzzInput *input);
  // A sound input.
  void (*generate)(FuzzRandom *random, FuzzInput *out);
  // Changes one thing in it, and keeps everything else right.
  void (*mutate)(FuzzRandom *random, FuzzInput *input);
  // Fixes what no caller can get wrong after bytes were changed blindly. False: there is nothing to
  // run.
  bool (*repair)(FuzzInput *input);
  // What the input is about: an index into `aspects`.
  unsigned (*aspect)(const FuzzInput *input);
  // In the worker: hands it to the library and judges what comes of it.
  void (*run)(Iut *iut, const FuzzInput *input, FuzzRun *run);
  // In the worker, after a `run` that showed something new, or whose input is alone, and before the
  // input is run again: whether the process can do that. NULL: it can.
  void (*look)(Iut *iut, FuzzRun *run);
  // The same, afterwards: looks for what takes too long to be looked for each time. NULL: there is
  // nothing of the kind.
  void (*settle)(Iut *iut, const FuzzInput *input, FuzzRun *run);
  // The same for what tells little about the input: not before FUZZ_LATE inputs of a worker slot were run, or
  // half of them, so that what tells more is found first. Inputs of the corpus come again then. NULL: there is
  // nothing of the kind.
  void (*settle_late)(Iut *iut, const FuzzInput *input, FuzzRun *run);
  // Whether inputs of this aspect are refused for what their bytes are, and not for what is there when they
  // are run. NULL: all that have to be refused are.
  bool (*is_malformed)(unsigned aspect);
  // Whether an input that was refused, and nothing was made of it, is one of which a part would have
  // been made had what is wrong with it been overlooked. NULL if `in_part` is 0.
  bool (*is_at_once)(const FuzzInput *input);
  // Writes the input next to one that showed a finding of this class, which lacks what makes it
  // special: what it shows of the class `*shows` is what the finding is about. False if there is
  // none. NULL: there never is.
  bool (*neighbour)(const FuzzInput *input, FuzzClass class, FuzzInput *out, FuzzClass *shows);
  // Writes the input without what is done besides, such as a second load, while it runs: what only
  // shows with that is about what its aspect says. False if nothing is. NULL: there never is.
  bool (*plain)(const FuzzInput *input, FuzzInput *out);
  // Writes an input of the same size that has to be refused for another reason, and sooner. False if
  // there is none. NULL: there never is.
  bool (*other_fault)(const FuzzInput *input, FuzzInput *out);
  // Writes the `step`-th attempt at a smaller input. False once there is none left; an attempt that
  // is no smaller is passed over.
  bool (*shrink)(const FuzzInput *input, size_t step, FuzzInput *out);
  // Says which field of the input is concerned, for people; Markdown, one paragraph.
  void (*describe)(const FuzzInput *input, unsigned aspect, FILE *out);
  // Writes the C program that reproduces a finding. fuzz_program_write (fuzz_program.h) does, with
  // the two below.
  void (*program)(const FuzzSurface *surface, const FuzzInput *input, const FuzzReport *report,
                  FILE *out);
  // Writes the calls of one input: the body of a function without arguments, of lines indented by
  // two blanks. What it says with `expect(promise, "words")` is what is found.
  void (*program_body)(const FuzzInput *input, unsigned aspect, FILE *out);
  // Writes what stands before that function; NULL: nothing does.
  void (*program_before)(const FuzzInput *input, unsigned aspect, FILE *out);
};

extern const FuzzSurface *const fuzz_surfaces[];
extern const size_t fuzz_surface_count;

// How many bytes may be asked for at once, or be held, for an input of this size: a small multiple,
// and a constant.
size_t fuzz_memory_limit(size_t input_size);

// The size of an input by that measure.
size_t fuzz_weight(const FuzzSurface *surface, const FuzzInput *input);

// The surface of this name; NULL if there is none.
const FuzzSurface *fuzz_surface_find(const char *name);

extern const FuzzSurface fuzz_library_bin, fuzz_library_scale, fuzz_dtype, fuzz_strings, fuzz_error,
    fuzz_any, fuzz_dlpack, fuzz_api_sequence;

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_H_
