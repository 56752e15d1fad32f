// SPDX-License-Identifier: Apache-2.0
// caught by load.metadata-is-json
#define METADATA "{\"type_schema\": \"{\\\"type\\\":\\\"ffi.Function\\\"}\""
#include "add_one_metadata.h"
