// SPDX-License-Identifier: Apache-2.0
// What a value holds has lower numbers than the value. Values whose content is being described wait
// on a stack of their own.
#include <stdlib.h>
#include <string.h>

#include "container/map.h"
#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/raise.h"
#include "frontend/base64.h"
#include "frontend/big.h"
#include "frontend/children.h"
#include "frontend/graph.h"
#include "frontend/json_parse.h"
#include "frontend/json_write.h"
#include "type/attribute.h"
#include "type/type.h"

static Attribute to_json = {ATTRIBUTE("__data_to_json__")};

// An object of which not all is described.
typedef struct {
  TVMFFIAny value;     // own
  TVMFFIObject *data;  // own: an array of numbers, or a map of fields
  Children children;
} GraphFrame;

// Names of types that were used last, by the last bits of the index. Nodes share them.
enum { GRAPH_NAMES = 16, GRAPH_FIRST = 16 };

typedef struct {
  const Type *type;  // borrow; NULL at first
  TVMFFIAny name;    // own
} GraphName;

typedef struct {
  MapObject *numbers;  // own: the number of each value that is described
  GraphName names[GRAPH_NAMES];
  TVMFFIAny type_key, data_key;  // "type" and "data", which need no memory
  TVMFFIAny *nodes;              // own
  size_t count, node_room;
  GraphFrame *frames;
  size_t depth, frame_room;
  int64_t number;  // of the value that was described last
} GraphWriter;

//--------------------------------------------------------------------------------------------------
// Nodes
//--------------------------------------------------------------------------------------------------

static int graph_grow(void **items, size_t *room, size_t item_size)
{
  size_t grown = *room == 0 ? 16 : 2 * *room;
  void *memory = realloc(*items, grown * item_size);
  if (memory == NULL) return raise_out_of_memory();
  *items = memory;
  *room = grown;
  return 0;
}

// Sets an entry of a map whose key is a short literal.
// value: own, also on failure.
static int graph_set(MapObject *map, const char *key, size_t size, TVMFFIAny value)
{
  MapEntry entry = {any_none(), value};
  int code = bytes_make_string(key, size, &entry.key);
  if (code == 0) code = map_set(map, &entry);
  any_release(&entry.key);
  any_release(&entry.value);
  return code;
}

#define GRAPH_SET(map, literal, value) graph_set(map, literal, sizeof(literal) - 1, value)

// Returns the name of a type; NULL with an error. Borrow: until the next one is asked for.
static const TVMFFIAny *graph_name(GraphWriter *writer, const Type *type)
{
  GraphName *kept = &writer->names[(uint32_t)type->info.type_index % GRAPH_NAMES];
  if (kept->type != type) {
    TVMFFIAny name;
    if (bytes_make_string(type->info.type_key.data, type->info.type_key.size, &name) != 0) {
      return NULL;
    }
    if (kept->type != NULL) any_release(&kept->name);
    *kept = (GraphName){type, name};
  }
  return &kept->name;
}

// Makes a node.
// data: own, also on failure; NULL for none. Returns own; NULL with an error.
static MapObject *graph_new_node(GraphWriter *writer, const Type *type, const TVMFFIAny *data)
{
  const TVMFFIAny *name = graph_name(writer, type);
  MapObject *node = name == NULL ? NULL : map_new(kTVMFFIMap, 2);
  if (node == NULL) {
    if (name != NULL) raise_out_of_memory();
    if (data != NULL) any_release(data);
    return NULL;
  }
  any_share(name);
  map_append(node, &writer->type_key, name);
  if (data != NULL) map_append(node, &writer->data_key, data);
  return node;
}

