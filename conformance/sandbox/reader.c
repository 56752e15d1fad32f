// SPDX-License-Identifier: Apache-2.0
#include "sandbox/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// More than there is to say of any file, and less than there is memory.
static const size_t most_bytes = (size_t)1 << 30;

enum { OUT_FD = STDERR_FILENO + 1, BLOCK = 1 << 16 };

static _Noreturn void be_child(Sandbox *sandbox, int file, void (*work)(void *context, FILE *out),
                               void *context)
{
  dup2(file, OUT_FD);
  bool entered = sandbox_enter(sandbox, OUT_FD);
  FILE *out = entered ? fdopen(OUT_FD, "w") : NULL;
  if (out) work(context, out);
  _exit(out && fclose(out) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static bool take(int file, ReaderAnswer *answer)
{
  size_t room = 0;
  for (;;) {
    if (room - answer->size < BLOCK + 1u) {
      room = room ? 2 * room : 2 * (size_t)BLOCK;
      char *grown = room > most_bytes ? NULL : realloc(answer->bytes, room);
      if (!grown) return false;
      answer->bytes = grown;
    }
    ssize_t got = read(file, answer->bytes + answer->size, BLOCK);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    answer->size += (size_t)got;
  }
  answer->bytes[answer->size] = '\0';
  return true;
}

static void forget(ReaderAnswer *answer)
{
  free(answer->bytes);
  answer->bytes = NULL;
  answer->size = 0;
}

bool reader_run(const SandboxPolicy *paths, void (*work)(void *context, FILE *out), void *context,
                ReaderAnswer *answer)
{
  // (What can be had here does not change, and to find it out takes time.)
  static Sandbox sandbox;
  char error[256];
  int ends[2], status = 0;
  *answer = (ReaderAnswer){.bytes = NULL};
  if (!sandbox.maker) {
    sandbox_open_reader(&sandbox, SANDBOX_AUTO);
    sandbox_probe(&sandbox, error, sizeof error);
  }
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  sandbox.policy = *paths;
  fflush(NULL);
  int out = fcntl(ends[1], F_DUPFD_CLOEXEC, OUT_FD + 1);
  pid_t child = out < 0 ? -1 : fork();
  if (child == 0) be_child(&sandbox, out, work, context);
  sandbox.policy = (SandboxPolicy){.paths = NULL};
  close(ends[1]);
  if (out >= 0) close(out);
  bool taken = child > 0 && take(ends[0], answer);
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) answer->signal = WTERMSIG(status);
  // What a child says that dies is not whole.
  if (!taken || answer->signal) forget(answer);
  return taken;
}

// --- What is in an answer ------------------------------------------------------------------------

void reader_put_text(FILE *out, const char *text)
{
  fputc(text != NULL, out);
  if (text) fwrite(text, strlen(text) + 1, 1, out);
}

void reader_take(ReaderRest *rest, void *out, size_t size)
{
  rest->lacks |= size > rest->size;
  if (rest->lacks) return;
  memcpy(out, rest->at, size);
  rest->at += size;
  rest->size -= size;
}

char *reader_take_text(ReaderRest *rest)
{
  unsigned char is_there = 0;
  reader_take(rest, &is_there, 1);
  if (rest->lacks || !is_there) return NULL;
  size_t length = strnlen(rest->at, rest->size);
  char *text = length < rest->size ? malloc(length + 1) : NULL;
  rest->lacks = !text;
  if (text) reader_take(rest, text, length + 1);
  return text;
}
