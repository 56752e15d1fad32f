// SPDX-License-Identifier: Apache-2.0
// Nodes that have to be made wait on a stack of their own: a node is made once those that it names
// are. Whatever the description says, nothing outside of it is read, and each node is made once.
#include <stdlib.h>
#include <string.h>

#include "container/map.h"
#include "container/sequence.h"
#include "core/any.h"
#include "core/raise.h"
#include "frontend/base64.h"
#include "frontend/big.h"
#include "frontend/children.h"
#include "frontend/graph.h"
#include "native/shape.h"
#include "type/attribute.h"
#include "type/type.h"

static Attribute from_json = {ATTRIBUTE("__data_from_json__")};
static Attribute enum_state = {ATTRIBUTE("__ffi_enum__")};

typedef enum { GRAPH_NEW, GRAPH_OPEN, GRAPH_MADE } GraphState;

typedef struct {
  TVMFFIObject *nodes;  // borrow: an array
  TVMFFIAny *made;      // own, by number
  unsigned char *state;
  int64_t *stack;  // numbers of nodes that are to be made
  size_t depth, room;
} GraphReader;

// A node as it is described.
typedef struct {
  const Type *type;
  TVMFFIAny data;  // borrow
} GraphNode;

//--------------------------------------------------------------------------------------------------
// What is described
//--------------------------------------------------------------------------------------------------

RAISE_COLD static int graph_wrong(const char *what)
{
  return raise_error("ValueError", "Invalid JSON Object Graph: ", what, NULL);
}

RAISE_COLD static int graph_wrong_type(const Type *type)
{
  return raise_error("TypeError", "Invalid JSON Object Graph: the data of a node of type `",
                     raise_name(&type->info.type_key).text, "` has another type", NULL);
}

// Returns what stands under a key of a map, NULL if nothing does. Borrow: until the map changes.
static const TVMFFIAny *graph_get(TVMFFIObject *map, const char *name, size_t size)
{
  TVMFFIByteArray text = {name, size};
  TVMFFIAny view = {.type_index = kTVMFFIByteArrayPtr};
  Key key;
  uint64_t position;
  view.v_ptr = &text;
  key_read(&view, &key);
  key.value.type_index = kTVMFFIStr;
  if (map_find((MapObject *)map, &key, &position) != 0) return NULL;
  const MapEntry *entry = map_entry((MapObject *)map, position);
  return entry == NULL ? NULL : &entry->value;
}

#define GRAPH_GET(map, literal) graph_get(map, literal, sizeof(literal) - 1)

static bool graph_is_int(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool;
}

// Reads a node. Returns 0; -1 with an error.
static int graph_node(const GraphReader *reader, int64_t number, GraphNode *node)
{
  const TVMFFIAny *value = &sequence_values(reader->nodes)[number];
  if (value->type_index != kTVMFFIMap) return graph_wrong("a node is not an object");
  const TVMFFIAny *key = GRAPH_GET(value->v_obj, "type");
  const TVMFFIAny *data = GRAPH_GET(value->v_obj, "data");
  if (key == NULL || !native_is_string(key)) return graph_wrong("a node has no `type`");
  TVMFFIByteArray name = native_text(key);
  node->type = type_find_key(name.data, name.size);
  if (node->type == NULL) {
    return raise_error("ValueError", "Invalid JSON Object Graph: unknown type `",
                       raise_name(&name).text, "`", NULL);
  }
  if (data == NULL && node->type->info.type_index != kTVMFFINone) {
    return graph_wrong("a node has no `data`");
  }
  node->data = data == NULL ? any_none() : *data;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// What has to be made before
//--------------------------------------------------------------------------------------------------

// Checks that a value is the number of a node. Returns 0; -1 with an error.
static int graph_check(const GraphReader *reader, const TVMFFIAny *number)
{
  if (!graph_is_int(number)) return graph_wrong("a node is not named by its number");
  if (number->v_int64 < 0 || number->v_int64 >= sequence_cell(reader->nodes)->size) {
    return raise_error("ValueError", "Invalid JSON Object Graph: invalid node index ",
                       raise_number(number->v_int64).text, NULL);
  }
  return 0;
}

// Has a node be made, unless it is.
static int graph_push(GraphReader *reader, const TVMFFIAny *number)
{
  if (graph_check(reader, number) != 0) return -1;
  if (reader->state[number->v_int64] == GRAPH_MADE) return 0;
  if (reader->state[number->v_int64] == GRAPH_OPEN) {
    return graph_wrong("a node holds itself");
  }
  if (reader->depth == reader->room) {
    size_t room = reader->room == 0 ? 32 : 2 * reader->room;
    int64_t *stack = realloc(reader->stack, room * sizeof *stack);
    if (stack == NULL) return raise_out_of_memory();
    reader->stack = stack;
    reader->room = room;
  }
  reader->stack[reader->depth++] = number->v_int64;
  return 0;
}

static bool graph_is_container(int32_t type_index)
{
  return children_is_sequence(type_index) || children_is_map(type_index);
}

static bool graph_is_enum(const Type *type)
{
  return type_is_above(type_find(TYPE_ENUM), type);
}

// Tells whether a node is an object whose fields are described one by one.
static bool graph_has_fields(const GraphNode *node)
{
  int32_t type_index = node->type->info.type_index;
  if (type_index < kTVMFFIStaticObjectBegin || graph_is_container(type_index)) return false;
  switch (type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIShape:
    case kTVMFFIBigInt:
      return false;
    default:
      return !graph_is_enum(node->type) && attribute_of(&from_json, type_index) == NULL;
  }
}

static int graph_push_fields(GraphReader *reader, const GraphNode *node)
{
  FieldWalk walk = {.type = &node->type->info};
  if (node->data.type_index != kTVMFFIMap) return graph_wrong_type(node->type);
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    const TVMFFIAny *value = graph_get(node->data.v_obj, field->name.data, field->name.size);
    if (value == NULL || graph_is_inline(field)) continue;
    if (graph_push(reader, value) != 0) return -1;
  }
  return 0;
}

