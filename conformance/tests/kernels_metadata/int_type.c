// SPDX-License-Identifier: Apache-2.0
// passes but for load.metadata-is-json
// complaint: type_schema has type "int"
#define GIVE                                                              \
  return give_bytes("{\"type_schema\": \"{\\\"type\\\": \\\"int\\\"}\"}", \
                    sizeof("{\"type_schema\": \"{\\\"type\\\": \\\"int\\\"}\"}") - 1, result)
#include "metadata.h"
