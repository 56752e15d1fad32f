// SPDX-License-Identifier: Apache-2.0
// Reads texts and files as signatures, for tests of what is read.
#ifndef TVMFFI_CONFORMANCE_TESTS_SIGNATURE_READ_TEXT_H_
#define TVMFFI_CONFORMANCE_TESTS_SIGNATURE_READ_TEXT_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "signature/signature_read.h"
#include "signature/signature_write.h"
#include "unit/unit.h"

static char read_error[2048];

// What is written of each function of the file that was read last.
static json_t *written_functions;

typedef struct Taken {
  Signature *signature;  // of the last function
  unsigned count;
} Taken;

static bool knows(void *context, const char *name)
{
  (void)context;
  return strcmp(name, "missing") != 0;
}

static bool take(void *context, const char *name, Signature *signature,
                 char problem[SIGNATURE_PROBLEM_MAX])
{
  (void)problem;
  Taken *taken = context;
  ck_assert_msg(signature_is_sound(signature, signature->size), "%s", name);
  json_object_set_new(written_functions, name, signature_write_function(signature));
  free(taken->signature);
  taken->signature = signature;
  ++taken->count;
  return true;
}

// The signature of the last function of a file; NULL with the error.
static Signature *read_path(const char *path)
{
  Taken taken = {NULL, 0};
  const SignatureSink sink = {knows, take, &taken};
  read_error[0] = '\0';
  json_decref(written_functions);
  written_functions = json_object();
  if (signature_read_file(path, &sink, read_error, sizeof read_error)) return taken.signature;
  free(taken.signature);
  return NULL;
}

static Signature *read_text(const char *text)
{
  char path[] = "/tmp/signatures-XXXXXX";
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  Signature *signature = read_path(path);
  unlink(path);
  return signature;
}

// What is written of the functions of the file that was read last is read again as it was.
static void expect_written(void)
{
  json_t *written = json_incref(written_functions);
  json_t *root = json_pack("{s:O}", "functions", written);
  char *text = json_dumps(root, JSON_INDENT(1));
  Signature *read = read_text(text);
  ck_assert_msg(read != NULL, "%s in\n%s", read_error, text);
  ck_assert_msg(json_equal(written, written_functions), "%s", text);
  free(read);
  free(text);
  json_decref(root);
  json_decref(written);
}

#define FUNCTION(members) "{\"functions\": {\n\"f\": {" members "}}}"
#define TYPE(members) FUNCTION("\"parameters\": [{\"name\": \"x\",\n" members "}]")

static Signature *good(const char *text)
{
  Signature *signature = read_text(text);
  ck_assert_msg(signature != NULL, "%s\n%s", read_error, text);
  expect_written();
  expect_written();
  return signature;
}

static const SignatureType *parameter(const Signature *signature, uint32_t index)
{
  const SignatureForm *form = signature_form(signature, 0);
  ck_assert_uint_lt(index, form->parameters.count);
  return signature_type(signature, form->parameters.first + index);
}

static const char *text_of(const Signature *signature, SignatureText text)
{
  return signature_text(signature, text);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_SIGNATURE_READ_TEXT_H_
