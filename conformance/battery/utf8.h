// SPDX-License-Identifier: Apache-2.0
// Texts as bytes.
#ifndef TVMFFI_CONFORMANCE_BATTERY_UTF8_H_
#define TVMFFI_CONFORMANCE_BATTERY_UTF8_H_

#include <stdbool.h>
#include <stddef.h>

// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(const char *bytes, size_t size);

#endif  // TVMFFI_CONFORMANCE_BATTERY_UTF8_H_
