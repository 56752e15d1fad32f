// SPDX-License-Identifier: Apache-2.0
#include "layer/hooks.h"

const LayerHooks layer_hooks = {
#define HOOK(file, name) .name = file##_hook_##name,
#include "layer/hooks.def"
};
