// SPDX-License-Identifier: Apache-2.0
#include "layer/checks.h"

#define BREACH false
#define ADVICE true

const Check checks[CHECK_COUNT] = {
#define CHECK(id, name, group, clause, side, preset, weight, text) \
  {name, group, clause, SIDE_##side, PRESET_##preset, weight, text},
#include "layer/checks.def"
};
