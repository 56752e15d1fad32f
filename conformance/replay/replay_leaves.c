// SPDX-License-Identifier: Apache-2.0
// Playing calls of the C API that call nothing back.
#include <stdio.h>
#include <string.h>

#include "replay/replay_player.h"

// The items of the event, in their order; NONE where there are no more.
typedef struct Leaf {
  const RecordEvent *event;
  RecordItem items[8];
} Leaf;

static TVMFFIByteArray bytes_of(const RecordItem *item)
{
  if (item->tag != RECORD_TEXT) return (TVMFFIByteArray){"", 0};
  return (TVMFFIByteArray){item->text.data, item->text.size};
}

static int64_t number_of(const RecordItem *item)
{
  return item->tag == RECORD_INT ? item->integer : 0;
}

// Compares codes, and keeps the error of what failed.
static bool compare_code(Player *player, const Leaf *leaf, const RecordItem *recorded, int code)
{
  if (code != 0) player_keep_raised(player, leaf->event->thread);
  bool failed = number_of(recorded) != 0;
  if (failed != (code != 0))
    player_differs(player, leaf->event,
                   leaf->event->what == LEAF_TypeKeyToIndex ? REPLAY_MISSING : REPLAY_OUTCOME,
                   failed ? "failure" : "success", code != 0 ? "failure" : "success");
  return !failed && code == 0;
}

static void finish(Player *player)
{
  if (!player->differs) atomic_fetch_add(&player->shared->same, 1);
}

static void bind_value(Player *player, const RecordItem *recorded, TVMFFIAny *value)
{
  if (recorded->number && value->type_index >= kTVMFFIStaticObjectBegin) {
    player_bind(player, recorded->number, value->v_obj);
    value->type_index = kTVMFFINone;
  }
  player_drop(player, value);
}

// --- Functions -----------------------------------------------------------------------------------

static void get_global(Player *player, const Leaf *leaf)
{
  const TVMFFIByteArray name = bytes_of(&leaf->items[0]);
  const RecordItem *function = &leaf->items[2];
  TVMFFIObjectHandle out = NULL;
  int code = player->iut->FunctionGetGlobal(&name, &out);
  PlayerObject *place = player_object(player, function->number);
  if (place) place->name = leaf->items[0].text;
  bool compared = compare_code(player, leaf, &leaf->items[1], code);
  // The program's own, which was registered in a way that is not recorded.
  if (compared && !out && (function->flags & OBJECT_OF_PROGRAM)) {
    player_leave_out(player, leaf->event, "the function is the program's, registered unseen");
    return;
  }
  if (compared && !out != !function->number)
    player_differs(player, leaf->event, REPLAY_MISSING, function->number ? "a function" : "nothing",
                   out ? "a function" : "nothing");
  if (out) player_bind(player, function->number, out);
  finish(player);
}

// Also of a function with its documentation.
static void set_global(Player *player, const Leaf *leaf)
{
  const RecordItem *item = &leaf->items[3];
  const TVMFFIByteArray name = bytes_of(&leaf->items[0]);
  TVMFFIAny function;
  const char *why = player_make(player, item, &function);
  if (!why && function.type_index != kTVMFFIFunction) why = "what it registers is not a function";
  if (why) {
    player_leave_out(player, leaf->event, why);
    return;
  }
  PlayerObject *place = player_object(player, item->number);
  if (place && !place->name.size) place->name = leaf->items[0].text;
  int code, override = (int)number_of(&leaf->items[1]);
  if (leaf->event->what == LEAF_FunctionSetGlobal)
    code = player->iut->FunctionSetGlobal(&name, function.v_obj, override);
  else
    code = player->iut->FunctionSetGlobalFromMethodInfo(
        &(const TVMFFIMethodInfo){.name = name,
                                  .doc = bytes_of(&leaf->items[4]),
                                  .metadata = bytes_of(&leaf->items[5]),
                                  .method = function},
        override);
  compare_code(player, leaf, &leaf->items[2], code);
  finish(player);
}

static void create(Player *player, const Leaf *leaf)
{
  uint64_t number = leaf->items[1].number;
  TVMFFIObject *made = number ? player_stand_in(player, number) : NULL;
  if (!made) {
    player_leave_out(player, leaf->event, "the function could not be made");
    return;
  }
  player_bind(player, number, made);
  finish(player);
}

// The type with this key; -1: the library does not know it.
static int32_t find_key(const Player *player, const RecordItem *key)
{
  const TVMFFIByteArray text = bytes_of(key);
  TVMFFIObjectHandle raised = NULL;
  int32_t index = -1;
  if (player->iut->TypeKeyToIndex(&text, &index) == 0) return index;
  player->iut->ErrorMoveFromRaised(&raised);
  if (raised) player->iut->ObjectDecRef(raised);
  return -1;
}

