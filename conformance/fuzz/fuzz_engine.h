// SPDX-License-Identifier: Apache-2.0
// The worker's part of a campaign: makes inputs, runs them on the library, and notes in the arena
// what is new. Nothing that matters is kept anywhere else, since the process may go down with any
// input.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_ENGINE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_ENGINE_H_

#include "fuzz/fuzz_arena.h"

// Does what arena `slot` of the file `fd` asks for, in a process of its own that has loaded the
// library. Returns when that is done, or when another process is to go on. False if there is no
// such arena.
bool fuzz_serve(Iut *iut, int fd, unsigned slot);

// Makes the input of execution `index` from what the arena holds: its seed, its slot, its corpus.
// False if there is nothing to run this time. (Public for tests.)
bool fuzz_make_input(const FuzzArena *arena, const FuzzSurface *surface, uint64_t index,
                     FuzzInput *input);

// Keeps an input in the corpus, if its behaviour is new, or if it is smaller than the one that has
// the same: it takes its place. A full corpus lets go of one that the behaviour draws. Returns the
// entry; FUZZ_CORPUS_MAX if the input is not kept. (Public for tests.)
uint32_t fuzz_keep(FuzzArena *arena, const FuzzInput *input, uint64_t behaviour, bool is_new);

// Changes bytes blindly. (Public for tests.)
void fuzz_havoc(FuzzRandom *random, FuzzInput *input);

// Where a library that was built for it tells which places of its code were reached
// (fuzz_coverage.c). NULL: nowhere.
void fuzz_coverage_into(uint8_t edges[FUZZ_EDGES_MAX]);
// How many places were reached for the first time since the last call.
unsigned fuzz_coverage_gain(void);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_ENGINE_H_
