// SPDX-License-Identifier: Apache-2.0
// caught by buffer.digits-are-kept.integers
#include <type_traits>
#define COMPUTED_AS(T) std::conditional_t<std::is_same_v<T, int64_t>, float, T>
#include "stir.h"
