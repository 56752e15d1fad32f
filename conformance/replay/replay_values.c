// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/replay_player.h"

// --- Memory --------------------------------------------------------------------------------------

void *player_scratch(Player *player, size_t size)
{
  void **grown = realloc(player->scratch, (player->scratch_count + 1) * sizeof *grown);
  if (!grown) return NULL;
  player->scratch = grown;
  void *memory = calloc(1, size ? size : 1);
  if (memory) player->scratch[player->scratch_count++] = memory;
  return memory;
}

void player_free_scratch(Player *player, size_t from)
{
  while (player->scratch_count > from) free(player->scratch[--player->scratch_count]);
}

static const char out_of_memory[] = "memory is out";

// --- Tensors -------------------------------------------------------------------------------------

typedef struct Owned {
  DLManagedTensor plain;
  DLManagedTensorVersioned versioned;
  int64_t shape[RECORD_DIMS_MAX], strides[RECORD_DIMS_MAX];
  void *data;
} Owned;

static void free_owned(Owned *owned)
{
  free(owned->data);
  free(owned);
}

static void delete_plain(DLManagedTensor *self)
{
  free_owned(self->manager_ctx);
}

static void delete_versioned(DLManagedTensorVersioned *self)
{
  free_owned(self->manager_ctx);
}

static const char *missing_bytes(const RecordTensor *tensor)
{
  if (tensor->device_type != kDLCPU) return "it takes a tensor that is not in the CPU's memory";
  if (!(tensor->flags & TENSOR_HAS_DIGEST)) return "it takes a tensor that is not one piece";
  if (tensor->bytes > RECORD_DATA_MAX) return "it takes a tensor of more than 1 MiB";
  return tensor->data || tensor->bytes == 0
             ? NULL
             : "it takes a tensor whose bytes an event tells that is not there";
}

static void fill_tensor(DLTensor *out, const RecordTensor *tensor, int64_t *shape, int64_t *strides,
                        void *data)
{
  int64_t stride = 1;
  for (int32_t i = tensor->ndim; i-- > 0;) {
    shape[i] = tensor->shape[i];
    strides[i] = stride;
    stride *= shape[i] > 0 ? shape[i] : 1;
  }
  *out = (DLTensor){.data = data,
                    .device = {kDLCPU, 0},
                    .ndim = tensor->ndim,
                    .dtype = {tensor->code, tensor->bits, tensor->lanes},
                    .shape = shape,
                    .strides = strides};
}

// Aligned as DLPack wants it.
static void *copy_of(const RecordTensor *tensor)
{
  void *data = NULL;
  if (posix_memalign(&data, 256, tensor->bytes ? tensor->bytes : 1) != 0) return NULL;
  if (tensor->bytes) memcpy(data, tensor->data, tensor->bytes);
  return data;
}

static Owned *own_tensor(const RecordTensor *tensor, const char **why)
{
  *why = missing_bytes(tensor);
  Owned *owned = *why ? NULL : calloc(1, sizeof *owned);
  if (owned && !(owned->data = copy_of(tensor))) {
    free(owned);
    owned = NULL;
  }
  if (!owned) {
    if (!*why) *why = out_of_memory;
    return NULL;
  }
  fill_tensor(&owned->plain.dl_tensor, tensor, owned->shape, owned->strides, owned->data);
  owned->plain.manager_ctx = owned;
  owned->plain.deleter = delete_plain;
  owned->versioned = (DLManagedTensorVersioned){.version = {1, 0},
                                                .manager_ctx = owned,
                                                .deleter = delete_versioned,
                                                .dl_tensor = owned->plain.dl_tensor};
  return owned;
}

DLManagedTensor *player_dlpack(const RecordItem *item, const char **why)
{
  Owned *owned = own_tensor(&item->tensor, why);
  return owned ? &owned->plain : NULL;
}

DLManagedTensorVersioned *player_dlpack_versioned(const RecordItem *item, const char **why)
{
  Owned *owned = own_tensor(&item->tensor, why);
  return owned ? &owned->versioned : NULL;
}

