// SPDX-License-Identifier: Apache-2.0
// passes but for load.metadata-is-json
// complaint: metadata is not JSON: line 1:
#define GIVE                                                                                  \
  return give_bytes("{\"type_schema\": \"\xff\"}", sizeof("{\"type_schema\": \"\xff\"}") - 1, \
                    result)
#include "metadata.h"
