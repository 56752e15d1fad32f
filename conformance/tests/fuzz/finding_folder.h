// SPDX-License-Identifier: Apache-2.0
// A folder of its own for one test, in which findings are written, and what is in it.
#ifndef TVMFFI_CONFORMANCE_TESTS_FUZZ_FINDING_FOLDER_H_
#define TVMFFI_CONFORMANCE_TESTS_FUZZ_FINDING_FOLDER_H_

enum { FINDING_FOLDER_SIZE = 4096, FINDING_PATH_SIZE = 8300 };

// The folder, between finding_folder_make() and finding_folder_remove().
extern char finding_folder[FINDING_FOLDER_SIZE];
void finding_folder_make(void);
void finding_folder_remove(void);

// The folder of a finding whose name begins so, or the end of the test.
void finding_folder_find(const char *begin, char path[FINDING_PATH_SIZE]);

#endif  // TVMFFI_CONFORMANCE_TESTS_FUZZ_FINDING_FOLDER_H_
