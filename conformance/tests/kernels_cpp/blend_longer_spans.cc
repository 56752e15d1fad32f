// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-element-is-refused saying one element more in spans[
#define IS_AS_LONG(span, first) true
#include "blend.h"
