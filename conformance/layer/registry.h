// SPDX-License-Identifier: Apache-2.0
// Names and types that are registered.
#ifndef TVMFFI_CONFORMANCE_LAYER_REGISTRY_H_
#define TVMFFI_CONFORMANCE_LAYER_REGISTRY_H_

// The process exits. A runtime may have been asked for a type that it does not know, and exit.
void registry_note_exit(void);

// In a process that was forked there is one thread.
void registry_forked(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_REGISTRY_H_