static const char *make_view(Player *player, const RecordItem *item, TVMFFIAny *view)
{
  const char *why = missing_bytes(&item->tensor);
  if (why) return why;
  DLTensor *tensor = player_scratch(player, sizeof *tensor);
  int64_t *shape = player_scratch(player, RECORD_DIMS_MAX * sizeof *shape);
  int64_t *strides = player_scratch(player, RECORD_DIMS_MAX * sizeof *strides);
  char *data = player_scratch(player, item->tensor.bytes + 64);
  if (!tensor || !shape || !strides || !data) return out_of_memory;
  data += -(uintptr_t)data % 64;
  if (item->tensor.bytes) memcpy(data, item->tensor.data, item->tensor.bytes);
  fill_tensor(tensor, &item->tensor, shape, strides, data);
  *view = (TVMFFIAny){.type_index = kTVMFFIDLTensorPtr, .v_ptr = tensor};
  return NULL;
}

// Bytes of a tensor here that is one piece; -1: it is not.
static int64_t bytes_of(const DLTensor *tensor)
{
  int64_t bytes = ((int64_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8, stride = 1;
  if (tensor->device.device_type != kDLCPU || tensor->ndim < 0 || tensor->ndim > RECORD_DIMS_MAX)
    return -1;
  for (int32_t i = tensor->ndim; i-- > 0;) {
    if (tensor->shape[i] < 0 || __builtin_mul_overflow(bytes, tensor->shape[i], &bytes)) return -1;
    if (tensor->strides && tensor->shape[i] > 1 && tensor->strides[i] != stride) return -1;
    stride *= tensor->shape[i] > 0 ? tensor->shape[i] : 1;
  }
  return bytes;
}

static unsigned char *data_of(const DLTensor *tensor)
{
  return (unsigned char *)tensor->data + tensor->byte_offset;
}

// The program wrote to the tensor since; so does the player.
static void refresh(const DLTensor *there, const RecordTensor *recorded)
{
  if (recorded->data && bytes_of(there) == (int64_t)recorded->bytes && recorded->bytes > 0)
    memcpy(data_of(there), recorded->data, recorded->bytes);
}

void player_write(const TVMFFIAny *tensor, const RecordItem *item)
{
  if (item->tag != RECORD_TENSOR) return;
  if (tensor->type_index == kTVMFFITensor)
    refresh((const DLTensor *)(tensor->v_obj + 1), &item->tensor);
  else if (tensor->type_index == kTVMFFIDLTensorPtr)
    refresh(tensor->v_ptr, &item->tensor);
}

void player_refresh(Player *player, const RecordEvent *event)
{
  RecordItem item;
  for (uint32_t at = 0; record_next(event, &at, &item);) {
    const PlayerObject *place =
        item.tag == RECORD_TENSOR && item.number ? player_object(player, item.number) : NULL;
    if (place && place->object && place->object->type_index == kTVMFFITensor)
      refresh((const DLTensor *)(place->object + 1), &item.tensor);
  }
}

// --- Items to values -----------------------------------------------------------------------------

static TVMFFIAny small(const RecordItem *item)
{
  TVMFFIAny view = {.type_index = item->tag == RECORD_TEXT ? kTVMFFISmallStr : kTVMFFISmallBytes};
  view.small_str_len = item->text.size;
  memcpy(view.v_bytes, item->text.data, item->text.size);
  return view;
}

static const char *make_text_object(Player *player, const RecordItem *item)
{
  const TVMFFIByteArray bytes = {item->text.data, item->text.size};
  const Iut *iut = player->iut;
  TVMFFIAny made = {0};
  int code = item->tag == RECORD_TEXT ? iut->StringFromByteArray(&bytes, &made)
                                      : iut->BytesFromByteArray(&bytes, &made);
  if (code != 0) return "a string that it takes could not be made";
  if (made.type_index >= kTVMFFIStaticObjectBegin) player_bind(player, item->number, made.v_obj);
  return NULL;
}

static const char *make_text(Player *player, const RecordItem *item, TVMFFIAny *view)
{
  if (item->form == FORM_SMALL || (item->form == FORM_OBJECT && item->text.size <= 7)) {
    *view = small(item);
    return NULL;
  }
  char *copy = player_scratch(player, (size_t)item->text.size + 1);
  TVMFFIByteArray *bytes = player_scratch(player, sizeof *bytes);
  if (!copy || !bytes) return out_of_memory;
  memcpy(copy, item->text.data, item->text.size);
  *bytes = (TVMFFIByteArray){copy, item->text.size};
  if (item->form == FORM_RAW)
    *view = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = copy};
  else
    *view = (TVMFFIAny){.type_index = kTVMFFIByteArrayPtr, .v_ptr = bytes};
  return NULL;
}

static const char *make_error(Player *player, const RecordItem *item)
{
  const TVMFFIByteArray kind = {item->both[0].data, item->both[0].size};
  const TVMFFIByteArray message = {item->both[1].data, item->both[1].size}, none = {NULL, 0};
  TVMFFIObjectHandle made = NULL;
  if (player->iut->ErrorCreate(&kind, &message, &none, &made) != 0)
    return "an error that it takes could not be made";
  player_bind(player, item->number, made);
  return NULL;
}

static const char *make_tensor(Player *player, const RecordItem *item)
{
  const char *why;
  TVMFFIObjectHandle made = NULL;
  DLManagedTensorVersioned *owned = player_dlpack_versioned(item, &why);
  if (!owned) return why;
  if (player->iut->TensorFromDLPackVersioned(owned, 0, 0, &made) != 0) {
    owned->deleter(owned);
    return "a tensor that it takes could not be made";
  }
  player_bind(player, item->number, made);
  return NULL;
}

// By the function of the frontend, since the C API has none.
static const char *make_shape(Player *player, const RecordItem *item)
{
  static const TVMFFIByteArray name = {"ffi.Shape", 9};
  const Iut *iut = player->iut;
  TVMFFIAny extents[RECORD_DIMS_MAX], made = {0};
  TVMFFIObjectHandle function = NULL;
  for (uint32_t i = 0; i < item->shape.count; ++i)
    extents[i] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = record_shape_at(item, i)};
  if (iut->FunctionGetGlobal(&name, &function) != 0 || !function)
    return "it takes a Shape, and the library has no ffi.Shape";
  int code = iut->FunctionCall(function, extents, (int32_t)item->shape.count, &made);
  iut->ObjectDecRef(function);
  if (code != 0 || made.type_index != kTVMFFIShape)
    return "a Shape that it takes could not be made";
  player_bind(player, item->number, made.v_obj);
  return NULL;
}

