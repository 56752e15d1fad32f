// SPDX-License-Identifier: Apache-2.0
#include "layer/recorder_write.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "layer/link.h"
#include "layer/memory.h"
#include "layer/recorder.h"
#include "layer/shadow.h"

// --- Events --------------------------------------------------------------------------------------

// The place of an event, or NULL if the recording is full: then nothing more is written.
static unsigned char *reserve(size_t size)
{
  uint64_t rounded = (size + 7) & ~(uint64_t)7;
  uint64_t at = atomic_fetch_add(&layer_ring->record_used, rounded);
  if (at > layer_ring->record_bytes || rounded > layer_ring->record_bytes - at) {
    atomic_fetch_add_explicit(&layer_ring->lost_records, 1, memory_order_relaxed);
    return NULL;
  }
  return (unsigned char *)layer_ring + ring_size(layer_ring->events_max, 0) + at;
}

uint32_t recorder_index(const LayerRuntime *runtime)
{
  return runtime ? (uint32_t)(runtime - tvmffi_layer_link.runtimes) : 0;
}

// The size is written last, without the mark, and makes the event valid.
void recorder_emit(RecorderEvent event, void (*put)(RecordSink *sink, const void *of),
                   const void *of)
{
  static _Atomic uint64_t events;
  RecordSink measure = {.event = atomic_fetch_add(&events, 1) + 1,
                        .runtime = event.runtime,
                        .aside = event.kind == RECORD_MODULE};
  put(&measure, of);
  size_t size = RECORD_EVENT_HEADER + measure.size;
  unsigned char *at = size <= UINT32_MAX / 2 ? reserve(size) : NULL;
  if (!at) return;
  __atomic_store_n((uint32_t *)(void *)at, (uint32_t)size | RECORD_PENDING, __ATOMIC_RELEASE);
  const struct {
    uint16_t kind, what;
    uint32_t process, thread;
  } head = {
      (uint16_t)event.kind, (uint16_t)event.what,
      (uint32_t)(layer_process - layer_ring->processes) | event.runtime << RECORD_RUNTIME_SHIFT,
      (uint32_t)syscall(SYS_gettid)};
  uint64_t serial = atomic_fetch_add(&layer_ring->record_serial, 1) + 1;
  memcpy(at + 4, &head, sizeof head);
  memcpy(at + 16, &serial, sizeof serial);
  RecordSink sink = measure;
  sink.out = at + RECORD_EVENT_HEADER;
  sink.room = measure.size;
  sink.size = 0;
  put(&sink, of);
  // What has changed meanwhile is somebody else's race, and may have left the end unwritten.
  __atomic_store_n((uint32_t *)(void *)at, (uint32_t)size, __ATOMIC_RELEASE);
}

void recorder_put(RecordSink *sink, const void *bytes, size_t size)
{
  if (sink->out && size <= sink->room - sink->size) memcpy(sink->out + sink->size, bytes, size);
  if (!sink->out || size <= sink->room - sink->size) sink->size += size;
}

static void put_tag(RecordSink *sink, RecordTag tag, bool moved)
{
  unsigned char byte = (unsigned char)(tag | (moved ? RECORD_MOVED : 0));
  recorder_put(sink, &byte, 1);
}

static void put_tagged(RecordSink *sink, RecordTag tag, const void *bytes, size_t size)
{
  put_tag(sink, tag, false);
  recorder_put(sink, bytes, size);
}

static void put_other(RecordSink *sink, int32_t type_index)
{
  put_tagged(sink, RECORD_OTHER, &type_index, sizeof type_index);
}

void recorder_put_none(RecordSink *sink)
{
  put_tag(sink, RECORD_NONE, false);
}

void recorder_put_int(RecordSink *sink, int64_t value)
{
  put_tagged(sink, RECORD_INT, &value, sizeof value);
}

// --- Texts ---------------------------------------------------------------------------------------

typedef struct Text {
  RecordTag tag;
  RecordForm form;
  uint64_t number;
  const char *data;
  size_t size;
  bool moved;
} Text;

static void put_text(RecordSink *sink, const Text *text)
{
  if (text->size > RECORD_TEXT_MAX ||
      (text->size > 0 && !memory_is_readable(text->data, text->size))) {
    put_other(sink, text->tag == RECORD_TEXT ? kTVMFFIStr : kTVMFFIBytes);
    return;
  }
  unsigned char form = (unsigned char)text->form;
  uint32_t size = (uint32_t)text->size;
  put_tag(sink, text->tag, text->moved);
  recorder_put(sink, &form, 1);
  recorder_put(sink, &text->number, sizeof text->number);
  recorder_put(sink, &size, sizeof size);
  recorder_put(sink, text->data, text->size);
}

