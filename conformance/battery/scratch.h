// SPDX-License-Identifier: Apache-2.0
// A directory for files that a case writes.
#ifndef TVMFFI_CONFORMANCE_BATTERY_SCRATCH_H_
#define TVMFFI_CONFORMANCE_BATTERY_SCRATCH_H_

enum { SCRATCH_FOLDER_MAX = 256, SCRATCH_PATH_MAX = SCRATCH_FOLDER_MAX + 64 };

// Makes it, empty, where temporary files belong, which in a sandbox is the only place that can be
// written to. The case has no verdict if there is none. Whoever made it removes it.
void scratch_folder(char folder[SCRATCH_FOLDER_MAX]);

#endif  // TVMFFI_CONFORMANCE_BATTERY_SCRATCH_H_
