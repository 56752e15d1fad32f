// SPDX-License-Identifier: Apache-2.0
// Records what passes between the program and its runtime, for `replay`. Of the two sides one is
// there again when the recording is played: the runtime, and modules that it loaded. What passes
// within a side is not recorded.
#ifndef TVMFFI_CONFORMANCE_LAYER_RECORDER_H_
#define TVMFFI_CONFORMANCE_LAYER_RECORDER_H_

#include "layer/layer.h"
#include "record/format.h"

// Starts to record if the ring has room for it.
void recorder_start(void);

// Whether this code is there again when the recording is played.
bool recorder_is_kept(uintptr_t code);

// Code of a library that the runtime loads, while it is inside a call.
void recorder_note_opened(uintptr_t start, uintptr_t end);

// A call of a function object from `who->caller` to `who->callee`. 0 if it stays within a side, else
// what recorder_end is told.
RecordKind recorder_begin(const LayerParties *who, TVMFFIObject *function, const TVMFFIAny *args,
                          int32_t num_args);
// The same for a call that the runtime hands on.
RecordKind recorder_begin_back(uintptr_t code, TVMFFIObject *function, const TVMFFIAny *args,
                               int32_t num_args);
void recorder_end(RecordKind begun, const TVMFFIAny *args, int32_t num_args, int code,
                  const TVMFFIAny *result);

// A function of a module was called, by its symbol.
void recorder_module(const LayerParties *who, const TVMFFIAny *args, int32_t num_args, int code);

// A followed object died, which has this number (0: it is not in the recording).
void recorder_dead(uint64_t number);

void recorder_forked(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_RECORDER_H_
