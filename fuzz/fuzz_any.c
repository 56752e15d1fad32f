// SPDX-License-Identifier: Apache-2.0
// Views become owned values: every kind of view, clean and with garbage in what it does not use.
#include <string.h>

#include "producer.h"
#include "runtime.h"

static void no_op(void *self)
{
  (void)self;
}

// A view, and what has to become of it.
typedef struct {
  TVMFFIAny view;
  TVMFFIAny due;
  const char *refused;  // the kind of the error; NULL if it is taken
  bool is_text, is_bytes;
  ProducerBytes text;
  TVMFFIByteArray array;
  TVMFFIObject *object;  // own; NULL if there is none
  TVMFFIObjectHandle slot;
} Case;

static void make_plain(Case *self, Producer *producer, int32_t type_index)
{
  self->view.v_uint64 = producer_word(producer);
  self->due.v_uint64 = self->view.v_uint64;
  if (type_index == kTVMFFINone) self->due.v_uint64 = 0;
  if (type_index == kTVMFFIDataType) {
    self->due.v_uint64 = 0;
    self->due.v_dtype = self->view.v_dtype;
  }
}

static void make_small(Case *self, Producer *producer)
{
  self->view.v_uint64 = producer_word(producer);
  self->due.small_str_len = self->view.small_str_len;
  if (self->view.small_str_len > 7)
    self->refused = "ValueError";
  else
    memcpy(self->due.v_bytes, self->view.v_bytes, self->view.small_str_len);
}

static void make_text(Case *self, Producer *producer, int32_t type_index)
{
  self->is_text = true;
  self->is_bytes = type_index == kTVMFFIByteArrayPtr;
  if (self->is_bytes) {
    self->text = producer_bytes(producer);
    self->array = (TVMFFIByteArray){self->text.data, self->text.size};
    self->view.v_ptr = &self->array;
  } else {
    self->text.data = producer_text(producer);
    self->text.size = strlen(self->text.data);
    self->view.v_c_str = self->text.data;
  }
  if (producer_below(producer, 32) != 31) return;
  self->refused = "ValueError";
  self->view.v_ptr = NULL;
}

static void make_object(Case *self, Producer *producer, int32_t type_index)
{
  TVMFFIObjectHandle object;
  FUZZ_CHECK(TVMFFIObjectCreateOpaque(self, kTVMFFIOpaquePyObject, no_op, &object) == 0);
  self->object = self->slot = object;
  self->due.v_obj = object;
  if (type_index == kTVMFFIObjectRValueRef) {
    self->due.type_index = kTVMFFIOpaquePyObject;
    self->view.v_ptr = &self->slot;
    if (!producer_flag(producer)) return;
    self->slot = NULL;
    self->refused = "InternalError";
  } else {
    self->view.type_index = self->due.type_index = kTVMFFIOpaquePyObject;
    self->view.v_obj = object;
    if (producer_below(producer, 32) != 31) return;
    self->view.v_obj = NULL;
    self->refused = "ValueError";
  }
}

static void make_case(Case *self, Producer *producer)
{
  int32_t type_index = (int32_t)producer_below(producer, 80);
  memset(self, 0, sizeof *self);
  self->view.type_index = self->due.type_index = type_index;
  self->view.zero_padding = (uint32_t)producer_integer(producer);
  if (type_index >= kTVMFFIStaticObjectBegin || type_index == kTVMFFIObjectRValueRef) {
    make_object(self, producer, type_index);
  } else if (type_index == kTVMFFISmallStr || type_index == kTVMFFISmallBytes) {
    make_small(self, producer);
  } else if (type_index == kTVMFFIRawStr || type_index == kTVMFFIByteArrayPtr) {
    make_text(self, producer, type_index);
  } else {
    make_plain(self, producer, type_index);
  }
}

static void convert(Case *self, bool in_place)
{
  TVMFFIAny before = self->view, other = {.type_index = kTVMFFIInt, .v_int64 = 7};
  TVMFFIAny *out = in_place ? &self->view : &other, untouched = *out, again;
  int code = TVMFFIAnyViewToOwnedAny(&self->view, out);
  bool moved = before.type_index == kTVMFFIObjectRValueRef;
  if (self->refused != NULL) {
    FUZZ_CHECK(code == -1 && runtime_same(out, &untouched));
    runtime_has_raised(self->refused);
  } else {
    FUZZ_CHECK(code == 0 && (in_place || runtime_same(&self->view, &before)));
    if (self->is_text)
      runtime_is_text(out, self->is_bytes, self->text.data, self->text.size);
    else
      FUZZ_CHECK(runtime_same(out, &self->due));
    FUZZ_CHECK(!moved || self->slot == NULL);
    if (self->object != NULL) runtime_has_counts(self->object, moved ? 1 : 2, 1);
    if (self->object != NULL && !moved) TVMFFIObjectDecRef(self->object);
    FUZZ_CHECK(TVMFFIAnyViewToOwnedAny(out, &again) == 0 && runtime_same(out, &again));
    runtime_drop(&again);
    runtime_drop(out);
    return;
  }
  if (self->object == NULL) return;
  runtime_has_counts(self->object, 1, 1);
  TVMFFIObjectDecRef(self->object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  Producer producer;
  producer_start(&producer, data, size);
  do {
    Case one;
    make_case(&one, &producer);
    convert(&one, producer_flag(&producer));
  } while (producer_has_more(&producer));
  producer_end(&producer);
  runtime_has_raised_nothing();
  return 0;
}
