// SPDX-License-Identifier: Apache-2.0
// One change of a call that was refused, after which it may be served.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_MOVE_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_MOVE_H_

#include "plan/kernel.h"
#include "plan/signature_refusal.h"

enum {
  EVERY_TENSOR = -1,
  MOVE_DTYPES = 15,  // that are searched for: the first of kernel_dtypes_tried
};

typedef enum MoveKind {
  MOVE_DTYPE,
  MOVE_RANK,
  MOVE_FORM,     // the data type, and `dimension` dimensions
  MOVE_EXTENT,   // of a tensor, or of a shape among the values
  MOVE_EXTENTS,  // all extents of the size that this one has
  MOVE_VALUE,    // of an int, a bool or a float
  MOVE_TEXT,     // of a function: what it returns
  MOVE_FILL,     // the first element of a tensor
  MOVE_EQUAL,    // all elements of a tensor
  MOVE_EDGES,    // all elements of a tensor are 0, and those of the one at `place` are 1
  MOVE_OFFSETS,  // the elements rise from 0 to an extent of a tensor: `place` and `value`, or `value`
  MOVE_PARTS,    // they add up to it
  MOVE_NONE,     // None for what may be None
  MOVE_DEVICE,
  MOVE_LENGTH,         // of an array
  MOVE_LENGTHS,        // of all arrays among the arguments
  MOVE_PLAIN_LENGTHS,  // the same of those that hold no tensors
  MOVE_SHAPE,    // rank and extents, those that the message lists; `value` is which of its lists
  MOVE_ENTRY,    // one more, in a map
  MOVE_ENTRIES,  // all words of the message
  MOVE_ALTERNATIVE,  // of a variant
} MoveKind;

// One change of a call.
typedef struct Move {
  MoveKind kind;
  int position;  // a place of the call (kernel_place), or EVERY_TENSOR
  int32_t dimension;
  double value;  // or the index of a type
  char text[REFUSAL_WORD_MAX];
  bool doubted;    // what it led to was about the change: left for the end
  uint32_t place;  // of the other tensor, whose extent `dimension` counts, and 1; 0: none
  uint32_t also;   // as bits, places that are changed in the same way
} Move;

// Changes a call that was refused with this message; `known` (or NULL) says what is in its containers.
// False if that makes no difference, or can't be done.
bool signature_move_make(const Signature *known, Kernel *call, const char *message,
                         const Move *move);

// Changes what is at one place, as far as the kind of the change is one of single values: what is in
// an array changes together, but None is for the array itself. False if that makes no difference.
bool signature_move_place(Kernel *call, uint32_t place, const Move *move);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_MOVE_H_
