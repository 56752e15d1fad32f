// SPDX-License-Identifier: Apache-2.0
#include "elsewhere.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

typedef struct {
  pthread_barrier_t *barrier;
  long (*body)(int number);
  int number;
} Runner;

static void *run(void *argument)
{
  Runner *runner = argument;
  pthread_barrier_wait(runner->barrier);
  return (void *)runner->body(runner->number);
}

long run_threads(int count, long (*body)(int number))
{
  pthread_t threads[8];
  Runner runners[8];
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, (unsigned)count);
  for (int i = 0; i < count; ++i) {
    runners[i] = (Runner){&barrier, body, i};
    ck_assert_int_eq(pthread_create(&threads[i], NULL, run, &runners[i]), 0);
  }
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  pthread_barrier_destroy(&barrier);
  return sum;
}

// The verdict comes through a pipe, because a tool that watches the child may have its own idea of
// the exit status.
bool child_says(bool (*body)(void))
{
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    alarm(30);
    char verdict = body() ? 'y' : 'n';
    _exit(write(ends[1], &verdict, 1) == 1 ? 0 : 1);
  }
  close(ends[1]);
  char verdict = '?';
  ssize_t got = read(ends[0], &verdict, 1);
  close(ends[0]);
  waitpid(child, NULL, 0);
  return got == 1 && verdict == 'y';
}
