// SPDX-License-Identifier: Apache-2.0
#include "layer/hooks.h"

const LayerHooks layer_hooks = {
#define HOOK(file, name) .name = ffi_call_##file##_##name,
#include "layer/hooks.def"
};

const LayerHooks *layer_hooks_now = &layer_hooks;
