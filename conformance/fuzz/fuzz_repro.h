// SPDX-License-Identifier: Apache-2.0
// The C programs in repro/, which the build embeds: what reproducers are made of, but for the lines
// that are particular to a finding.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_REPRO_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_REPRO_H_

#include <stddef.h>

extern const unsigned char fuzz_repro_library_bin[];
extern const size_t fuzz_repro_library_bin_size;
extern const unsigned char fuzz_repro_library_scale[];
extern const size_t fuzz_repro_library_scale_size;
extern const unsigned char fuzz_repro_library_tree[];
extern const size_t fuzz_repro_library_tree_size;
extern const unsigned char fuzz_repro_memory[];
extern const size_t fuzz_repro_memory_size;
extern const unsigned char fuzz_repro_call[];
extern const size_t fuzz_repro_call_size;
extern const unsigned char fuzz_repro_threads_h[], fuzz_repro_threads[];
extern const size_t fuzz_repro_threads_h_size, fuzz_repro_threads_size;
extern const unsigned char fuzz_repro_sequence_h[], fuzz_repro_sequence[];
extern const size_t fuzz_repro_sequence_h_size, fuzz_repro_sequence_size;

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_REPRO_H_