static const TVMFFIAny *find_method(const Player *player, int32_t type, TVMFFIByteArray name)
{
  const TVMFFITypeInfo *info = player->iut->GetTypeInfo(type);
  for (int32_t i = 0; info && i < info->num_methods; ++i) {
    const TVMFFIMethodInfo *method = &info->methods[i];
    if (method->name.size == name.size && memcmp(method->name.data, name.data, name.size) == 0)
      return &method->method;
  }
  return NULL;
}

static const TVMFFIAny *find_attribute(const Player *player, int32_t type, TVMFFIByteArray name)
{
  const TVMFFITypeAttrColumn *column =
      iut_has(player->iut, FN_GetTypeAttrColumn) ? player->iut->GetTypeAttrColumn(&name) : NULL;
  if (!column || type < column->begin_index || type - column->begin_index >= column->size)
    return NULL;
  return &column->data[type - column->begin_index];
}

void player_note_method(Player *player, const RecordEvent *event)
{
  RecordItem type, name, function;
  uint32_t at = 0;
  record_next(event, &at, &type);
  record_next(event, &at, &name);
  if (!record_next(event, &at, &function) || name.tag != RECORD_TEXT) return;
  PlayerObject *place = player_object(player, function.number);
  if (place) place->name = name.text;
  int32_t index = find_key(player, &type);
  const TVMFFIAny *found = NULL;
  if (index >= 0)
    found = (event->what ? find_attribute : find_method)(player, index, bytes_of(&name));
  if (found && found->type_index == kTVMFFIFunction) {
    player->iut->ObjectIncRef(found->v_obj);
    player_bind(player, function.number, found->v_obj);
  } else {
    player_leave_out(
        player, event,
        index >= 0 ? "the type has no such function here" : "the library does not know the type");
  }
}

// --- Fields --------------------------------------------------------------------------------------

static const TVMFFIFieldInfo *field_in(const TVMFFITypeInfo *info, TVMFFIByteArray name)
{
  for (int32_t i = 0; info && i < info->num_fields; ++i)
    if (info->fields[i].name.size == name.size &&
        memcmp(info->fields[i].name.data, name.data, name.size) == 0)
      return &info->fields[i];
  return NULL;
}

// Of the type, or of one that it is derived from.
static const TVMFFIFieldInfo *find_field(const Player *player, int32_t type, TVMFFIByteArray name)
{
  const TVMFFITypeInfo *info = player->iut->GetTypeInfo(type);
  const TVMFFIFieldInfo *found = field_in(info, name);
  for (int32_t depth = info ? info->type_depth : 0; !found && depth-- > 0;)
    found = field_in(info->type_ancestors[depth], name);
  return found;
}

static int write_field(const Player *player, const TVMFFIFieldInfo *field, void *address,
                       const TVMFFIAny *value)
{
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (!(field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj))
    return ((TVMFFIFieldSetter)(uintptr_t)field->setter)(address, value);
  TVMFFIAny args[] = {{.type_index = kTVMFFIOpaquePtr, .v_ptr = address}, *value};
  return player->iut->FunctionCall(field->setter, args, 2, &result);
}

static void use_field(Player *player, const Leaf *leaf, const TVMFFIFieldInfo *field, char *object)
{
  const RecordItem *recorded = &leaf->items[3];
  const bool writes = leaf->event->what;
  TVMFFIAny value = {.type_index = kTVMFFINone};
  const char *why = writes ? player_make(player, recorded, &value) : NULL;
  if (!why && !(writes ? field->setter : (void *)(uintptr_t)field->getter))
    why = "the field can't be read or written here";
  if (why) {
    player_leave_out(player, leaf->event, why);
    return;
  }
  int code = writes ? write_field(player, field, object + field->offset, &value)
                    : field->getter(object + field->offset, &value);
  if (compare_code(player, leaf, &leaf->items[2], code) && !writes) {
    player_compare(player, leaf->event, REPLAY_VALUE, recorded, &value);
    bind_value(player, recorded, &value);
  }
  finish(player);
}

