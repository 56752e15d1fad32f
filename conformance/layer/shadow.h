// SPDX-License-Identifier: Apache-2.0
// What the layer knows of objects that are alive: the deleter and the code that it put its own in
// the place of, and who made them. C++ code reads objects in place, so what is known lies beside
// them.
#ifndef TVMFFI_CONFORMANCE_LAYER_SHADOW_H_
#define TVMFFI_CONFORMANCE_LAYER_SHADOW_H_

#include "layer/layer.h"

// How C++ code calls functions: it throws what fails.
typedef void (*LayerCppCall)(void *self, const TVMFFIAny *args, int32_t num_args,
                             TVMFFIAny *result);

// What the recorder knows of an object.
typedef struct ShadowRecord {
  uint64_t number;         // 0: it is not in the recording
  uint32_t runtime;        // that it was shown in a call of, by its index
  uint64_t digest, event;  // of a tensor's bytes, and the event that has them
} ShadowRecord;

// What a function was made with that has a deleter.
typedef struct ShadowClosure {
  uint32_t self;    // the lower half of what the deleter is called with
  uint8_t deleter;  // which one, for closures.c; 0: it is not followed
} ShadowClosure;

// In the phases of an object: it is a function, whose deleter was called or is to be.
enum { SHADOW_CLOSED = 4 };

typedef struct ShadowEntry {
  void (*deleter)(void *self, int flags);
  TVMFFISafeCallType
      safe_call;          // of a function whose cell has the layer's; NULL: of another object
  LayerCppCall cpp_call;  // the same of its cpp_call, which is the layer's while it records
  uintptr_t code;  // of a function: what its author gave TVMFFIFunctionCreate, else its safe_call
  uintptr_t made;  // who first showed it to the layer
  const struct LayerRuntime *runtime;  // it was shown in a call of this one; NULL: of none
  uint32_t epoch;                      // of memory.h, when its header could be read
  uint32_t closure_self;               // of ShadowClosure
  uint32_t birth;                      // of growth.h
  uint8_t phases;                      // flags that its deleter was called with
  bool read_only;                      // a tensor that was imported so
  uint8_t fetched;                     // an error: where, for errors.c
  uint8_t closure_deleter;             // of ShadowClosure
  ShadowRecord record;
} ShadowEntry;

// Whether there is an object's header; that of a function has its cell.
bool shadow_can_read(const TVMFFIObject *object);

// From here on the object is followed: its deleter and, if it is a function, its safe_call are the
// layer's. `code` (may be NULL) is what its author wrote. Does nothing for what has no deleter, is
// followed already or cannot be written, or if there is no room. Whether it was followed before.
bool shadow_see(TVMFFIObject *object, const LayerParties *who, TVMFFISafeCallType code);

// Remembers of a followed object that it is a read-only tensor.
void shadow_set_read_only(const void *object);

// Remembers of a followed error where it was fetched; `before` is where it was last. False if it is not
// followed.
bool shadow_set_fetched(const void *error, uint8_t site, uint8_t *before);

// Remembers of a followed function what it was made with. False if it is not followed.
bool shadow_set_closure(const void *function, const ShadowClosure *closure);

// Remembers that the deleter of a followed function is called. The second looks for a living one that
// was made with the same; false if there is none.
void shadow_close(const void *function);
bool shadow_close_living(const ShadowClosure *closure, ShadowEntry *entry);

// What is known of the birth of a followed object; NULL if it is not followed.
uint32_t *shadow_birth(const void *object);

// Where the recorder notes what it knows of a followed object; NULL if it is not followed.
ShadowRecord *shadow_record(const void *object);

// What is known of an object. False if it is not followed.
bool shadow_find(const void *object, ShadowEntry *entry);

// The same, of a function: its safe_call and its code. NULL if it is not followed.
TVMFFISafeCallType shadow_find_function(const void *function, uintptr_t *code);

// The same: its cpp_call, where the layer's is in its place; else NULL.
LayerCppCall shadow_find_cpp(const void *function, uintptr_t *code);

// For a handle that is called: its safe_call and what shadow_code_of tells, if it is known to be that of a
// function that can be read and is followed; else NULL.
TVMFFISafeCallType shadow_is_function(const TVMFFIObject *object, uintptr_t *code);

// The code of a function object, whether it is followed or not, for blame.
uintptr_t shadow_code_of(const TVMFFIObject *function);

// Objects that are followed, alive and need code between `start` and `end`; one of them goes into
// `entry`.
size_t shadow_count_in(uintptr_t start, uintptr_t end, ShadowEntry *entry);

// Shows all objects that are followed and alive.
void shadow_visit(void (*see)(const TVMFFIObject *object, const ShadowEntry *entry));

#endif  // TVMFFI_CONFORMANCE_LAYER_SHADOW_H_
