// SPDX-License-Identifier: Apache-2.0
// passes
#define METADATA                                                                                   \
  "{\"a\": [1, -2.5e3, {}, [], {\"b\": [true]}], \"type_schema\": "                                \
  "\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":["                                            \
  "{\\\"type\\\":\\\"None\\\"},{\\\"type\\\":\\\"DLTensor*\\\"},{\\\"type\\\":\\\"DLTensor*\\\"}]" \
  "}\"}"
#include "add_one_metadata.h"