void player_field(Player *player, const RecordEvent *event)
{
  Leaf leaf = {.event = event};
  TVMFFIAny object;
  uint32_t at = 0;
  for (size_t i = 0; i < 4; ++i)
    if (!record_next(event, &at, &leaf.items[i])) break;
  size_t scratch = player->scratch_count;
  const char *why = player_make(player, &leaf.items[0], &object);
  if (!why && object.type_index < kTVMFFIStaticObjectBegin) why = "it is not a field of an object";
  const TVMFFIFieldInfo *field =
      why ? NULL : find_field(player, object.type_index, bytes_of(&leaf.items[1]));
  if (!why && !field) why = "the type has no such field here";
  if (why)
    player_leave_out(player, event, why);
  else
    use_field(player, &leaf, field, (char *)object.v_obj);
  player_free_scratch(player, scratch);
}

// --- Values --------------------------------------------------------------------------------------

static void own(Player *player, const Leaf *leaf)
{
  TVMFFIAny view, value = {.type_index = kTVMFFINone};
  size_t scratch = player->scratch_count;
  const char *why = player_make(player, &leaf->items[1], &view);
  if (why || leaf->items[1].moved) {
    player_leave_out(player, leaf->event, why ? why : "it takes a moved reference");
  } else {
    int code = player->iut->AnyViewToOwnedAny(&view, &value);
    if (compare_code(player, leaf, &leaf->items[0], code))
      player_compare(player, leaf->event, REPLAY_VALUE, &leaf->items[1], &value);
    player_drop(player, &value);
    finish(player);
  }
  player_free_scratch(player, scratch);
}

static void make_text(Player *player, const Leaf *leaf)
{
  const TVMFFIByteArray text = bytes_of(&leaf->items[0]);
  TVMFFIAny value = {.type_index = kTVMFFINone};
  int code = leaf->event->what == LEAF_StringFromByteArray
                 ? player->iut->StringFromByteArray(&text, &value)
                 : player->iut->BytesFromByteArray(&text, &value);
  if (compare_code(player, leaf, &leaf->items[1], code))
    player_compare(player, leaf->event, REPLAY_VALUE, &leaf->items[2], &value);
  bind_value(player, &leaf->items[2], &value);
  finish(player);
}

static void create_opaque(Player *player, const Leaf *leaf)
{
  static char custody;
  TVMFFIObjectHandle out = NULL;
  int64_t type = number_of(&leaf->items[0]);
  if (type >= kTVMFFIDynObjectBegin) {
    player_leave_out(player, leaf->event, "the object is of a type of the program");
    return;
  }
  int code = player->iut->ObjectCreateOpaque(&custody, (int32_t)type, NULL, &out);
  compare_code(player, leaf, &leaf->items[1], code);
  if (code == 0) player_bind(player, leaf->items[2].number, out);
  finish(player);
}

// --- Errors --------------------------------------------------------------------------------------

static void create_error(Player *player, const Leaf *leaf)
{
  const TVMFFIByteArray kind = bytes_of(&leaf->items[0]), message = bytes_of(&leaf->items[1]);
  const TVMFFIByteArray none = {NULL, 0};
  TVMFFIObjectHandle out = NULL;
  int code = player->iut->ErrorCreate(&kind, &message, &none, &out);
  if (compare_code(player, leaf, &leaf->items[2], code)) {
    const TVMFFIAny value = {.type_index = kTVMFFIError, .v_obj = out};
    player_compare(player, leaf->event, REPLAY_VALUE, &leaf->items[3], &value);
  }
  if (code == 0) player_bind(player, leaf->items[3].number, out);
  finish(player);
}

static void raise_error(Player *player, const Leaf *leaf)
{
  TVMFFIAny error;
  const char *why = player_make(player, &leaf->items[0], &error);
  if (!why && error.type_index != kTVMFFIError) why = "what it raises is not an error";
  if (why) {
    player_leave_out(player, leaf->event, why);
    return;
  }
  player->iut->ErrorSetRaised(error.v_obj);
  player_keep_raised(player, leaf->event->thread);
  finish(player);
}

static void raise_texts(Player *player, const Leaf *leaf)
{
  char *texts[2];
  size_t scratch = player->scratch_count;
  for (int i = 0; i < 2; ++i) {
    const TVMFFIByteArray bytes = bytes_of(&leaf->items[i]);
    texts[i] = player_scratch(player, bytes.size + 1);
    if (!texts[i]) return;
    memcpy(texts[i], bytes.data, bytes.size);
  }
  player->iut->ErrorSetRaisedFromCStr(texts[0], texts[1]);
  player_keep_raised(player, leaf->event->thread);
  player_free_scratch(player, scratch);
  finish(player);
}

