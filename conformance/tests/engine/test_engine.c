// SPDX-License-Identifier: Apache-2.0
// Unit tests of run/: the parts that work without a library.
#include "test_engine.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/expect.h"
#include "worker/crash.h"

#ifdef SANITIZED
// Probes and fences are never given back: they live as long as the process of a case.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "detect_leaks=0:allocator_may_return_null=1";
}
#endif

Evidence *engine_evidence(uint64_t nonce)
{
  int fd;
  Evidence *evidence = evidence_create(&fd);
  ck_assert_ptr_nonnull(evidence);
  close(fd);
  evidence_clear(evidence, nonce);
  return evidence;
}

int engine_in_child(Evidence *evidence, void (*body)(void *context), void *context)
{
  int status;
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    crash_install(evidence);
    expect_record_into(evidence);
    body(context);
    expect_seal(EVIDENCE_FINISHED);
    _exit(0);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return status;
}