// Appends the node of a value, and notes its number.
// data: own, also on failure; NULL for none. key: of the value, which was looked for just now; NULL
// if it was not.
__attribute__((noinline)) static int graph_add_node(GraphWriter *writer, const TVMFFIAny *value,
                                                    const Type *type, const TVMFFIAny *data,
                                                    Key *key)
{
  MapObject *node = graph_new_node(writer, type, data);
  if (node == NULL) return -1;
  int code = writer->count < writer->node_room
                 ? 0
                 : graph_grow((void **)&writer->nodes, &writer->node_room, sizeof *writer->nodes);
  if (code == 0) {
    MapEntry entry = {any_share(value), any_int((int64_t)writer->count)};
    code = key == NULL ? map_set(writer->numbers, &entry) : map_add(writer->numbers, key, &entry);
    if (code != 0 || key == NULL) any_release(&entry.key);
  }
  if (code != 0) {
    object_release(&node->header);
    return -1;
  }
  writer->number = (int64_t)writer->count;
  writer->nodes[writer->count++] = any_object(&node->header);
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Values without others in them
//--------------------------------------------------------------------------------------------------

static int graph_integers(const int64_t *integers, size_t count, TVMFFIAny *out)
{
  TVMFFIObject *array = sequence_new(kTVMFFIArray, (int64_t)count);
  if (array == NULL) return raise_out_of_memory();
  for (size_t i = 0; i < count; ++i) sequence_append(array, any_int(integers[i]));
  *out = any_object(array);
  return 0;
}

static int graph_big(const TVMFFIAny *value, TVMFFIAny *out)
{
  Writer text = {0};
  int code = big_write(value->v_obj, &text);
  if (code == 0) code = writer_finish(&text, out);
  writer_end(&text);
  return code;
}

static int graph_dtype(const TVMFFIAny *value, TVMFFIAny *out)
{
  return TVMFFIDataTypeToString(&value->v_dtype, out);
}

// Gives the data of a value that has no node of its own for what it holds.
// out: own, written on success. Returns 0; -1 with an error.
static int graph_plain_data(const TVMFFIAny *value, TVMFFIAny *out)
{
  int64_t device[2];
  const TVMFFIShapeCell *shape;
  switch (value->type_index) {
    case kTVMFFIDataType:
      return graph_dtype(value, out);
    case kTVMFFIDevice:
      device[0] = (int64_t)value->v_device.device_type;
      device[1] = value->v_device.device_id;
      return graph_integers(device, 2, out);
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      return base64_encode(native_text(value), out);
    case kTVMFFIBigInt:
      return graph_big(value, out);
    case kTVMFFIShape:
      shape = (const TVMFFIShapeCell *)(value->v_obj + 1);
      return graph_integers(shape->data, shape->size, out);
    default:
      *out = any_share(value);
      return 0;
  }
}

static const Type *graph_type(const TVMFFIAny *value)
{
  int32_t type_index = value->type_index;
  if (type_index == kTVMFFISmallStr) type_index = kTVMFFIStr;
  if (type_index == kTVMFFISmallBytes) type_index = kTVMFFIBytes;
  return type_find(type_index);
}

// Tells whether a value is described by its node alone.
static bool graph_is_plain(int32_t type_index)
{
  switch (type_index) {
    case kTVMFFIBool:
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIDataType:
    case kTVMFFIDevice:
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIShape:
    case kTVMFFIBigInt:
      return true;
    default:
      return false;
  }
}

RAISE_COLD static int graph_refuse(const Type *type, const char *kind, const char *why)
{
  return raise_error(kind, "ffi.ToJSONGraph: values of type `",
                     type == NULL ? "?" : raise_name(&type->info.type_key).text, "` ", why, NULL);
}

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

// Reads the field of an enumeration's value by which it is known.
static int graph_enum_data(const Type *type, TVMFFIObject *object, TVMFFIAny *out)
{
  bool is_int = type_is_above(type_find(TYPE_INT_ENUM), type);
  const TVMFFIByteArray name =
      is_int ? (TVMFFIByteArray){"_int_index", 10} : (TVMFFIByteArray){"_str_index", 10};
  FieldWalk walk = {.type = &type->info};
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    if (field_is_named(field, name)) return field_get(field, object, out);
  }
  return graph_refuse(type, "TypeError", "have no field by which they are known");
}

// Tells whether an object on the way to this one is the same; see json_write_is_cycle.
static bool graph_is_cycle(const GraphWriter *writer, const TVMFFIObject *object)
{
  if (writer->depth == 0) return false;
  size_t power = (size_t)1 << (sizeof(size_t) * 8 - 1 - (size_t)__builtin_clzl(writer->depth));
  return writer->frames[power - 1].value.v_obj == object;
}