static const char *make_function(Player *player, const RecordItem *item)
{
  if (!(item->flags & OBJECT_OF_PROGRAM))
    return "it takes a function that was not got by a recorded call";
  TVMFFIObject *made = player_stand_in(player, item->number);
  if (!made) return "a function that it takes could not be made";
  player_bind(player, item->number, made);
  return NULL;
}

static const char *make_object(Player *player, const RecordItem *item)
{
  switch (item->tag) {
    case RECORD_TEXT:
    case RECORD_BYTES:
      return make_text_object(player, item);
    case RECORD_ERROR:
      return make_error(player, item);
    case RECORD_TENSOR:
      return make_tensor(player, item);
    case RECORD_SHAPE:
      return make_shape(player, item);
    default:
      if (item->type_index == kTVMFFIFunction) return make_function(player, item);
      return "it takes an object that was not got by a recorded call";
  }
}

static int32_t type_of(const RecordItem *item)
{
  static const int32_t types[] = {[RECORD_TEXT] = kTVMFFIStr,
                                  [RECORD_BYTES] = kTVMFFIBytes,
                                  [RECORD_TENSOR] = kTVMFFITensor,
                                  [RECORD_ERROR] = kTVMFFIError,
                                  [RECORD_SHAPE] = kTVMFFIShape};
  return item->tag == RECORD_OBJECT ? item->type_index : types[item->tag];
}

