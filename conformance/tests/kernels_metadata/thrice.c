// SPDX-License-Identifier: Apache-2.0
// passes but for load.metadata-is-json
// complaint: type_schema is not JSON: line 1:
#define GIVE                                             \
  return give_bytes("{\"type_schema\": \"\\\"{}\\\"\"}", \
                    sizeof("{\"type_schema\": \"\\\"{}\\\"\"}") - 1, result)
#include "metadata.h"