// Puts an object onto the stack.
static int graph_enter(GraphWriter *writer, const TVMFFIAny *value)
{
  if (graph_is_cycle(writer, value->v_obj)) {
    return raise_error("ValueError", "Cycle detected during serialization: a value holds itself",
                       NULL);
  }
  if (writer->depth == writer->frame_room &&
      graph_grow((void **)&writer->frames, &writer->frame_room, sizeof *writer->frames) != 0) {
    return -1;
  }
  Children children = children_of(value->v_obj, 0);
  TVMFFIObject *data = NULL;
  if (children.kind == CHILDREN_FIELDS) {
    MapObject *map = map_new(kTVMFFIMap, 0);
    data = map == NULL ? NULL : &map->header;
  } else {
    int64_t count = (int64_t)children_count(value->v_obj);
    data = sequence_new(kTVMFFIArray, children.kind == CHILDREN_MAP ? 2 * count : count);
  }
  if (data == NULL) return raise_out_of_memory();
  writer->frames[writer->depth++] = (GraphFrame){any_share(value), data, children};
  return 0;
}

// Begins to describe a value that holds others, or that a function of its type describes.
// Returns 1 if it is described; 0 if it is on the stack; -1 with an error.
static int graph_object(GraphWriter *writer, const TVMFFIAny *value)
{
  int32_t type_index = value->type_index;
  const Type *type = type_find(type_index);
  TVMFFIAny data = any_none();
  if (any_held(value) == NULL || type == NULL) {
    return graph_refuse(type, "RuntimeError", "have no description in JSON");
  }
  if (children_is_sequence(type_index) || children_is_map(type_index)) {
    return graph_enter(writer, value);
  }
  const TVMFFIAny *callee = attribute_of(&to_json, type_index);
  if (type_is_above(type_find(TYPE_ENUM), type)) {
    if (graph_enum_data(type, value->v_obj, &data) != 0) return -1;
  } else if (callee != NULL && callee->type_index == kTVMFFIFunction) {
    TVMFFIAny arg = *value;
    if (TVMFFIFunctionCall(callee->v_obj, &arg, 1, &data) != 0) return -1;
  } else {
    if (field_can_make(&type->info)) return graph_enter(writer, value);
    return graph_refuse(type, "TypeError",
                        "do not support ToJSONGraph: they have neither a native creator nor "
                        "`__ffi_new__`, nor `__data_to_json__`");
  }
  return graph_add_node(writer, value, type, &data, NULL) == 0 ? 1 : -1;
}

// Begins to describe a value. Returns as graph_object.
static int graph_value(GraphWriter *writer, const TVMFFIAny *value)
{
  Key key;
  uint64_t position;
  key_read(value, &key);
  if (map_find(writer->numbers, &key, &position) != 0) return -1;
  const MapEntry *known = map_entry(writer->numbers, position);
  if (known != NULL) {
    writer->number = known->value.v_int64;
    return 1;
  }
  TVMFFIAny data;
  bool none = value->type_index == kTVMFFINone;
  if (!none && !graph_is_plain(value->type_index)) return graph_object(writer, value);
  if (!none && graph_plain_data(value, &data) != 0) return -1;
  int code = graph_add_node(writer, value, graph_type(value), none ? NULL : &data, &key);
  return code == 0 ? 1 : -1;
}

// Enters what a frame's last value became.
// value: own, also on failure.
static int graph_put(GraphFrame *frame, const TVMFFIFieldInfo *field, TVMFFIAny value)
{
  if (field != NULL) {
    return graph_set((MapObject *)frame->data, field->name.data, field->name.size, value);
  }
  const TVMFFISeqCell *cell = sequence_cell(frame->data);
  if (cell->size < cell->capacity) sequence_append(frame->data, value);  // else it has grown since
  return 0;
}

