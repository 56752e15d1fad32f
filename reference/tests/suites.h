// SPDX-License-Identifier: Apache-2.0
// The suites, one a chapter. Adding one means a line here, a file, and a line in CMakeLists.txt.
#ifndef REFERENCE_TESTS_SUITES_H_
#define REFERENCE_TESTS_SUITES_H_

#include <check.h>

// Of the core, which is linked without the rest of the runtime.
#define SUITES_OF_CORE(XX) \
  XX(allocator)            \
  XX(any)                  \
  XX(backtrace)            \
  XX(bytes)                \
  XX(dtype)                \
  XX(env)                  \
  XX(env_allocator)        \
  XX(error)                \
  XX(frugal)               \
  XX(function)             \
  XX(object)               \
  XX(once)                 \
  XX(opaque)               \
  XX(tensor)               \
  XX(tensor_export)        \
  XX(version)

#define SUITES_ABOVE_CORE(XX) \
  XX(bad_input)               \
  XX(bad_input_env)           \
  XX(bad_input_native)        \
  XX(bad_input_type)          \
  XX(fork)                    \
  XX(integer)                 \
  XX(interrupt)               \
  XX(key)                     \
  XX(library_bin)             \
  XX(list)                    \
  XX(map)                     \
  XX(module)                  \
  XX(module_import)           \
  XX(module_load)             \
  XX(module_tree)             \
  XX(native)                  \
  XX(nest)                    \
  XX(recursive)               \
  XX(reflect)                 \
  XX(registry)                \
  XX(registry_native)         \
  XX(sequence)                \
  XX(threads)                 \
  XX(type)                    \
  XX(type_attr)               \
  XX(type_member)

#define SUITES(XX)   \
  SUITES_OF_CORE(XX) \
  SUITES_ABOVE_CORE(XX)

#define SUITE_DECLARE(name) Suite *name##_suite(void);
SUITES(SUITE_DECLARE)
#undef SUITE_DECLARE

#endif  // REFERENCE_TESTS_SUITES_H_
