// SPDX-License-Identifier: Apache-2.0
// passes but for load.metadata-is-json
// complaint: type_schema has type
#define GIVE                                                                                      \
  return give_bytes("{\"type_schema\": \"{}\"}\0{}", sizeof("{\"type_schema\": \"{}\"}\0{}") - 1, \
                    result)
#include "metadata.h"
