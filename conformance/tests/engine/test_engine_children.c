// SPDX-License-Identifier: Apache-2.0
// What descends from a process is found and ended, and what is spared goes on.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/children.h"
#include "run/orphans.h"
#include "test_engine.h"

enum { THREADS = 8 };

static void *sleep_on(void *unused)
{
  for (;;) pause();
  return unused;
}

// A child with threads that lives as long as this process; it has them when this returns.
static pid_t start_child(int threads)
{
  int ends[2];
  char byte = 0;
  ck_assert_int_eq(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    close(ends[0]);
    for (int i = 0; i < threads; ++i) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, sleep_on, NULL) != 0) _exit(1);
    }
    if (write(ends[1], &byte, 1) != 1) _exit(1);
    sleep_on(NULL);
  }
  ck_assert_int_gt(child, 0);
  close(ends[1]);
  ck_assert_int_eq(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  return child;
}

// What has been sent a signal that ends it may take a moment.
static bool lives_on(pid_t child)
{
  usleep(20000);
  return waitpid(child, NULL, WNOHANG) == 0;
}

TEST_GROUP(children);

// The ids of its threads are among the newest, and a signal to one of them would end it.
TEST(a_child_that_is_spared_keeps_its_threads)
{
  const pid_t other = start_child(0), spared = start_child(THREADS);
  ck_assert_uint_ge(orphans_end(&spared, 1), 1);
  ck_assert_int_eq(waitpid(other, NULL, WNOHANG), -1);
  ck_assert_int_eq(errno, ECHILD);
  ck_assert(lives_on(spared));
  ck_assert_uint_ge(orphans_end(NULL, 0), 1);
  ck_assert_int_eq(waitpid(spared, NULL, WNOHANG), -1);
}