// Has all nodes be made that a node names. The last are made first, so that a node is begun when
// those before it in its data are not made yet.
static int graph_push_all(GraphReader *reader, const GraphNode *node)
{
  int32_t type_index = node->type->info.type_index;
  if (graph_has_fields(node)) return graph_push_fields(reader, node);
  if (!graph_is_container(type_index)) return 0;
  if (node->data.type_index != kTVMFFIArray) return graph_wrong_type(node->type);
  const TVMFFISeqCell *cell = sequence_cell(node->data.v_obj);
  if (children_is_map(type_index) && cell->size % 2 != 0) {
    return graph_wrong("a map has a key without a value");
  }
  for (int64_t i = cell->size; i-- > 0;) {
    if (graph_push(reader, &sequence_values(node->data.v_obj)[i]) != 0) return -1;
  }
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Making
//--------------------------------------------------------------------------------------------------

static int graph_make_sequence(const GraphReader *reader, const GraphNode *node, TVMFFIAny *out)
{
  const TVMFFISeqCell *cell = sequence_cell(node->data.v_obj);
  TVMFFIObject *made = sequence_new(node->type->info.type_index, cell->size);
  if (made == NULL) return raise_out_of_memory();
  for (int64_t i = 0; i < cell->size; ++i) {
    int64_t number = sequence_values(node->data.v_obj)[i].v_int64;
    sequence_append(made, any_share(&reader->made[number]));
  }
  *out = any_object(made);
  return 0;
}

static int graph_make_map(const GraphReader *reader, const GraphNode *node, TVMFFIAny *out)
{
  const TVMFFIAny *numbers = sequence_values(node->data.v_obj);
  int64_t size = sequence_cell(node->data.v_obj)->size;
  MapObject *made = map_new(node->type->info.type_index, (uint64_t)size / 2);
  int code = made == NULL ? raise_out_of_memory() : 0;
  for (int64_t i = 0; i < size && code == 0; i += 2) {
    MapEntry entry = {any_share(&reader->made[numbers[i].v_int64]),
                      any_share(&reader->made[numbers[i + 1].v_int64])};
    code = map_set(made, &entry);
    any_release(&entry.key);
    any_release(&entry.value);
  }
  if (code == 0) {
    *out = any_object(&made->header);
  } else if (made != NULL) {
    object_release(&made->header);
  }
  return code;
}

// Tells whether a value is an array of integers, at least so many and at most so many.
static bool graph_is_integers(const TVMFFIAny *value, int64_t least, int64_t most)
{
  if (value->type_index != kTVMFFIArray) return false;
  const TVMFFISeqCell *cell = sequence_cell(value->v_obj);
  if (cell->size < least || cell->size > most) return false;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (!graph_is_int(&sequence_values(value->v_obj)[i])) return false;
  }
  return true;
}

static int graph_make_device(const GraphNode *node, TVMFFIAny *out)
{
  if (!graph_is_integers(&node->data, 2, 2)) {
    return graph_wrong("the data of a Device must be an array of its type and its number");
  }
  const TVMFFIAny *parts = sequence_values(node->data.v_obj);
  for (int i = 0; i < 2; ++i) {
    if (parts[i].v_int64 != (int32_t)parts[i].v_int64) {
      return graph_wrong("the type or number of a Device needs more than 32 bits");
    }
  }
  TVMFFIAny value = {.type_index = kTVMFFIDevice};
  value.v_device.device_type = (DLDeviceType)parts[0].v_int64;
  value.v_device.device_id = (int32_t)parts[1].v_int64;
  *out = value;
  return 0;
}

