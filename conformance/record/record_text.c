// SPDX-License-Identifier: Apache-2.0
// Recordings in words.
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "record/record.h"

enum { SHOWN_MAX = 60 };  // bytes of a text

static const char *const leaf_names[RECORD_LEAVES] = {
    [LEAF_FunctionGetGlobal] = "FunctionGetGlobal",
    [LEAF_FunctionSetGlobal] = "FunctionSetGlobal",
    [LEAF_FunctionCreate] = "FunctionCreate",
    [LEAF_AnyViewToOwnedAny] = "AnyViewToOwnedAny",
    [LEAF_StringFromByteArray] = "StringFromByteArray",
    [LEAF_BytesFromByteArray] = "BytesFromByteArray",
    [LEAF_ErrorCreate] = "ErrorCreate",
    [LEAF_ErrorSetRaised] = "ErrorSetRaised",
    [LEAF_ErrorSetRaisedFromCStr] = "ErrorSetRaisedFromCStr",
    [LEAF_ErrorMoveFromRaised] = "ErrorMoveFromRaised",
    [LEAF_TypeKeyToIndex] = "TypeKeyToIndex",
    [LEAF_DataTypeFromString] = "DataTypeFromString",
    [LEAF_DataTypeToString] = "DataTypeToString",
    [LEAF_TensorFromDLPack] = "TensorFromDLPack",
    [LEAF_TensorFromDLPackVersioned] = "TensorFromDLPackVersioned",
    [LEAF_ObjectCreateOpaque] = "ObjectCreateOpaque",
    [LEAF_TypeGetOrAllocIndex] = "TypeGetOrAllocIndex",
    [LEAF_TypeRegisterAttr] = "TypeRegisterAttr",
    [LEAF_TypeRegisterMethod] = "TypeRegisterMethod",
    [LEAF_TypeRegisterField] = "TypeRegisterField",
    [LEAF_FunctionSetGlobalFromMethodInfo] = "FunctionSetGlobalFromMethodInfo"};

const char *record_leaf_name(unsigned leaf)
{
  return leaf < RECORD_LEAVES ? leaf_names[leaf] : NULL;
}

typedef struct Words {
  char *out;
  size_t size, used;
} Words;

__attribute__((format(printf, 2, 3))) static void add(Words *words, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  size_t room = words->used < words->size ? words->size - words->used : 0;
  int length = vsnprintf(room ? words->out + words->used : NULL, room, format, arguments);
  va_end(arguments);
  if (length > 0) words->used += (size_t)length;
}

static void add_text(Words *words, RecordText text)
{
  uint32_t shown = text.size < SHOWN_MAX ? text.size : SHOWN_MAX;
  add(words, "\"");
  for (uint32_t i = 0; i < shown; ++i) {
    unsigned char c = (unsigned char)text.data[i];
    if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
      add(words, "%c", c);
    else
      add(words, "\\x%02x", c);
  }
  add(words, "\"%s", shown < text.size ? "..." : "");
}

static void add_tensor(Words *words, const RecordTensor *tensor)
{
  add(words, "tensor(");
  for (int32_t i = 0; i < tensor->ndim; ++i)
    add(words, "%s%" PRId64, i ? ", " : "", tensor->shape[i]);
  add(words, "; type %u:%u", tensor->code, tensor->bits);
  if (tensor->lanes != 1) add(words, "x%u", tensor->lanes);
  if (tensor->device_type != 1 || tensor->device_id)
    add(words, "; device %d:%d", tensor->device_type, tensor->device_id);
  if (tensor->flags & TENSOR_HAS_DIGEST) add(words, "; %016" PRIx64, tensor->digest);
  add(words, ")");
}

static void add_shape(Words *words, const RecordItem *item)
{
  add(words, "Shape(");
  for (uint32_t i = 0; i < item->shape.count; ++i)
    add(words, "%s%" PRId64, i ? ", " : "", record_shape_at(item, i));
  add(words, ")");
}

static void add_float(Words *words, uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  add(words, "%.17g", value);
}

static void add_object(Words *words, const RecordItem *item)
{
  const char *name = item->type_index == 68 ? "function" : "object";
  if (item->number >> 63)
    add(words, "%s", name);
  else
    add(words, "%s #%" PRIu64, name, item->number);
  if (item->type_index != 68) add(words, " of type %d", item->type_index);
  if (item->flags & OBJECT_OF_PROGRAM) add(words, " of the program");
}

size_t record_item_text(const RecordItem *item, char *out, size_t size)
{
  Words words = {out, size, 0};
  if (size) *out = '\0';
  if (item->moved) add(&words, "moved ");
  switch (item->tag) {
    case RECORD_NONE:
      add(&words, "None");
      break;
    case RECORD_INT:
      add(&words, "%" PRId64, item->integer);
      break;
    case RECORD_BOOL:
      add(&words, "%s", item->integer ? "true" : "false");
      break;
    case RECORD_FLOAT:
      add_float(&words, item->bits);
      break;
    case RECORD_DTYPE:
      add(&words, "type %d:%dx%d", item->pair[0] >> 8, item->pair[0] & 255, item->pair[1]);
      break;
    case RECORD_DEVICE:
      add(&words, "device %d:%d", item->pair[0], item->pair[1]);
      break;
    case RECORD_POINTER:
      add(&words, item->bits ? "a pointer" : "NULL");
      break;
    case RECORD_BYTES:
      add(&words, "bytes ");
      add_text(&words, item->text);
      break;
    case RECORD_TEXT:
      add_text(&words, item->text);
      break;
    case RECORD_TENSOR:
      add_tensor(&words, &item->tensor);
      break;
    case RECORD_ERROR:
      add(&words, "error ");
      add_text(&words, item->both[0]);
      add(&words, ": ");
      add_text(&words, item->both[1]);
      break;
    case RECORD_OBJECT:
      add_object(&words, item);
      break;
    case RECORD_SHAPE:
      add_shape(&words, item);
      break;
    default:
      add(&words, "a value of type %d", item->type_index);
  }
  return words.used;
}

void record_write_event(FILE *out, const RecordEvent *event)
{
  static const char *const kinds[RECORD_KINDS] = {
      [RECORD_CALL] = "call",     [RECORD_BACK] = "back",   [RECORD_END] = "end",
      [RECORD_DEAD] = "dead",     [RECORD_TYPE] = "type",   [RECORD_METHOD] = "method",
      [RECORD_MODULE] = "module", [RECORD_CHILD] = "child", [RECORD_VARIABLE] = "variable",
      [RECORD_FIELD] = "field"};
  const char *name =
      event->kind == RECORD_LEAF ? record_leaf_name(event->what) : kinds[event->kind];
  char runtime[16] = "";
  if (event->runtime) snprintf(runtime, sizeof runtime, "/%u", event->runtime);
  fprintf(out, "%6" PRIu64 " %u%s.%u %*s%s", event->serial, event->process, runtime, event->thread,
          (int)(2 * (event->depth < 20 ? event->depth : 20)), "", name ? name : "?");
  RecordItem item;
  char text[512];
  for (uint32_t at = 0; record_next(event, &at, &item);) {
    record_item_text(&item, text, sizeof text);
    fprintf(out, " %s", text);
  }
  putc('\n', out);
}

bool record_write_text(FILE *out, const Recording *recording)
{
  for (size_t i = 0; i < recording->count; ++i) record_write_event(out, &recording->events[i]);
  return fflush(out) == 0 && !ferror(out);
}
