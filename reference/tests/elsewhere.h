// SPDX-License-Identifier: Apache-2.0
// Running parts of a test in other threads, or in a child process.
#ifndef REFERENCE_TESTS_ELSEWHERE_H_
#define REFERENCE_TESTS_ELSEWHERE_H_

#include <stdbool.h>

// Runs `body` in `count` threads at once, 8 at most, handing each its number. Returns the sum of
// what they return.
long run_threads(int count, long (*body)(int number));

// Forks, and tells whether `body` returned true in the child, before long.
bool child_says(bool (*body)(void));

#endif  // REFERENCE_TESTS_ELSEWHERE_H_
