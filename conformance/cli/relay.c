// SPDX-License-Identifier: Apache-2.0
#include "cli/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/clean.h"

// In one step: as much as a pipe holds. A library may write faster than it is read.
enum { READS_MAX = 32 };

int relay_open(Relay *relay, FILE *to)
{
  int ends[2];
  relay->from = -1;
  relay->to = to;
  relay->used = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  relay->from = ends[0];
  return ends[1];
}

static void hand_on(Relay *relay, size_t size)
{
  char *clean = clean_text(relay->line, size, CLEAN_LINES);
  if (clean) fputs(clean, relay->to);
  free(clean);
  relay->used -= size;
  memmove(relay->line, relay->line + size, relay->used);
}

void relay_step(Relay *relay)
{
  for (unsigned i = 0; i < READS_MAX && relay->from >= 0; ++i) {
    size_t room = sizeof relay->line - relay->used;
    ssize_t size = read(relay->from, relay->line + relay->used, room);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) break;
    if (size <= 0) {
      close(relay->from);
      relay->from = -1;
      break;
    }
    relay->used += (size_t)size;
    const char *end = memrchr(relay->line, '\n', relay->used);
    if (end) hand_on(relay, (size_t)(end - relay->line) + 1);
    if (relay->used == sizeof relay->line) hand_on(relay, relay->used);
  }
  fflush(relay->to);
}

void relay_close(Relay *relay)
{
  relay_step(relay);
  hand_on(relay, relay->used);
  fflush(relay->to);
  if (relay->from >= 0) close(relay->from);
  relay->from = -1;
}