static void fetch(Player *player, const Leaf *leaf)
{
  TVMFFIObjectHandle raised = player_fetch_raised(player, leaf->event->thread);
  if (!raised && player->error_lost) {
    player_leave_out(player, leaf->event, "what raised the error could not be replayed");
    return;
  }
  if (!raised != !leaf->items[0].number)
    player_differs(player, leaf->event, REPLAY_ERROR, leaf->items[0].number ? "an error" : "none",
                   raised ? "an error" : "none");
  if (raised) player_bind(player, leaf->items[0].number, raised);
  finish(player);
}

// --- Types and tensors ---------------------------------------------------------------------------

static void find_type(Player *player, const Leaf *leaf)
{
  const TVMFFIByteArray key = bytes_of(&leaf->items[0]);
  int32_t index = 0;
  int code = player->iut->TypeKeyToIndex(&key, &index);
  if (code != 0 && number_of(&leaf->items[1]) == 0 && player->file_lost) {
    player_keep_raised(player, leaf->event->thread);
    player_leave_out(player, leaf->event, "the type may be of a module whose file is not there");
    return;
  }
  compare_code(player, leaf, &leaf->items[1], code);
  finish(player);
}

static void allocate_type(Player *player, const Leaf *leaf)
{
  if (number_of(&leaf->items[2]) < 0 && player->own_type_count < PLAYER_TYPES_MAX)
    player->own_types[player->own_type_count++] = leaf->items[0].text;
  const TVMFFIByteArray key = bytes_of(&leaf->items[0]);
  int32_t parent = leaf->items[1].text.size ? find_key(player, &leaf->items[1]) : -1;
  if (leaf->items[1].text.size && parent < 0) {
    player_leave_out(player, leaf->event, "the library does not know the parent type");
    return;
  }
  int32_t index = player->iut->TypeGetOrAllocIndex(
      &key, (int32_t)number_of(&leaf->items[2]), (int32_t)number_of(&leaf->items[3]),
      (int32_t)number_of(&leaf->items[4]), (int32_t)number_of(&leaf->items[5]), parent);
  compare_code(player, leaf, &(const RecordItem){.tag = RECORD_NONE}, index < 0 ? -1 : 0);
  finish(player);
}

static void register_attribute(Player *player, const Leaf *leaf)
{
  const TVMFFIByteArray name = bytes_of(&leaf->items[1]);
  bool column_only = leaf->items[0].text.size == 0;
  int32_t type = column_only ? kTVMFFINone : find_key(player, &leaf->items[0]);
  TVMFFIAny value;
  size_t scratch = player->scratch_count;
  const char *why = player_make(player, &leaf->items[3], &value);
  if (type < 0) why = "the library does not know the type";
  if (why) {
    player_leave_out(player, leaf->event, why);
  } else {
    compare_code(player, leaf, &leaf->items[2], player->iut->TypeRegisterAttr(type, &name, &value));
    finish(player);
  }
  player_free_scratch(player, scratch);
}

static void register_method(Player *player, const Leaf *leaf)
{
  const RecordItem *item = &leaf->items[4];
  TVMFFIMethodInfo info = {.name = bytes_of(&leaf->items[1]), .flags = number_of(&leaf->items[2])};
  int32_t type = find_key(player, &leaf->items[0]);
  const char *why = player_make(player, item, &info.method);
  if (type < 0) why = "the library does not know the type";
  if (why) {
    player_leave_out(player, leaf->event, why);
    return;
  }
  PlayerObject *place = player_object(player, item->number);
  if (place && !place->name.size) place->name = leaf->items[1].text;
  compare_code(player, leaf, &leaf->items[3], player->iut->TypeRegisterMethod(type, &info));
  finish(player);
}

static void register_field(Player *player, const Leaf *leaf)
{
  player_leave_out(player, leaf->event, "it registers a field, which code of the program reads");
}

static void read_dtype(Player *player, const Leaf *leaf)
{
  const TVMFFIByteArray text = bytes_of(&leaf->items[0]);
  TVMFFIAny value = {.type_index = kTVMFFIDataType};
  int code = player->iut->DataTypeFromString(&text, &value.v_dtype);
  if (compare_code(player, leaf, &leaf->items[1], code))
    player_compare(player, leaf->event, REPLAY_VALUE, &leaf->items[2], &value);
  finish(player);
}

static void write_dtype(Player *player, const Leaf *leaf)
{
  const RecordItem *item = &leaf->items[2];
  const DLDataType dtype = {(uint8_t)(item->pair[0] >> 8), (uint8_t)item->pair[0],
                            (uint16_t)item->pair[1]};
  TVMFFIAny value = {.type_index = kTVMFFINone};
  int code = player->iut->DataTypeToString(&dtype, &value);
  if (compare_code(player, leaf, &leaf->items[0], code))
    player_compare(player, leaf->event, REPLAY_VALUE, &leaf->items[1], &value);
  bind_value(player, &leaf->items[1], &value);
  finish(player);
}