static int graph_make_dtype(const Type *type, const TVMFFIAny *data, TVMFFIAny *out)
{
  if (!native_is_string(data)) return graph_wrong_type(type);
  TVMFFIByteArray text = native_text(data);
  TVMFFIAny value = {.type_index = kTVMFFIDataType};
  if (TVMFFIDataTypeFromString(&text, &value.v_dtype) != 0) return -1;
  *out = value;
  return 0;
}

// Makes a value of a type index whose data is itself.
static int graph_make_plain(int32_t type_index, const Type *type, const TVMFFIAny *data,
                            TVMFFIAny *out)
{
  TVMFFIAny value = *data;
  switch (type_index) {
    case kTVMFFINone:
      *out = any_none();
      return 0;
    case kTVMFFIBool:
      if (!graph_is_int(data)) break;
      *out = any_bool(data->v_int64 != 0);
      return 0;
    case kTVMFFIInt:
      if (!graph_is_int(data)) break;
      *out = any_int(data->v_int64);
      return 0;
    case kTVMFFIFloat:
      if (graph_is_int(data)) value.v_float64 = (double)data->v_int64;
      if (!graph_is_int(data) && data->type_index != kTVMFFIFloat) break;
      value.type_index = kTVMFFIFloat;
      *out = value;
      return 0;
    case kTVMFFIDataType:
      return graph_make_dtype(type, data, out);
    default:
      break;
  }
  return graph_wrong_type(type);
}

static int graph_make_enum(const GraphNode *node, TVMFFIAny *out)
{
  const TVMFFIAny *state = attribute_of(&enum_state, node->type->info.type_index);
  bool is_int = type_is_above(type_find(TYPE_INT_ENUM), node->type);
  bool fits = is_int ? graph_is_int(&node->data) : native_is_string(&node->data);
  TVMFFIAny indexes = any_none();
  if (!fits) return graph_wrong_type(node->type);
  if (state != NULL && state->type_index == TYPE_ENUM_STATE) {
    FieldWalk walk = {.type = &type_find(TYPE_ENUM_STATE)->info};
    const TVMFFIFieldInfo *field;
    do {
      field = field_next(&walk);
    } while (field != NULL && !field_is_named(field, (TVMFFIByteArray){"indexes", 7}));
    if (field != NULL && field_get(field, state->v_obj, &indexes) != 0) return -1;
  }
  const MapEntry *entry = NULL;
  if (indexes.type_index == kTVMFFIDict) {
    TVMFFIAny name = is_int ? any_int(node->data.v_int64) : node->data;
    Key key;
    uint64_t position;
    key_read(&name, &key);
    if (map_find((MapObject *)indexes.v_obj, &key, &position) == 0) {
      entry = map_entry((MapObject *)indexes.v_obj, position);
    }
  }
  if (entry != NULL) *out = any_share(&entry->value);
  any_release(&indexes);
  if (entry != NULL) return 0;
  return raise_error("ValueError", "Invalid JSON Object Graph: the enumeration `",
                     raise_name(&node->type->info.type_key).text, "` has no such value", NULL);
}

// Gives an object one of its fields.
static int graph_make_field(const GraphReader *reader, const GraphNode *node,
                            const TVMFFIFieldInfo *field, TVMFFIObject *object)
{
  const TVMFFIAny *data = graph_get(node->data.v_obj, field->name.data, field->name.size);
  TVMFFIAny value;
  if (data == NULL) {
    if (field->flags & kTVMFFIFieldFlagBitMaskHasDefault) return field_set_default(field, object);
    return raise_error("TypeError", "Required field `", raise_name(&field->name).text,
                       "` not set in type `", raise_name(&node->type->info.type_key).text, "`",
                       NULL);
  }
  if (!graph_is_inline(field)) return field_set(field, object, &reader->made[data->v_int64]);
  if (graph_make_plain(field->field_static_type_index, node->type, data, &value) != 0) return -1;
  return field_set(field, object, &value);
}

static int graph_make_object(const GraphReader *reader, const GraphNode *node, TVMFFIAny *out)
{
  TVMFFIObject *object = field_new_object("ffi.FromJSONGraph", &node->type->info);
  if (object == NULL) return -1;
  FieldWalk walk = {.type = &node->type->info};
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    if (graph_make_field(reader, node, field, object) == 0) continue;
    object_release(object);
    return -1;
  }
  *out = any_object(object);
  return 0;
}

