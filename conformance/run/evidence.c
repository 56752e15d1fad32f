// SPDX-License-Identifier: Apache-2.0
#include "run/evidence.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "digest.h"

uint64_t evidence_seal(const Evidence *evidence)
{
  uint32_t held = atomic_load(&evidence->held), failed = atomic_load(&evidence->failed);
  uint64_t digest = digest_bytes(DIGEST_START, &evidence->nonce, sizeof evidence->nonce);
  digest = digest_bytes(digest, &held, sizeof held);
  digest = digest_bytes(digest, &failed, sizeof failed);
  digest = digest_bytes(digest, &evidence->end, sizeof evidence->end);
  digest = digest_bytes(digest, evidence->reason, sizeof evidence->reason);
  digest = digest_bytes(digest, &evidence->rows, sizeof evidence->rows);
  digest = digest_bytes(digest, evidence->row_held, sizeof evidence->row_held);
  uint32_t kept = failed < EVIDENCE_FAILURES_MAX ? failed : EVIDENCE_FAILURES_MAX;
  return digest_bytes(digest, evidence->failures, kept * sizeof evidence->failures[0]);
}

Evidence *evidence_attach(int fd)
{
  void *memory = mmap(NULL, sizeof(Evidence), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

Evidence *evidence_create(int *fd)
{
  *fd = memfd_create("tvmffi-evidence", MFD_CLOEXEC);
  if (*fd < 0) return NULL;
  if (ftruncate(*fd, sizeof(Evidence)) == 0) {
    Evidence *evidence = evidence_attach(*fd);
    if (evidence) return evidence;
  }
  close(*fd);
  *fd = -1;
  return NULL;
}

void evidence_clear(Evidence *evidence, uint64_t nonce)
{
  // Failure slots are written whole, so only what says how many there are has to be emptied.
  evidence->nonce = nonce;
  atomic_store(&evidence->held, 0);
  atomic_store(&evidence->failed, 0);
  evidence->end = EVIDENCE_NOT_ENDED;
  evidence->seal = 0;
  evidence->duration_ns = 0;
  evidence->load_address = 0;
  evidence->version = 0;
  evidence->generations = 0;
  evidence->rows = 0;
  memset(evidence->row_held, 0, sizeof evidence->row_held);
  atomic_store(&evidence->calls, 0);
  atomic_store(&evidence->at_work, 0);
  atomic_store(&evidence->back_ms, 0);
  evidence->races = 0;
  evidence->text_size = 0;
  evidence->tried_count = 0;
  evidence->tried_more = 0;
  memset(evidence->reason, 0, sizeof evidence->reason);
  evidence->note[0] = '\0';
  evidence->crash.signal = 0;
  evidence->crash.frame_count = 0;
  evidence->crash.fence[0] = '\0';
}
