// SPDX-License-Identifier: Apache-2.0
// WRAP(result, name, parameters) stands between a function and the files that call it, in a program
// or library that is linked with --wrap=name; inside, REAL(name) is that function.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_WRAP_H_
#define TVMFFI_CONFORMANCE_MUTANTS_WRAP_H_

#define WRAP(result, name, ...)             \
  extern result __real_##name(__VA_ARGS__); \
  extern result __wrap_##name(__VA_ARGS__); \
  __attribute__((used)) result __wrap_##name(__VA_ARGS__)

#define REAL(name) __real_##name

#endif  // TVMFFI_CONFORMANCE_MUTANTS_WRAP_H_
