// SPDX-License-Identifier: Apache-2.0
#include "run/protocol.h"

#include <string.h>

// Of a message with functions beside the one that it is about: sockets take so much at once.
enum { BESIDE_BEHIND_MOST = 160 << 10 };

static size_t aligned(size_t size)
{
  return (size + WORKER_ALIGNMENT - 1) & ~(size_t)(WORKER_ALIGNMENT - 1);
}

// Those for which there is room.
static size_t put_beside(WorkerMessage *message, const WorkerSubject *subject, size_t used)
{
  static Kernel packed;
  size_t at = message->beside_at = (uint32_t)aligned(used);
  for (uint32_t i = 0; i < subject->beside_count && i < WORKER_BESIDE_MAX; ++i) {
    const uint32_t size = (uint32_t)kernel_pack(subject->beside[i], &packed);
    if (at + sizeof size + size > BESIDE_BEHIND_MOST) continue;
    memcpy(message->rest + at, &size, sizeof size);
    memcpy(message->rest + at + sizeof size, &packed, size);
    used = at + sizeof size + size;
    at = aligned(used);
    ++message->beside_count;
  }
  return used;
}

size_t worker_message_make(WorkerMessage *message, const WorkerRequest *request,
                           const WorkerSubject *subject)
{
  size_t used = 0;
  message->request = *request;
  message->kernel_size = message->signature_at = message->signature_size = message->beside_at =
      message->beside_count = 0;
  if (subject && subject->kernel) {
    used = message->kernel_size = (uint32_t)kernel_pack(subject->kernel, message->rest);
    if (subject->signature) {
      message->signature_at = (uint32_t)aligned(used);
      message->signature_size = subject->signature->size;
      memcpy(message->rest + message->signature_at, subject->signature, message->signature_size);
      used = message->signature_at + message->signature_size;
    }
    if (subject->beside_count) used = put_beside(message, subject, used);
  }
  return offsetof(WorkerMessage, rest) + used;
}

static bool take_beside(const WorkerMessage *message, size_t rest, size_t at,
                        WorkerSubject *subject)
{
  static Kernel beside[WORKER_BESIDE_MAX];
  if (message->beside_count > WORKER_BESIDE_MAX) return false;
  for (uint32_t i = 0; i < message->beside_count; ++i) {
    uint32_t size;
    if (at > rest || rest - at < sizeof size) return false;
    memcpy(&size, message->rest + at, sizeof size);
    at += sizeof size;
    if (size > rest - at || !kernel_unpack(message->rest + at, size, &beside[i])) return false;
    subject->beside[i] = &beside[i];
    at = aligned(at + size);
  }
  subject->beside_count = message->beside_count;
  return true;
}

bool worker_message_take(const WorkerMessage *message, size_t size, WorkerSubject *subject)
{
  static Kernel kernel;
  const size_t head = offsetof(WorkerMessage, rest);
  *subject = (WorkerSubject){0};
  if (size < head) return false;
  const size_t rest = size - head;
  if (message->kernel_size == 0) return rest == 0;
  if (message->kernel_size > rest || !kernel_unpack(message->rest, message->kernel_size, &kernel))
    return false;
  subject->kernel = &kernel;
  if (message->signature_at) {
    if (message->signature_at < message->kernel_size || message->signature_at % WORKER_ALIGNMENT ||
        message->signature_at > rest || message->signature_size > rest - message->signature_at)
      return false;
    const char *signature = message->rest + message->signature_at;
    subject->signature = (const Signature *)(const void *)signature;
    if (!signature_is_sound(signature, message->signature_size)) return false;
  }
  return take_beside(message, rest, message->beside_at, subject);
}
