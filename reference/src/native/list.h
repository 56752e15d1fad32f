// SPDX-License-Identifier: Apache-2.0
// Functions that change lists. They release what they take out when the list is in order again,
// because that may run code which uses the list.
#ifndef REFERENCE_SRC_NATIVE_LIST_H_
#define REFERENCE_SRC_NATIVE_LIST_H_

#include "native/native.h"

NativeBody list_append, list_insert, list_set_item, list_pop, list_erase, list_erase_range,
    list_replace_slice, list_reverse, list_clear, list_reserve;

#endif  // REFERENCE_SRC_NATIVE_LIST_H_
