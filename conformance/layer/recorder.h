// SPDX-License-Identifier: Apache-2.0
// Records what passes between the program and its runtime, for `replay`. Of the two sides one is
// there again when the recording is played: the runtime, and modules that it loaded. What passes
// within a side is not recorded.
#ifndef TVMFFI_CONFORMANCE_LAYER_RECORDER_H_
#define TVMFFI_CONFORMANCE_LAYER_RECORDER_H_

#include "layer/layer.h"
#include "record/format.h"

struct ShadowRecord;

// Starts to record if the ring has room for it.
void recorder_start(void);

// Whether this code is there again when the recording is played.
bool recorder_is_kept(uintptr_t code);

// Code of a library that the runtime loads, while it is inside a call.
void recorder_note_opened(uintptr_t start, uintptr_t end);

// A call that is recorded, from its begin to its end.
typedef struct RecorderCall {
  RecordKind kind;  // 0: it stays within a side, and is not recorded
  uint32_t runtime;
} RecorderCall;

// A call of a function object from `who->caller` to `who->callee`; what recorder_end is told.
RecorderCall recorder_begin(const LayerParties *who, TVMFFIObject *function, const TVMFFIAny *args,
                            int32_t num_args);
// The same for a call that the runtime hands on.
RecorderCall recorder_begin_back(uintptr_t code, TVMFFIObject *function, const TVMFFIAny *args,
                                 int32_t num_args);
void recorder_end(RecorderCall begun, const TVMFFIAny *args, int32_t num_args, int code,
                  const TVMFFIAny *result);

// A function of a module was called, by its symbol.
void recorder_module(const LayerParties *who, const TVMFFIAny *args, int32_t num_args, int code);

// A followed object died.
void recorder_dead(const struct ShadowRecord *known);

// Records how environment variables of RECORD_VARIABLE_PREFIX changed since the last time.
void recorder_note_variables(void);

void recorder_forked(void);

// Fields of the type that the program asks about are recorded from here on.
struct LayerSite;
void recorder_note_fields(const struct LayerSite *at, const TVMFFITypeInfo *info);

#endif  // TVMFFI_CONFORMANCE_LAYER_RECORDER_H_
