// SPDX-License-Identifier: Apache-2.0
// Processes that a library started and left behind. The main process is their subreaper, so they become its
// children when their parents end.
#ifndef TVMFFI_CONFORMANCE_RUN_ORPHANS_H_
#define TVMFFI_CONFORMANCE_RUN_ORPHANS_H_

// Kills and reaps every child of this process, generation after generation; gives up after a second.
void orphans_end(void);

#endif  // TVMFFI_CONFORMANCE_RUN_ORPHANS_H_