static int graph_make_by_hook(const TVMFFIAny *hook, const GraphNode *node, TVMFFIAny *out)
{
  TVMFFIAny arg = node->data, result = any_none();
  if (hook->type_index != kTVMFFIFunction) {
    return raise_error("TypeError", "`__data_from_json__` must be a Function", NULL);
  }
  if (TVMFFIFunctionCall(hook->v_obj, &arg, 1, &result) != 0) return -1;
  *out = result;
  return 0;
}

static int graph_make_big(const GraphNode *node, TVMFFIAny *out)
{
  if (!native_is_string(&node->data)) return graph_wrong_type(node->type);
  int code = big_read(native_text(&node->data), out);
  return code == 0 ? graph_wrong_type(node->type) : code < 0 ? -1 : 0;
}

// Makes the value of a node, once those that it names are made.
// out: own, written on success.
static int graph_make(const GraphReader *reader, const GraphNode *node, TVMFFIAny *out)
{
  int32_t type_index = node->type->info.type_index;
  const TVMFFIAny *hook;
  switch (type_index) {
    case kTVMFFIDevice:
      return graph_make_device(node, out);
    case kTVMFFIStr:
      if (!native_is_string(&node->data)) return graph_wrong_type(node->type);
      return any_own(&node->data, out);
    case kTVMFFIBytes:
      if (!native_is_string(&node->data)) return graph_wrong_type(node->type);
      return base64_decode(native_text(&node->data), out);
    case kTVMFFIBigInt:
      return graph_make_big(node, out);
    case kTVMFFIShape:
      if (!graph_is_integers(&node->data, 0, INT32_MAX)) return graph_wrong_type(node->type);
      *out = any_none();
      return shape_call(NULL, sequence_values(node->data.v_obj),
                        (int32_t)sequence_cell(node->data.v_obj)->size, out);
    case kTVMFFIArray:
    case kTVMFFIList:
      return graph_make_sequence(reader, node, out);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return graph_make_map(reader, node, out);
    default:
      break;
  }
  if (type_index < kTVMFFIStaticObjectBegin) {
    return graph_make_plain(type_index, node->type, &node->data, out);
  }
  if (graph_is_enum(node->type)) return graph_make_enum(node, out);
  hook = attribute_of(&from_json, type_index);
  return hook != NULL ? graph_make_by_hook(hook, node, out) : graph_make_object(reader, node, out);
}

// Goes on with the last node of the stack.
static int graph_read_step(GraphReader *reader)
{
  int64_t number = reader->stack[reader->depth - 1];
  size_t before = reader->depth;
  GraphNode node;
  if (reader->state[number] == GRAPH_MADE) {
    --reader->depth;
    return 0;
  }
  if (graph_node(reader, number, &node) != 0) return -1;
  if (reader->state[number] == GRAPH_NEW) {
    reader->state[number] = GRAPH_OPEN;
    if (graph_push_all(reader, &node) != 0) return -1;
    if (reader->depth != before) return 0;
  }
  if (graph_make(reader, &node, &reader->made[number]) != 0) return -1;
  reader->state[number] = GRAPH_MADE;
  --reader->depth;
  return 0;
}

int graph_read(const TVMFFIAny *graph, TVMFFIAny *out)
{
  static const char no_graph[] = "Invalid JSON Object Graph, expected ";
  if (graph->type_index != kTVMFFIMap) {
    return raise_error("ValueError", no_graph, "an object", NULL);
  }
  const TVMFFIAny *root = GRAPH_GET(graph->v_obj, "root_index");
  const TVMFFIAny *nodes = GRAPH_GET(graph->v_obj, "nodes");
  if (root == NULL || root->type_index != kTVMFFIInt) {
    return raise_error("ValueError", no_graph, "`root_index` integer field", NULL);
  }
  if (nodes == NULL || nodes->type_index != kTVMFFIArray) {
    return raise_error("ValueError", no_graph, "`nodes` array field", NULL);
  }
  size_t count = (size_t)sequence_cell(nodes->v_obj)->size;
  GraphReader reader = {.nodes = nodes->v_obj,
                        .made = calloc(count + 1, sizeof *reader.made),
                        .state = calloc(count + 1, 1)};
  int64_t first = root->v_int64;
  TVMFFIAny number = any_int(first);
  object_retain(reader.nodes);  // a function of a type may get hold of the graph
  int code = reader.made == NULL || reader.state == NULL ? raise_out_of_memory()
                                                         : graph_push(&reader, &number);
  while (code == 0 && reader.depth != 0) code = graph_read_step(&reader);
  if (code == 0) *out = any_share(&reader.made[first]);
  for (size_t i = 0; reader.made != NULL && i < count; ++i) any_release(&reader.made[i]);
  free(reader.made);
  free(reader.state);
  free(reader.stack);
  object_release(reader.nodes);
  return code;
}