static void import_tensor(Player *player, const Leaf *leaf)
{
  const RecordItem *tensor = &leaf->items[3];
  int32_t alignment = (int32_t)number_of(&leaf->items[0]);
  int32_t contiguous = (int32_t)number_of(&leaf->items[1]);
  bool versioned = leaf->event->what == LEAF_TensorFromDLPackVersioned;
  const char *why = "the tensor was refused, and is not in the recording";
  TVMFFIObjectHandle out = NULL;
  int code = -1;
  if (tensor->tag == RECORD_TENSOR && versioned) {
    DLManagedTensorVersioned *from = player_dlpack_versioned(tensor, &why);
    if (from) code = player->iut->TensorFromDLPackVersioned(from, alignment, contiguous, &out);
    if (from && code != 0) from->deleter(from);
  } else if (tensor->tag == RECORD_TENSOR) {
    DLManagedTensor *from = player_dlpack(tensor, &why);
    if (from) code = player->iut->TensorFromDLPack(from, alignment, contiguous, &out);
    if (from && code != 0) from->deleter(from);
  }
  if (why) {
    player_leave_out(player, leaf->event, why);
    return;
  }
  if (compare_code(player, leaf, &leaf->items[2], code)) {
    const TVMFFIAny value = {.type_index = kTVMFFITensor, .v_obj = out};
    player_compare(player, leaf->event, REPLAY_VALUE, tensor, &value);
  }
  if (code == 0) player_bind(player, tensor->number, out);
  finish(player);
}

// --- All -----------------------------------------------------------------------------------------

static const struct {
  void (*play)(Player *player, const Leaf *leaf);
  AbiFunctionId function;
} plays[RECORD_LEAVES] = {
    [LEAF_FunctionGetGlobal] = {get_global, FN_FunctionGetGlobal},
    [LEAF_FunctionSetGlobal] = {set_global, FN_FunctionSetGlobal},
    [LEAF_FunctionCreate] = {create, FN_FunctionCreate},
    [LEAF_AnyViewToOwnedAny] = {own, FN_AnyViewToOwnedAny},
    [LEAF_StringFromByteArray] = {make_text, FN_StringFromByteArray},
    [LEAF_BytesFromByteArray] = {make_text, FN_BytesFromByteArray},
    [LEAF_ErrorCreate] = {create_error, FN_ErrorCreate},
    [LEAF_ErrorSetRaised] = {raise_error, FN_ErrorSetRaised},
    [LEAF_ErrorSetRaisedFromCStr] = {raise_texts, FN_ErrorSetRaisedFromCStr},
    [LEAF_ErrorMoveFromRaised] = {fetch, FN_ErrorMoveFromRaised},
    [LEAF_TypeKeyToIndex] = {find_type, FN_TypeKeyToIndex},
    [LEAF_DataTypeFromString] = {read_dtype, FN_DataTypeFromString},
    [LEAF_DataTypeToString] = {write_dtype, FN_DataTypeToString},
    [LEAF_TensorFromDLPack] = {import_tensor, FN_TensorFromDLPack},
    [LEAF_TensorFromDLPackVersioned] = {import_tensor, FN_TensorFromDLPackVersioned},
    [LEAF_ObjectCreateOpaque] = {create_opaque, FN_ObjectCreateOpaque},
    [LEAF_TypeGetOrAllocIndex] = {allocate_type, FN_TypeGetOrAllocIndex},
    [LEAF_TypeRegisterAttr] = {register_attribute, FN_TypeRegisterAttr},
    [LEAF_TypeRegisterMethod] = {register_method, FN_TypeRegisterMethod},
    [LEAF_TypeRegisterField] = {register_field, FN_TypeRegisterField},
    [LEAF_FunctionSetGlobalFromMethodInfo] = {set_global, FN_FunctionSetGlobalFromMethodInfo}};

void player_leaf(Player *player, const RecordEvent *event)
{
  Leaf leaf = {.event = event};
  uint32_t at = 0;
  for (size_t i = 0; i < sizeof leaf.items / sizeof *leaf.items; ++i)
    if (!record_next(event, &at, &leaf.items[i])) break;
  if (!plays[event->what].play)
    player_leave_out(player, event, "replay does not know this function");
  else if (!iut_has(player->iut, plays[event->what].function))
    player_leave_out(player, event, "the library has no such function");
  else
    plays[event->what].play(player, &leaf);
}
