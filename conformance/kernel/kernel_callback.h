// SPDX-License-Identifier: Apache-2.0
// Functions that are handed to a kernel, which it calls back. One does what the signature says of
// it; without words on it, it returns what it
// was given first, or a value of the kind with which a call was found.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_CALLBACK_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_CALLBACK_H_

#include <stdatomic.h>

#include "kernel/kernel_call.h"
#include "signature/signature.h"

enum { KERNEL_KEPT_MAX = 64, KERNEL_TURNS_MAX = 16, KERNEL_SEEN_MAX = 32 };

// What one does in the place of its work.
typedef enum KernelCallbackTurn {
  KERNEL_CALLBACK_WORKS = 0,
  KERNEL_CALLBACK_FAILS,            // raises ValueError, "the callback fails (...)"
  KERNEL_CALLBACK_FAILS_OTHERWISE,  // the same with RuntimeError
  KERNEL_CALLBACK_RETURNS_NONE,     // whatever it is asked for
  KERNEL_CALLBACK_RETURNS_TEXT,     // a string object, which nobody asked for
  KERNEL_CALLBACK_CALLS_BACK,  // makes `inner` before it works, when it is called for the `from`th time (0: the first)
  KERNEL_CALLBACK_KEEPS,  // retains the objects that it is given
} KernelCallbackTurn;

// A tensor that one returns in the place of the one that it has to return, and of its elements.
typedef enum KernelGivenForm {
  KERNEL_GIVEN_AS_STATED = 0,
  KERNEL_GIVEN_OTHER_DTYPE,  // float32 for float64, float64 for all others
  KERNEL_GIVEN_SAME_BYTES,   // another type of the same width, over the bytes of the right one
  KERNEL_GIVEN_OTHER_WIDTH,  // floats of another width, over the bytes of the right ones
  KERNEL_GIVEN_SHORTER,      // one element less in the last dimension; all are in its memory
  KERNEL_GIVEN_OTHER_RANK,   // one more dimension, of extent 1
  KERNEL_GIVEN_OFFSET,       // with a byte_offset
  KERNEL_GIVEN_APART,        // with strides
} KernelGivenForm;

typedef struct KernelCallback {
  Iut *iut;
  const Signature *signature;  // NULL: nothing is said of it
  const SignatureType *type;
  KernelKind found;  // what it returns where a call was found by that; KERNEL_ANY: nothing was
  double times;      // what a float that it returns then is multiplied by
  TVMFFIObjectHandle function;  // own; NULL once it is let go
  KernelCallbackTurn turn;
  unsigned from;  // the calls before this one, counted from 1, work all the same; 0: none does
  KernelGivenForm form;  // of the tensors that it returns
  unsigned formed;       // how many it returned in that form
  unsigned char fill;    // what is in their memory beside the elements; 0: 0xA5
  KernelCall *inner;     // borrowed; of KERNEL_CALLBACK_CALLS_BACK
  atomic_uint calls;
  atomic_uint deleted;  // how often its deleter was called
  bool handed_back;     // an argument is returned as it is
  char wrong[160];      // the first call that is not as the signature says; ""
  TVMFFIAny kept[KERNEL_KEPT_MAX];
  // Of tensors among them: octets at the beginning of the elements, as they were when it was called.
  unsigned char seen[KERNEL_KEPT_MAX][KERNEL_SEEN_MAX];
  uint32_t seen_size[KERNEL_KEPT_MAX];  // 0: not looked at
  uint32_t kept_count;
  struct Expression *does;  // own, of `type`
  // What it does in the call that it is made for, one time after the other, the last one from then on.
  struct Expression *turns[KERNEL_TURNS_MAX];  // own
  uint32_t turn_count, next_turn;
  unsigned turns_of;  // the call (kernel_calls_made) that `next_turn` belongs to
  bool of_step;       // `next_turn` belongs to all calls from this one on, which may keep it
} KernelCallback;

// The text that KERNEL_CALLBACK_FAILS raises, and its kind.
extern const char kernel_callback_kind[], kernel_callback_message[];
// The kind of KERNEL_CALLBACK_FAILS_OTHERWISE.
extern const char kernel_callback_other_kind[];

// One for a parameter of call->kernel; own, and lives until the process of the case ends, as its
// function does.
KernelCallback *kernel_callback_new(KernelCall *call, const KernelParameter *parameter,
                                    KernelCallbackTurn turn);

// The same as a value to hand over, which works.
TVMFFIAny kernel_callback_value(KernelCall *call, const KernelParameter *parameter);

// Gives back the functions of steps that were made: who needs one later has a reference to it.
void kernel_callbacks_let_go(Iut *iut);

// Has the calls of functions of steps fail, as those of KERNEL_CALLBACK_FAILS do, from call `number` on, counted from 1
// from here on; 0: none does. How many there have been.
void kernel_callbacks_fail_at(unsigned number);
unsigned kernel_callbacks_calls(void);

// How often one was called that nobody had a reference to any more, since this was asked last.
unsigned kernel_callbacks_called_late(void);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_CALLBACK_H_