// The object with the item's number, which is made if its content says all of it.
static const char *find_object(Player *player, const RecordItem *item, TVMFFIAny *view)
{
  PlayerObject *place = player_object(player, item->number);
  const char *why = place ? NULL : out_of_memory;
  if (place && !place->object) why = make_object(player, item);
  if (why) return why;
  TVMFFIObject *object = place->object;
  if (!object) {  // it needs none
    if (type_of(item) == kTVMFFIStr || type_of(item) == kTVMFFIBytes)
      return make_text(player, item, view);
    return "an object that it takes is not there";
  }
  if (type_of(item) < kTVMFFIDynObjectBegin && object->type_index != type_of(item))
    return "an object that it takes is of another type here";
  if (item->tag == RECORD_TENSOR) refresh((const DLTensor *)(object + 1), &item->tensor);
  *view = (TVMFFIAny){.type_index = object->type_index, .v_obj = object};
  return NULL;
}

static const char *make_moved(Player *player, TVMFFIAny *view)
{
  TVMFFIObject **slot = player_scratch(player, sizeof *slot);
  if (!slot) return out_of_memory;
  if (view->type_index < kTVMFFIStaticObjectBegin) return NULL;
  player->iut->ObjectIncRef(view->v_obj);
  *slot = view->v_obj;
  *view = (TVMFFIAny){.type_index = kTVMFFIObjectRValueRef, .v_ptr = slot};
  return NULL;
}

const char *player_make(Player *player, const RecordItem *item, TVMFFIAny *view)
{
  static const int32_t types[] = {[RECORD_INT] = kTVMFFIInt,
                                  [RECORD_BOOL] = kTVMFFIBool,
                                  [RECORD_FLOAT] = kTVMFFIFloat,
                                  [RECORD_DEVICE] = kTVMFFIDevice};
  *view = (TVMFFIAny){.type_index = kTVMFFINone};
  if (item->number) {
    const char *why = find_object(player, item, view);
    return why || !item->moved ? why : make_moved(player, view);
  }
  switch (item->tag) {
    case RECORD_NONE:
      return NULL;
    case RECORD_INT:
    case RECORD_BOOL:
    case RECORD_FLOAT:
    case RECORD_DEVICE:
      *view = (TVMFFIAny){.type_index = types[item->tag], .v_uint64 = item->bits};
      return NULL;
    case RECORD_DTYPE:
      view->type_index = kTVMFFIDataType;
      view->v_dtype = (DLDataType){(uint8_t)(item->pair[0] >> 8), (uint8_t)item->pair[0],
                                   (uint16_t)item->pair[1]};
      return NULL;
    case RECORD_TEXT:
    case RECORD_BYTES:
      return make_text(player, item, view);
    case RECORD_TENSOR:
      return make_view(player, item, view);
    case RECORD_POINTER:
      view->type_index = kTVMFFIOpaquePtr;
      return item->bits ? "it takes a pointer of the program" : NULL;
    default:
      return "it takes a value that recordings do not keep";
  }
}

const char *player_make_owned(Player *player, const RecordItem *item, TVMFFIAny *value)
{
  TVMFFIAny view;
  const char *why = player_make(player, item, &view);
  if (why) return why;
  return player->iut->AnyViewToOwnedAny(&view, value) == 0 ? NULL : "a value could not be owned";
}

void player_drop(const Player *player, TVMFFIAny *value)
{
  if (value->type_index >= kTVMFFIStaticObjectBegin && value->v_obj)
    player->iut->ObjectDecRef(value->v_obj);
  *value = (TVMFFIAny){.type_index = kTVMFFINone};
}

// --- Values to items -----------------------------------------------------------------------------

static RecordItem look_at_text(RecordTag tag, const char *data, size_t size)
{
  return (RecordItem){.tag = tag,
                      .text = {data, (uint32_t)(size <= RECORD_TEXT_MAX ? size : RECORD_TEXT_MAX)}};
}