void recorder_put_text(RecordSink *sink, const TVMFFIByteArray *text)
{
  if (!text || !memory_is_readable(text, sizeof *text))
    recorder_put_none(sink);
  else
    put_text(sink, &(Text){RECORD_TEXT, FORM_BYTE_ARRAY, 0, text->data, text->size, false});
}

void recorder_put_c_string(RecordSink *sink, const char *text)
{
  enum { PAGE = 4096 };
  size_t size = 0;
  for (; text && size <= RECORD_TEXT_MAX; ++size) {
    bool new_page = size == 0 || ((uintptr_t)text + size) % PAGE == 0;
    if (new_page && !memory_is_readable(text + size, 1)) text = NULL;
    if (!text || !text[size]) break;
  }
  if (text)
    put_text(sink, &(Text){RECORD_TEXT, FORM_RAW, 0, text, size, false});
  else
    recorder_put_none(sink);
}

static void put_small(RecordSink *sink, const TVMFFIAny *value)
{
  RecordTag tag = value->type_index == kTVMFFISmallStr ? RECORD_TEXT : RECORD_BYTES;
  uint32_t size = value->small_str_len <= 7 ? value->small_str_len : 7;
  put_text(sink, &(Text){tag, FORM_SMALL, 0, value->v_bytes, size, false});
}

// --- Tensors -------------------------------------------------------------------------------------

// Bytes of the elements; -1 if they are not one piece that can be read here.
static int64_t compact_bytes(const DLTensor *tensor)
{
  int64_t bytes = ((int64_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8, expected = 1;
  for (int32_t i = tensor->ndim; i-- > 0;) {
    int64_t extent = tensor->shape[i];
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes)) return -1;
    if (tensor->strides && extent > 1 && tensor->strides[i] != expected) return -1;
    if (__builtin_mul_overflow(expected, extent, &expected)) return -1;
  }
  const char *data = tensor->data;
  if (tensor->device.device_type != kDLCPU) return -1;
  if (bytes > 0 && (!data || !memory_is_readable(data + tensor->byte_offset, (size_t)bytes)))
    return -1;
  return bytes;
}

