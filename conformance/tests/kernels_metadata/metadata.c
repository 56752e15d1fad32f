// SPDX-License-Identifier: Apache-2.0
// Modules with metadata of metadata.h, a block each, for which KERNEL_<name> is defined; the comment
// behind that is what has to come of it, and the next one what `signatures` reports.

#ifdef KERNEL_behind_nul  // passes but for load.metadata-is-json
// complaint: type_schema has type
#define GIVE                                                                                      \
  return give_bytes("{\"type_schema\": \"{}\"}\0{}", sizeof("{\"type_schema\": \"{}\"}\0{}") - 1, \
                    result)
#endif

#ifdef KERNEL_crashes  // passes but for load.metadata-is
// complaint: missing, or reading it fails
#define GIVE abort()
#endif

#ifdef KERNEL_deep  // passes but for load.metadata-is-json
// complaint: too long
#define GIVE return give_many("", '[', 1000 * 1000, "", result)
#endif

#ifdef KERNEL_deep_as_it_fits  // passes but for load.metadata-is-json
// complaint: type_schema is not JSON: line 1: maximum parsing depth reached
#define GIVE return give_many("{\"type_schema\": \"", '[', 8000, "\"}", result)
#endif

#ifdef KERNEL_deep_type  // passes but for load.metadata-is-json
// complaint: too long
#define GIVE return give_many("{\"type_schema\": \"", '[', 1000 * 1000, "\"}", result)
#endif

#ifdef KERNEL_ends_the_process  // passes but for load.metadata-is
// complaint: missing, or reading it fails
#define GIVE exit(0)
#endif

#ifdef KERNEL_fails  // passes but for load.metadata-is
// complaint: missing, or reading it fails
#define GIVE return FAIL("RuntimeError", "there are no metadata")
#endif

#ifdef KERNEL_hangs  // passes but for load.metadata-is
// complaint: missing, or reading it fails
#include <unistd.h>
#define GIVE \
  for (;;) pause()
#endif

#ifdef KERNEL_huge  // passes
// complaint: too long
#define GIVE return give_many("{\"about\": \"", 'a', 4 << 20, "\"}", result)
#endif

#ifdef KERNEL_int_result  // passes but for load.metadata-is-a-string
// complaint: missing, or reading it fails
#define GIVE                       \
  result->type_index = kTVMFFIInt; \
  result->v_int64 = 3;             \
  return 0
#endif

#ifdef KERNEL_int_type  // passes but for load.metadata-is-json
// complaint: type_schema has type "int"
#define GIVE                                                              \
  return give_bytes("{\"type_schema\": \"{\\\"type\\\": \\\"int\\\"}\"}", \
                    sizeof("{\"type_schema\": \"{\\\"type\\\": \\\"int\\\"}\"}") - 1, result)
#endif

#ifdef KERNEL_list  // passes but for load.metadata-is-json
// complaint: not a JSON object
#define GIVE return give_bytes("[]", sizeof("[]") - 1, result)
#endif

#ifdef KERNEL_none  // passes but for load.metadata-is-not-none
// complaint: missing, or reading it fails
#define GIVE return 0
#endif

#ifdef KERNEL_not_utf8  // passes but for load.metadata-is-json
// complaint: metadata is not JSON: line 1:
#define GIVE                                                                                  \
  return give_bytes("{\"type_schema\": \"\xff\"}", sizeof("{\"type_schema\": \"\xff\"}") - 1, \
                    result)
#endif

#ifdef KERNEL_not_utf8_elsewhere  // passes but for load.metadata-is-json
// complaint: metadata is not JSON: line 1:
#define TEXT                                                                                    \
  "{\"text\": \"\xff\", \"type_schema\": \"{\\\"type\\\": \\\"ffi.Function\\\", \\\"args\\\": " \
  "[{\\\"type\\\": \\\"None\\\"}, {\\\"type\\\": \\\"DLTensor*\\\"}, {\\\"type\\\": "           \
  "\\\"DLTensor*\\\"}]}\"}"
#define GIVE return give_bytes(TEXT, sizeof TEXT - 1, result)
#endif

#ifdef KERNEL_nothing  // passes
// complaint: no type_schema
#define GIVE return give_bytes("{}", sizeof("{}") - 1, result)
#endif

#ifdef KERNEL_null  // passes but for load.metadata-is-json
// complaint: missing, or reading it fails
#define GIVE                       \
  result->type_index = kTVMFFIStr; \
  result->v_obj = NULL;            \
  return 0
#endif

#ifdef KERNEL_number  // passes but for load.metadata-is-json
// complaint: type_schema is not a string
#define GIVE return give_bytes("{\"type_schema\": 3}", sizeof("{\"type_schema\": 3}") - 1, result)
#endif

#ifdef KERNEL_thrice  // passes but for load.metadata-is-json
// complaint: type_schema is not JSON: line 1:
#define GIVE                                             \
  return give_bytes("{\"type_schema\": \"\\\"{}\\\"\"}", \
                    sizeof("{\"type_schema\": \"\\\"{}\\\"\"}") - 1, result)
#endif

#ifdef KERNEL_words  // passes but for load.metadata-is-json
// complaint: metadata is not JSON: line 1:
#define GIVE return give_bytes("it takes two tensors", sizeof("it takes two tensors") - 1, result)
#endif

#include "metadata.h"