static RecordItem look_at_tensor(const DLTensor *tensor)
{
  RecordItem item = {.tag = RECORD_TENSOR};
  RecordTensor *out = &item.tensor;
  if (tensor->ndim < 0 || tensor->ndim > RECORD_DIMS_MAX)
    return (RecordItem){.tag = RECORD_OTHER, .type_index = kTVMFFITensor};
  int64_t bytes = bytes_of(tensor);
  *out = (RecordTensor){.device_type = (int32_t)tensor->device.device_type,
                        .device_id = tensor->device.device_id,
                        .code = tensor->dtype.code,
                        .bits = tensor->dtype.bits,
                        .lanes = tensor->dtype.lanes,
                        .ndim = tensor->ndim};
  for (int32_t i = 0; i < tensor->ndim; ++i) out->shape[i] = tensor->shape[i];
  if (bytes < 0) return item;
  out->flags = TENSOR_HAS_DIGEST;
  out->bytes = (uint64_t)bytes;
  out->digest = bytes > 0 ? record_digest(data_of(tensor), out->bytes) : 0;
  return item;
}

static RecordItem look_at_object(const TVMFFIObject *object)
{
  const void *body = object + 1;
  const TVMFFIByteArray *bytes = body;
  const TVMFFIErrorCell *error = body;
  const TVMFFIShapeCell *shape = body;
  switch (object->type_index) {
    case kTVMFFIStr:
      return look_at_text(RECORD_TEXT, bytes->data, bytes->size);
    case kTVMFFIBytes:
      return look_at_text(RECORD_BYTES, bytes->data, bytes->size);
    case kTVMFFIError:
      return (RecordItem){
          .tag = RECORD_ERROR,
          .both = {look_at_text(RECORD_TEXT, error->kind.data, error->kind.size).text,
                   look_at_text(RECORD_TEXT, error->message.data, error->message.size).text}};
    case kTVMFFITensor:
      return look_at_tensor(body);
    case kTVMFFIShape:
      if (shape->size > RECORD_DIMS_MAX) break;
      return (RecordItem){.tag = RECORD_SHAPE,
                          .shape = {(uint32_t)shape->size, (const unsigned char *)shape->data}};
    default:
      break;
  }
  return (RecordItem){.tag = RECORD_OBJECT, .type_index = object->type_index};
}

RecordItem player_look(const Player *player, const TVMFFIAny *value)
{
  const TVMFFIByteArray *bytes;
  (void)player;
  switch (value->type_index) {
    case kTVMFFINone:
      return (RecordItem){.tag = RECORD_NONE};
    case kTVMFFIInt:
      return (RecordItem){.tag = RECORD_INT, .integer = value->v_int64};
    case kTVMFFIBool:
      return (RecordItem){.tag = RECORD_BOOL, .integer = value->v_int64};
    case kTVMFFIFloat:
      return (RecordItem){.tag = RECORD_FLOAT, .bits = value->v_uint64};
    case kTVMFFIOpaquePtr:
      return (RecordItem){.tag = RECORD_POINTER, .bits = value->v_uint64};
    case kTVMFFIDevice:
      return (RecordItem){.tag = RECORD_DEVICE, .bits = value->v_uint64};
    case kTVMFFIDataType:
      return (RecordItem){
          .tag = RECORD_DTYPE,
          .pair = {value->v_dtype.code << 8 | value->v_dtype.bits, value->v_dtype.lanes}};
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      return look_at_text(value->type_index == kTVMFFISmallStr ? RECORD_TEXT : RECORD_BYTES,
                          value->v_bytes, value->small_str_len <= 7 ? value->small_str_len : 7);
    case kTVMFFIRawStr:
      return look_at_text(RECORD_TEXT, value->v_c_str, strlen(value->v_c_str));
    case kTVMFFIByteArrayPtr:
      bytes = value->v_ptr;
      return look_at_text(RECORD_BYTES, bytes->data, bytes->size);
    case kTVMFFIDLTensorPtr:
      return look_at_tensor(value->v_ptr);
    default:
      if (value->type_index >= kTVMFFIStaticObjectBegin && value->v_obj)
        return look_at_object(value->v_obj);
      return (RecordItem){.tag = RECORD_OTHER, .type_index = value->type_index};
  }
}