// Whether its extents come to a number of bytes.
static bool has_size(const DLTensor *tensor)
{
  int64_t bytes = ((int64_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
  for (int32_t i = 0; i < tensor->ndim; ++i)
    if (tensor->shape[i] < 0 || __builtin_mul_overflow(bytes, tensor->shape[i], &bytes))
      return false;
  return true;
}

static bool is_tensor(const DLTensor *tensor)
{
  return tensor && memory_is_readable(tensor, sizeof *tensor) && tensor->ndim >= 0 &&
         tensor->ndim <= RECORD_DIMS_MAX &&
         (tensor->ndim == 0 ||
          (memory_is_readable(tensor->shape, (size_t)tensor->ndim * sizeof *tensor->shape) &&
           (!tensor->strides ||
            memory_is_readable(tensor->strides,
                               (size_t)tensor->ndim * sizeof *tensor->strides)))) &&
         has_size(tensor);
}

// Whether the bytes are in the recording already; now they are.
static bool note_digest(const RecordSink *sink, ShadowRecord *known, uint64_t digest)
{
  bool is_new = !known || known->digest != digest || known->event == sink->event;
  if (known && is_new && !sink->aside) {
    known->digest = digest;
    known->event = sink->event;
  }
  return !is_new;
}

bool recorder_put_tensor(RecordSink *sink, const DLTensor *tensor, ShadowRecord *known,
                         bool changed_only)
{
  if (!is_tensor(tensor)) {
    if (!changed_only) put_other(sink, kTVMFFITensor);
    return !changed_only;
  }
  int64_t bytes = compact_bytes(tensor);
  const unsigned char *data = (const unsigned char *)tensor->data + tensor->byte_offset;
  uint64_t digest = bytes > 0 ? record_digest(data, (uint64_t)bytes) : 0;
  bool is_known = bytes >= 0 && note_digest(sink, known, digest);
  if (changed_only && (bytes < 0 || is_known)) return false;
  unsigned char flags =
      (unsigned char)((known ? 0 : TENSOR_IS_VIEW) | (bytes >= 0 ? TENSOR_HAS_DIGEST : 0));
  if (bytes >= 0 && bytes <= RECORD_DATA_MAX && !is_known) flags |= TENSOR_HAS_DATA;
  uint64_t number = known ? known->number : 0;
  const int32_t device[] = {(int32_t)tensor->device.device_type, tensor->device.device_id};
  const uint64_t rest[] = {tensor->byte_offset, bytes < 0 ? 0 : (uint64_t)bytes, digest};
  put_tag(sink, RECORD_TENSOR, false);
  recorder_put(sink, &number, sizeof number);
  recorder_put(sink, &flags, 1);
  recorder_put(sink, device, sizeof device);
  recorder_put(sink, &tensor->dtype, 4);
  recorder_put(sink, &tensor->ndim, sizeof tensor->ndim);
  if (tensor->ndim) recorder_put(sink, tensor->shape, (size_t)tensor->ndim * sizeof(int64_t));
  recorder_put(sink, rest, sizeof rest);
  if (flags & TENSOR_HAS_DATA) recorder_put(sink, data, (size_t)bytes);
  return true;
}

// --- Objects -------------------------------------------------------------------------------------

// Types that are in the recording, of each runtime.
static _Atomic uint64_t known_types[LAYER_RUNTIMES_MAX][1024];

typedef struct Type {
  int32_t index;
  const TVMFFITypeInfo *info;
} Type;

static void put_type(RecordSink *sink, const void *of)
{
  const Type *type = of;
  recorder_put_int(sink, type->index);
  recorder_put_text(sink, &type->info->type_key);
}

static const TVMFFITypeInfo *info_of(uint32_t runtime, int32_t index)
{
  const LayerRuntime *there = &tvmffi_layer_link.runtimes[runtime];
  return there->start && there->real.GetTypeInfo ? there->real.GetTypeInfo(index) : NULL;
}

static void note_type(uint32_t runtime, int32_t index)
{
  if (index < kTVMFFIDynObjectBegin || index >= 1024 * 64) return;
  uint64_t bit = UINT64_C(1) << (index % 64);
  if (atomic_fetch_or(&known_types[runtime][index / 64], bit) & bit) return;
  const Type type = {index, info_of(runtime, index)};
  if (type.info) recorder_emit((RecorderEvent){RECORD_TYPE, 0, runtime}, put_type, &type);
}

static void put_error(RecordSink *sink, uint64_t number, const TVMFFIErrorCell *cell)
{
  bool is_there = memory_is_readable(cell, 2 * sizeof(TVMFFIByteArray));
  TVMFFIByteArray texts[2] = {{NULL, 0}, {NULL, 0}};
  for (int i = 0; is_there && i < 2; ++i) {
    texts[i] = i ? cell->message : cell->kind;
    if (texts[i].size > RECORD_TEXT_MAX) texts[i].size = RECORD_TEXT_MAX;
    if (texts[i].size && !memory_is_readable(texts[i].data, texts[i].size)) texts[i].size = 0;
  }
  const uint32_t sizes[] = {(uint32_t)texts[0].size, (uint32_t)texts[1].size};
  put_tag(sink, RECORD_ERROR, false);
  recorder_put(sink, &number, sizeof number);
  recorder_put(sink, sizes, sizeof sizes);
  for (int i = 0; i < 2; ++i) recorder_put(sink, texts[i].data, texts[i].size);
}

static void put_shape(RecordSink *sink, uint64_t number, const TVMFFIShapeCell *cell)
{
  uint32_t count = cell->size <= RECORD_DIMS_MAX ? (uint32_t)cell->size : 0;
  if (count && !memory_is_readable(cell->data, count * sizeof(int64_t))) count = 0;
  put_tag(sink, RECORD_SHAPE, false);
  recorder_put(sink, &number, sizeof number);
  recorder_put(sink, &count, sizeof count);
  recorder_put(sink, cell->data, count * sizeof(int64_t));
}

static void put_plain_object(RecordSink *sink, TVMFFIObject *object, uint64_t number, bool moved)
{
  uint32_t flags = 0;
  if (object->type_index == kTVMFFIFunction && !recorder_is_kept(shadow_code_of(object)))
    flags |= OBJECT_OF_PROGRAM;
  if (!sink->out) note_type(sink->runtime, object->type_index);
  put_tag(sink, RECORD_OBJECT, moved);
  recorder_put(sink, &number, sizeof number);
  recorder_put(sink, &object->type_index, sizeof object->type_index);
  recorder_put(sink, &flags, sizeof flags);
}

// An object that can't be followed has its address as its number.
static uint64_t number_of(uint32_t runtime, TVMFFIObject *object, ShadowRecord **known)
{
  shadow_see(object, &(const LayerParties){0, 0, ABI_FUNCTION_COUNT, NULL}, NULL);
  *known = shadow_record(object);
  if (!*known) return (uintptr_t)object | UINT64_C(1) << 63;
  if (!(*known)->number) {
    (*known)->runtime = runtime;
    (*known)->number = atomic_fetch_add(&layer_ring->record_objects, 1) + 1;
  }
  return (*known)->number;
}

static void put_object(RecordSink *sink, TVMFFIObject *object, bool moved)
{
  if (!shadow_can_read(object) || object->type_index < kTVMFFIStaticObjectBegin) {
    put_other(sink, kTVMFFIObject);
    return;
  }
  ShadowRecord *known;
  uint64_t number = number_of(sink->runtime, object, &known);
  const void *body = object + 1;
  const TVMFFIByteArray *text = body;
  bool is_text = object->type_index == kTVMFFIStr;
  if ((is_text || object->type_index == kTVMFFIBytes) && memory_is_readable(text, sizeof *text))
    put_text(sink, &(Text){is_text ? RECORD_TEXT : RECORD_BYTES, FORM_OBJECT, number, text->data,
                           text->size, moved});
  else if (object->type_index == kTVMFFIError)
    put_error(sink, number, body);
  else if (object->type_index == kTVMFFITensor)
    recorder_put_tensor(sink, body, known, false);
  else if (object->type_index == kTVMFFIShape && memory_is_readable(body, sizeof(TVMFFIShapeCell)))
    put_shape(sink, number, body);
  else
    put_plain_object(sink, object, number, moved);
}

void recorder_put_object(RecordSink *sink, TVMFFIObject *object)
{
  if (object)
    put_object(sink, object, false);
  else
    recorder_put_none(sink);
}

// --- Values --------------------------------------------------------------------------------------

static void put_moved(RecordSink *sink, TVMFFIObject *const *slot)
{
  if (slot && memory_is_readable(slot, sizeof *slot) && *slot)
    put_object(sink, *slot, true);
  else
    put_other(sink, kTVMFFIObjectRValueRef);
}

static void put_byte_array(RecordSink *sink, const TVMFFIByteArray *bytes)
{
  if (bytes && memory_is_readable(bytes, sizeof *bytes))
    put_text(sink, &(Text){RECORD_BYTES, FORM_BYTE_ARRAY, 0, bytes->data, bytes->size, false});
  else
    put_other(sink, kTVMFFIByteArrayPtr);
}

void recorder_put_value(RecordSink *sink, const TVMFFIAny *value)
{
  static const unsigned char tags[] = {[kTVMFFIInt] = RECORD_INT,
                                       [kTVMFFIBool] = RECORD_BOOL,
                                       [kTVMFFIFloat] = RECORD_FLOAT,
                                       [kTVMFFIOpaquePtr] = RECORD_POINTER,
                                       [kTVMFFIDevice] = RECORD_DEVICE};
  if (value->type_index >= kTVMFFIStaticObjectBegin) {
    recorder_put_object(sink, value->v_obj);
    return;
  }
  switch (value->type_index) {
    case kTVMFFINone:
      recorder_put_none(sink);
      break;
    case kTVMFFIInt:
    case kTVMFFIBool:
    case kTVMFFIFloat:
    case kTVMFFIOpaquePtr:
    case kTVMFFIDevice:
      put_tagged(sink, (RecordTag)tags[value->type_index], &value->v_uint64, 8);
      break;
    case kTVMFFIDataType:
      put_tagged(sink, RECORD_DTYPE, &value->v_dtype, 4);
      break;
    case kTVMFFIDLTensorPtr:
      recorder_put_tensor(sink, value->v_ptr, NULL, false);
      break;
    case kTVMFFIRawStr:
      recorder_put_c_string(sink, value->v_c_str);
      break;
    case kTVMFFIByteArrayPtr:
      put_byte_array(sink, value->v_ptr);
      break;
    case kTVMFFIObjectRValueRef:
      put_moved(sink, value->v_ptr);
      break;
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      put_small(sink, value);
      break;
    default:
      put_other(sink, value->type_index);
  }
}
