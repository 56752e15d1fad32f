// SPDX-License-Identifier: Apache-2.0
// What the main process sends to a worker is what comes there; what is cut is no message.
#include <stdlib.h>
#include <string.h>

#include "run/protocol.h"
#include "signature/signature_build.h"
#include "unit/unit.h"

static Kernel *new_kernel(const char *name, uint32_t parameters, uint32_t elements)
{
  Kernel *kernel = calloc(1, sizeof *kernel);
  ck_assert_ptr_nonnull(kernel);
  strcpy(kernel->name, name);
  kernel->parameter_count = parameters;
  kernel->element_count = elements;
  for (uint32_t i = 0; i < parameters; ++i) kernel->parameters[i].integer = i + 1;
  for (uint32_t i = 0; i < elements; ++i) kernel->elements[i].integer = i + 100;
  return kernel;
}

static Signature *new_signature(void)
{
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_FILE, false);
  const SignatureForm form = {.rest = SIGNATURE_NONE, .result = SIGNATURE_NONE};
  signature_add_form(build, &form);
  return signature_build_end(build);
}

static void check_same(const Kernel *came, const Kernel *sent)
{
  ck_assert_str_eq(came->name, sent->name);
  ck_assert_uint_eq(came->parameter_count, sent->parameter_count);
  ck_assert_uint_eq(came->element_count, sent->element_count);
  ck_assert_mem_eq(came->parameters, sent->parameters,
                   sent->parameter_count * sizeof *sent->parameters);
  ck_assert_mem_eq(came->elements, sent->elements, sent->element_count * sizeof *sent->elements);
}

static WorkerMessage message, cut;

TEST(what_is_sent_comes_there)
{
  Signature *signature = new_signature();
  ck_assert_ptr_nonnull(signature);
  const WorkerSubject sent = {.kernel = new_kernel("f", 2, 3),
                              .signature = signature,
                              .beside = {new_kernel("g", 0, 0), new_kernel("h", 5, 1)},
                              .beside_count = 2};
  WorkerSubject came;
  const size_t size = worker_message_make(&message, &(WorkerRequest){.index = 7}, &sent);
  ck_assert_uint_eq(message.request.index, 7);
  ck_assert(worker_message_take(&message, size, &came));
  check_same(came.kernel, sent.kernel);
  ck_assert_uint_eq(came.signature->size, signature->size);
  ck_assert_mem_eq(came.signature, signature, signature->size);
  ck_assert_uint_eq(came.beside_count, 2);
  for (uint32_t i = 0; i < 2; ++i) check_same(came.beside[i], sent.beside[i]);
  // Each beginning of it is cut.
  for (size_t less = 0; less < size; ++less) {
    memcpy(&cut, &message, sizeof cut);
    ck_assert_msg(!worker_message_take(&cut, less, &came), "%zu of %zu bytes", less, size);
  }
}

TEST(it_may_be_about_the_library, .rows = 2)
{
  WorkerSubject came;
  const WorkerSubject none = {0};
  const size_t size = worker_message_make(&message, &(WorkerRequest){0}, _i ? &none : NULL);
  ck_assert(worker_message_take(&message, size, &came));
  ck_assert_ptr_null(came.kernel);
  ck_assert_ptr_null(came.signature);
  ck_assert_uint_eq(came.beside_count, 0);
}

TEST(functions_without_room_are_left_out)
{
  WorkerSubject sent = {.kernel = new_kernel("f", 2, 3), .beside_count = WORKER_BESIDE_MAX}, came;
  for (uint32_t i = 0; i < WORKER_BESIDE_MAX; ++i)
    sent.beside[i] = new_kernel("large", KERNEL_PARAMETERS_MAX, i % 2 ? 0 : KERNEL_ELEMENTS_MAX);
  const size_t size = worker_message_make(&message, &(WorkerRequest){0}, &sent);
  ck_assert_uint_le(size, 192 << 10);
  ck_assert(worker_message_take(&message, size, &came));
  ck_assert_uint_gt(came.beside_count, 0);
  ck_assert_uint_lt(came.beside_count, WORKER_BESIDE_MAX);
}

// Places outside of the message.
TEST(wrong_numbers_are_no_message, .rows = 6)
{
  WorkerSubject came;
  const WorkerSubject sent = {
      .kernel = new_kernel("f", 1, 0), .beside = {new_kernel("g", 1, 0)}, .beside_count = 1};
  const size_t size = worker_message_make(&message, &(WorkerRequest){0}, &sent);
  uint32_t *const numbers[] = {&message.kernel_size, &message.signature_at, &message.beside_at,
                               &message.beside_at,   &message.beside_count, &message.beside_count};
  static const uint32_t wrong[] = {0xffffffff, 8, 0xfffffff8, 0, WORKER_BESIDE_MAX + 1, 2};
  ck_assert(worker_message_take(&message, size, &came));
  *numbers[_i] = wrong[_i];
  ck_assert(!worker_message_take(&message, size, &came));
}
