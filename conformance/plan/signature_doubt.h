// SPDX-License-Identifier: Apache-2.0
// Whether a new complaint is progress, or about the change that it came with.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_DOUBT_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_DOUBT_H_

#include "plan/signature_heard.h"

// The message with the name of the type that a tensor got in place of the one that it had: what is
// left of a difference says more than that it is another type.
void signature_doubt_name_old_type(const Frame *frame, const Move *move, const char *message,
                                   char out[512]);

// Whether the new complaint is about the change itself: with a third value in its place it comes
// again, with that value in its words. Makes a call.
bool signature_doubt_change(Search *search, const Frame *frame, const Move *move,
                            const char *message);

// Whether the same change with another value has turned out to be one that is complained of.
bool signature_doubt_kind(Frame *frame, const Move *move);

// Leaves a move for later: behind those that are likely to help.
void signature_doubt_put_off(Frame *frame, Move move);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_DOUBT_H_
