// SPDX-License-Identifier: Apache-2.0
// passes but for load.metadata-is-json
// complaint: metadata is not JSON: line 1:
#define TEXT                                                                                    \
  "{\"text\": \"\xff\", \"type_schema\": \"{\\\"type\\\": \\\"ffi.Function\\\", \\\"args\\\": " \
  "[{\\\"type\\\": \\\"None\\\"}, {\\\"type\\\": \\\"DLTensor*\\\"}, {\\\"type\\\": "           \
  "\\\"DLTensor*\\\"}]}\"}"
#define GIVE return give_bytes(TEXT, sizeof TEXT - 1, result)
#include "metadata.h"