// Goes on with the last object of the stack. Returns 0; -1 with an error.
static int graph_step(GraphWriter *writer)
{
  size_t at = writer->depth - 1;
  GraphFrame *frame = &writer->frames[at];
  TVMFFIAny value, data;
  int has = children_next(&frame->children, &value);
  if (has < 0) return -1;
  if (has == 0) {
    GraphFrame done = *frame;
    --writer->depth;
    data = any_object(done.data);
    int code = graph_add_node(writer, &done.value, type_find(done.value.type_index), &data, NULL);
    any_release(&done.value);
    if (code != 0 || at == 0) return code;
    frame = &writer->frames[at - 1];  // which is waiting for the number
    return graph_put(frame, frame->children.field, any_int(writer->number));
  }
  const TVMFFIFieldInfo *field = frame->children.field;
  int code;
  if (field != NULL && graph_is_inline(field)) {
    code = graph_plain_data(&value, &data);
    if (code == 0) code = graph_put(frame, field, data);
    any_release(&value);
    return code;
  }
  code = graph_value(writer, &value);
  any_release(&value);
  if (code <= 0) return code;
  return graph_put(&writer->frames[at], field, any_int(writer->number));
}

static int graph_finish(GraphWriter *writer, const TVMFFIAny *metadata, TVMFFIAny *out)
{
  TVMFFIObject *nodes = sequence_new(kTVMFFIArray, (int64_t)writer->count);
  MapObject *graph = map_new(kTVMFFIMap, 3);
  int code = nodes == NULL || graph == NULL ? raise_out_of_memory() : 0;
  if (nodes != NULL) {
    for (size_t i = 0; i < writer->count; ++i) sequence_append(nodes, writer->nodes[i]);
    writer->count = 0;
  }
  if (code == 0) code = GRAPH_SET(graph, "root_index", any_int(writer->number));
  if (code == 0) {
    code = GRAPH_SET(graph, "nodes", any_object(nodes));
  } else if (nodes != NULL) {
    object_release(nodes);
  }
  if (code == 0 && metadata->type_index != kTVMFFINone) {
    TVMFFIAny extra;
    code = any_own(metadata, &extra);
    if (code == 0) code = GRAPH_SET(graph, "metadata", extra);
  }
  if (code == 0) {
    *out = any_object(&graph->header);
  } else if (graph != NULL) {
    object_release(&graph->header);
  }
  return code;
}

int graph_write(const TVMFFIAny *value, const TVMFFIAny *metadata, TVMFFIAny *out)
{
  GraphWriter writer = {.numbers = map_new(kTVMFFIDict, GRAPH_FIRST)};
  TVMFFIAny root;
  if (writer.numbers == NULL) return raise_out_of_memory();
  bytes_make_string("type", 4, &writer.type_key);
  bytes_make_string("data", 4, &writer.data_key);
  int code = any_own(value, &root);
  if (code == 0) {
    code = graph_value(&writer, &root);
    while (code >= 0 && writer.depth != 0) code = graph_step(&writer);
    any_release(&root);
  }
  if (code >= 0) code = graph_finish(&writer, metadata, out);
  for (size_t i = 0; i < writer.depth; ++i) {
    any_release(&writer.frames[i].value);
    object_release(writer.frames[i].data);
  }
  for (size_t i = 0; i < writer.count; ++i) any_release(&writer.nodes[i]);
  for (size_t i = 0; i < GRAPH_NAMES; ++i) {
    if (writer.names[i].type != NULL) any_release(&writer.names[i].name);
  }
  free(writer.nodes);
  free(writer.frames);
  object_release(&writer.numbers->header);
  return code;
}

int graph_to_json(const NativeCall *call)
{
  TVMFFIAny graph;
  if (graph_write(&call->args[0], &call->args[1], &graph) != 0) return -1;
  return native_give(call, graph);
}

int graph_to_text(const NativeCall *call)
{
  TVMFFIAny graph, text;
  if (graph_write(&call->args[0], &call->args[1], &graph) != 0) return -1;
  int code = json_write_text(&graph, 0, &text);
  any_release(&graph);
  return code == 0 ? native_give(call, text) : -1;
}

int graph_from_json(const NativeCall *call)
{
  TVMFFIAny value;
  if (graph_read(&call->args[0], &value) != 0) return -1;
  return native_give(call, value);
}

int graph_from_text(const NativeCall *call)
{
  TVMFFIAny graph, value;
  if (json_parse_text(native_text(&call->args[0]), &graph) != 0) return -1;
  int code = graph_read(&graph, &value);
  any_release(&graph);
  return code == 0 ? native_give(call, value) : -1;
}