// --- Comparing -----------------------------------------------------------------------------------

static bool same_text(RecordText a, RecordText b)
{
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool same_tensor(const RecordTensor *a, const RecordTensor *b)
{
  if (a->ndim != b->ndim || a->code != b->code || a->bits != b->bits || a->lanes != b->lanes ||
      a->device_type != b->device_type ||
      memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) != 0)
    return false;
  return !(a->flags & b->flags & TENSOR_HAS_DIGEST) || a->digest == b->digest;
}

static bool same_float(uint64_t a, uint64_t b)
{
  double x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  return a == b || (x != x && y != y);
}

// Dynamic types have numbers of their own in every process: their keys tell.
static RecordText key_of(const Player *player, int32_t index, bool came)
{
  if (index < 0 || index >= 65536) return (RecordText){"", 0};
  if (!came) return player->types[index];
  const TVMFFITypeInfo *info = player->iut->GetTypeInfo(index);
  return info ? (RecordText){info->type_key.data, (uint32_t)info->type_key.size}
              : (RecordText){"", 0};
}

static bool same_type(const Player *player, int32_t recorded, int32_t came)
{
  if (recorded < kTVMFFIDynObjectBegin || came < kTVMFFIDynObjectBegin) return recorded == came;
  return same_text(key_of(player, recorded, false), key_of(player, came, true));
}

bool player_equal(const Player *player, const RecordItem *recorded, const RecordItem *came)
{
  if (recorded->tag == RECORD_OTHER) return true;
  if (recorded->tag != came->tag) return false;
  switch (recorded->tag) {
    case RECORD_INT:
    case RECORD_BOOL:
    case RECORD_DEVICE:
      return recorded->bits == came->bits;
    case RECORD_FLOAT:
      return same_float(recorded->bits, came->bits);
    case RECORD_POINTER:
      return !recorded->bits == !came->bits;
    case RECORD_DTYPE:
      return recorded->pair[0] == came->pair[0] && recorded->pair[1] == came->pair[1];
    case RECORD_TEXT:
    case RECORD_BYTES:
      return same_text(recorded->text, came->text);
    case RECORD_ERROR:
      return same_text(recorded->both[0], came->both[0]);
    case RECORD_TENSOR:
      return same_tensor(&recorded->tensor, &came->tensor);
    case RECORD_SHAPE:
      return recorded->shape.count == came->shape.count &&
             (recorded->shape.count == 0 || memcmp(recorded->shape.numbers, came->shape.numbers,
                                                   (size_t)recorded->shape.count * 8) == 0);
    case RECORD_OBJECT:
      return same_type(player, recorded->type_index, came->type_index);
    default:
      return true;
  }
}

void player_describe(Player *player, const RecordItem *item, bool came, char *out, size_t size)
{
  if (item->tag == RECORD_OBJECT && item->type_index == kTVMFFIFunction) {
    const PlayerObject *place = came ? NULL : player_object(player, item->number);
    if (place && place->name.size)
      snprintf(out, size, "%.*s", (int)place->name.size, place->name.data);
    else if (item->flags & OBJECT_OF_PROGRAM)
      snprintf(out, size, "a function of the program");
    else if (place && place->since)
      snprintf(out, size, "the function of event %" PRIu64, place->since);
    else
      snprintf(out, size, "a function");
    return;
  }
  if (item->tag == RECORD_OBJECT) {
    RecordText key = key_of(player, item->type_index, came);
    char text[48];
    if (key.size)
      snprintf(out, size, "an object of type %.*s", (int)key.size, key.data);
    else
      snprintf(out, size, "an object of type %s", abi_type_index_text(item->type_index, text));
    return;
  }
  record_item_text(item, out, size);
}
