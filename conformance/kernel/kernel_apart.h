// SPDX-License-Identifier: Apache-2.0
// A valid call that a copy of the process makes, and what came out of it, which the case can compare
// with what came out in another copy.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_APART_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_APART_H_

#include "kernel/kernel_call.h"

enum { APART_BYTES_MAX = 1 << 21, APART_PARTS_MAX = 96 };

#define KERNEL_APART_RESULT "the result"

// An output, or a value in the result.
typedef struct ApartPart {
  uint32_t first, size;  // of its bytes
  uint32_t width;        // of an element, in bytes; 0: it has none that are whole bytes
  DLDataType dtype;      // of an element, where it has any
  bool fresh;            // in memory that may not have been written
  char name[48];
} ApartPart;

typedef enum ApartEnd {
  APART_LOST = 0,   // the call ended the process
  APART_NOT_AFTER,  // the call before it was not served
  APART_REFUSED,
  APART_UNSEEN,  // it is served, but what came out can't be looked at; or it runs still
  APART_SERVED,
} ApartEnd;

// In memory that copies of the process share.
typedef struct ApartOutcome {
  volatile ApartEnd end;
  bool threads;  // others than the calling one have worked on the call
  // Of calls of a series (kernel_series.h). Where it looks at the heap: so many bytes more are in use after SERIES_ROUNDS calls
  // like it. Of one that was refused: kind and message, whether the tensors that are given are as they were, and how many
  // references more are held to arguments.
  uint64_t growth;
  char refusal[256];
  bool untouched;
  uint64_t held;
  uint32_t count, used;
  ApartPart parts[APART_PARTS_MAX];
  unsigned char bytes[APART_BYTES_MAX];
} ApartOutcome;

// `count` of them, which live until the process of the case ends.
ApartOutcome *kernel_apart_outcomes(unsigned count);

// What came of a call that was served here: the result, and the tensors that are given, or those of them that were
// written. False if it can't be looked at.
bool kernel_apart_take(const KernelCall *call, bool written, ApartOutcome *outcome);
// The same of a call that was refused: the tensors that were given.
bool kernel_apart_take_refused(const KernelCall *call, ApartOutcome *outcome);
// Adds something else that came of it: `count` numbers of 64 bits. False if there is no room.
bool kernel_apart_add(ApartOutcome *outcome, const char *name, const void *numbers, size_t count,
                      bool floats);

// Makes the valid call of `kernel` in a copy of the process, after that of `before`, or as the first
// one where that is NULL. Fresh memory is full of the byte `fill`, and each block of the heap ends at
// an unmapped page.
ApartEnd kernel_apart_call(Iut *iut, const Kernel *before, const Kernel *kernel, unsigned char fill,
                           ApartOutcome *outcome);

// The same in memory as it is, and with the object that is the argument for the parameter `reused` at the address
// where that of `before` was, which has been released (kernel_take_place): APART_NOT_AFTER if there comes none
// to be there. APART_NOTHING: each object has an address of its own.
enum { APART_NOTHING = -1 };
ApartEnd kernel_apart_reusing(Iut *iut, const Kernel *before, const Kernel *kernel, int reused,
                              ApartOutcome *outcome);

// Whether the call comes to this each time that it is made so again: what is random may have come to the same twice by
// chance.
bool kernel_apart_again(Iut *iut, const Kernel *before, const Kernel *kernel, unsigned char fill,
                        const ApartOutcome *outcome);

// What may explain that two builds differ: that the call is so sensitive to the last digits of what it is given.
enum { APART_LARGER = 4, APART_APART = 2 };
typedef struct ApartSensitivity {
  // Of the call where all floats are larger by a little (KernelParameter.nudge), and where each is larger or smaller.
  ApartOutcome *larger[APART_LARGER], *apart[APART_APART];
  double largest;  // of the floats that the call is given
} ApartSensitivity;

// Whether this explains all in which `a` and `b` differ: the same build comes to something else there, as far away as that, where
// the floats that it is given are others in their last digits.
bool kernel_apart_explains(const ApartSensitivity *sensitivity, const ApartOutcome *a,
                           const ApartOutcome *b);

// Bit for bit the same.
bool kernel_apart_same(const ApartOutcome *a, const ApartOutcome *b);
// The same, but for digits that floats lose where they are computed in another order; else
// `difference` says where not.
bool kernel_apart_close(const ApartOutcome *a, const ApartOutcome *b, char difference[160]);
// The same of calls that do the same in the same order, compiled in another way: floats are within the tolerance that the
// signature file of `call` states (NULL: there is none), or lose fewer digits.
bool kernel_apart_near(const ApartOutcome *a, const ApartOutcome *b, KernelCall *call,
                       char difference[160]);
// The same elements, in whatever order, but for such digits; whole numbers are compared if `whole`.
bool kernel_apart_alike(const ApartOutcome *a, const ApartOutcome *b, bool whole);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_APART_H_
