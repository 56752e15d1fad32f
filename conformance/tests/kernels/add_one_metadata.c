// SPDX-License-Identifier: Apache-2.0
// Kernels of add_one_metadata.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_add_one_metadata_cut  // caught by load.metadata-is-json
#define METADATA "{\"type_schema\": \"{\\\"type\\\":\\\"ffi.Function\\\"}\""
#endif

#ifdef KERNEL_add_one_metadata_once  // caught by load.metadata-is-json
#define METADATA "{\"type_schema\": {\"type\": \"ffi.Function\"}}"
#endif

#ifdef KERNEL_add_one_metadata_right  // passes
#define METADATA                                                                                   \
  "{\"a\": [1, -2.5e3, {}, [], {\"b\": [true]}], \"type_schema\": "                                \
  "\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":["                                            \
  "{\\\"type\\\":\\\"None\\\"},{\\\"type\\\":\\\"DLTensor*\\\"},{\\\"type\\\":\\\"DLTensor*\\\"}]" \
  "}\"}"
#endif

#include "add_one_metadata.h"
