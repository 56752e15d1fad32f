// SPDX-License-Identifier: Apache-2.0
// Registering types: which index they get, and where they stand.
#include "cases/runtime/type_registering.h"

CHAPTER(type);

//--------------------------------------------------------------------------------------------------
// New keys and known ones
//--------------------------------------------------------------------------------------------------

CASE(new_key_gets_an_index_of_its_own, .clauses = {TYPE_19, TYPE_15},
     .title = "keys registered below ffi.Object get indices from 128 on that no other type has")
{
  enum { TYPES = 40 };
  int32_t indices[TYPES];
  for (unsigned i = 0; i < TYPES; ++i) {
    char text[32];
    size_t size = (size_t)snprintf(text, sizeof text, "conform.own.%u", i);
    const TVMFFIByteArray *key = fenced_bytes(text, size);
    expect_unknown(iut, key);
    indices[i] = new_type(iut, text, (TypePlan){.slots = (int32_t)i % 4});
    expect_index(iut, key, indices[i]);
    expect_named(iut, indices[i], text, size);
    for (unsigned j = 0; j < i; ++j)
      expect_that(indices[j] != indices[i], "an index that no other type has",
                  "%" PRId32 ", like the type before it by %u", indices[i], i - j);
  }
}

CASE(known_key_keeps_its_index, .clauses = {TYPE_20},
     .title = "registering the same key in the same way again changes nothing")
{
  const TVMFFIByteArray *key = fenced_bytes("conform.Node", 12);
  TypePlan plan = {.slots = 2, .overflow = true};
  int32_t index = register_key(iut, key, plan);
  TVMFFITypeInfo before = *info_of(iut, index);
  for (int i = 0; i < 10; ++i) {
    note("the %d. time", i + 2);
    require(expect_int("the index", register_key(iut, key, plan), index));
  }
  expect_memory("the type information", info_of(iut, index), sizeof before, &before, sizeof before);
  note("a key that is new");
  expect_that(register_key(iut, fenced_bytes("conform.Edge", 12), plan) != index,
              "another index for another key", "the same");
}

static const struct {
  int32_t index, parent, depth;
  const char *key;
} known_built_ins[] = {{kTVMFFIObject, -1, 0, "ffi.Object"},
                       {kTVMFFIStr, kTVMFFIObject, 1, "ffi.String"},
                       {kTVMFFIMap, kTVMFFIObject, 1, "ffi.Map"}};

CASE(built_in_key_keeps_its_index, .clauses = {TYPE_2},
     .title = "registering a built-in key gives the built-in index")
{
  for (int i = 0; i < 3; ++i) {
    const char *key = known_built_ins[i].key;
    int32_t index = known_built_ins[i].index, depth = known_built_ins[i].depth;
    note("registering %s", key);
    expect_int("the index",
               iut->TypeGetOrAllocIndex(fenced_bytes(key, strlen(key)), index, depth, 0, 0,
                                        known_built_ins[i].parent),
               index);
    expect_int("the depth", info_of(iut, index)->type_depth, depth);
    expect_named(iut, index, key, strlen(key));
  }
}

// flashinfer#1913: a library and a copy of it of another age register one key differently while
// they are loaded.
static const struct {
  const char *name;
  int32_t static_index, depth, slots, overflow, parent;
} conflicts[] = {
    {"static_index", 120, 1, 2, 1, kTVMFFIObject},
    {"index_of_another_type", kTVMFFIArray, 1, 2, 1, kTVMFFIObject},
    {"index_out_of_range", INT32_MAX, 1, 2, 1, kTVMFFIObject},
    {"depth", -1, 7, 2, 1, kTVMFFIObject},
    {"negative_depth", -1, -1, 2, 1, kTVMFFIObject},
    {"more_slots", -1, 1, 5000, 1, kTVMFFIObject},
    {"negative_slots", -1, 1, -1, 1, kTVMFFIObject},
    {"no_overflow", -1, 1, 2, 0, kTVMFFIObject},
    {"another_parent", -1, 2, 2, 1, kTVMFFIVisitInterrupt},
    {"parent_without_children", -1, 2, 2, 1, kTVMFFIStr},
    {"no_parent", -1, 0, 2, 1, -1},
    {"unknown_parent", -1, 1, 2, 1, NO_TYPE},
};

CASE_ROWS(known_key_registered_differently_keeps_its_index, conflicts, .clauses = {TYPE_21},
          .wrong_call = true,
          .title =
              "registering a known key with other arguments gives the old index and changes "
              "nothing")
{
  const TVMFFIByteArray *key = fenced_bytes("conform.Node", 12);
  int32_t index = register_key(iut, key, (TypePlan){.slots = 2, .overflow = true});
  TVMFFITypeInfo before = *info_of(iut, index);
  note("the key again, differently");
  int32_t again = iut->TypeGetOrAllocIndex(key, row->static_index, row->depth, row->slots,
                                           row->overflow, row->parent);
  expect_int("the index", again, index);
  expect_index(iut, key, index);
  expect_memory("the type information", info_of(iut, index), sizeof before, &before, sizeof before);
  note("a child of the type");
  int32_t child = new_type(iut, "conform.Child", (TypePlan){.parent = index});
  expect_that(descends_from(iut, child, index), "a child of the type", "it is none");
}

CASE(built_in_key_registered_differently_keeps_its_index, .clauses = {TYPE_21}, .wrong_call = true,
     .title = "registering a built-in key as a type of another index gives the built-in index")
{
  for (int i = 0; i < 3; ++i) {
    int32_t index = known_built_ins[i].index, depth = info_of(iut, index)->type_depth;
    TVMFFIByteArray key = info_of(iut, index)->type_key;
    note("registering %.*s", (int)key.size, key.data);
    const TVMFFIByteArray *name = fenced_bytes(key.data, key.size);
    expect_int("the index with static index 120",
               iut->TypeGetOrAllocIndex(name, 120, 1, 0, 0, kTVMFFIObject), index);
    expect_int("the index with static index -1",
               iut->TypeGetOrAllocIndex(name, -1, 1, 4, 1, kTVMFFIObject), index);
    expect_int("the depth", info_of(iut, index)->type_depth, depth);
    expect_named(iut, index, name->data, name->size);
  }
}

//--------------------------------------------------------------------------------------------------
// Children and slots
//--------------------------------------------------------------------------------------------------

CASE(child_stands_one_level_below_its_parent, .clauses = {TYPE_22},
     .title = "children have the ancestors of their parent and the parent itself")
{
  int32_t parent = new_type(iut, "conform.Parent", (TypePlan){.slots = 1, .overflow = true});
  for (unsigned i = 0; i < 4; ++i) {
    note("child %u", i);
    const TVMFFITypeInfo *child =
        info_of(iut, new_numbered_type(iut, "conform.child", i, (TypePlan){.parent = parent}));
    require(expect_int("the depth", child->type_depth, 2));
    expect_pointer("the first ancestor", child->type_ancestors[0], info_of(iut, kTVMFFIObject));
    expect_pointer("the second ancestor", child->type_ancestors[1], info_of(iut, parent));
  }
}

typedef struct Family {
  int32_t index, slots;
} Family;

// A forest that grows at many ends at once: types with and without slots below older ones, some of
// which are full. The same in every run.
static unsigned grow_forest(Iut *iut, Family *types, unsigned count)
{
  types[0] = (Family){new_type(iut, "conform.root", (TypePlan){.slots = 9, .overflow = true}), 9};
  uint32_t chance = 1;
  for (unsigned i = 1; i < count; ++i) {
    chance = chance * 1664525 + 1013904223;
    unsigned of = (chance >> 16) % (i + 1);
    int32_t slots = (int32_t)(chance >> 8) % 7 - 2;
    TypePlan plan = {of == i ? kTVMFFIObject : types[of].index, slots < 0 ? 0 : slots, true};
    types[i] = (Family){new_numbered_type(iut, "conform.forest", i, plan), plan.slots};
    require(expect_that(types[i].index >= kTVMFFIDynObjectBegin, "an index of 128 or more",
                        "%" PRId32, types[i].index));
  }
  return count;
}

CASE(reserved_slots_go_to_descendants_only, .clauses = {TYPE_23, TYPE_19},
     .title = "with 150 types no index in the slots of a type belongs to an unrelated one")
{
  Family types[150];
  unsigned count = grow_forest(iut, types, 150);
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; j < count; ++j) {
      int32_t place = types[j].index - types[i].index;
      if (i == j || place < 0 || place > types[i].slots) continue;
      note("the type %u has %" PRId32 " slots; the type %u has its index plus %" PRId32, i,
           types[i].slots, j, place);
      expect_that(place != 0 && descends_from(iut, types[j].index, types[i].index),
                  "descendants only in the slots of a type", "another type");
    }
  expect_index(iut, fenced_bytes("conform.root", 12), types[0].index);
}

CASE(slots_stay_reserved_while_others_register, .clauses = {TYPE_23},
     .title = "slots that are not used yet are not given to others, and are used later")
{
  int32_t parent = new_type(iut, "conform.Parent", (TypePlan){.slots = 3});
  for (unsigned i = 0; i < 50; ++i) {
    int32_t other = new_numbered_type(iut, "conform.other", i, (TypePlan){.slots = (int32_t)i % 5});
    expect_that(other < parent || other > parent + 3, "an index outside the slots of another type",
                "%" PRId32 ", and the slots begin behind %" PRId32, other, parent);
  }
  for (unsigned i = 0; i < 3; ++i) {
    note("child %u of 3", i + 1);
    int32_t child = new_numbered_type(iut, "conform.child", i, (TypePlan){.parent = parent});
    expect_that(child > parent && child <= parent + 3, "an index in the slots of the parent",
                "%" PRId32 ", and the slots begin behind %" PRId32, child, parent);
  }
}

static const struct {
  const char *name;
  int32_t own, children, of_a_child;  // slots, number of children, slots of each of these
} closed_parents[] = {
    {"one_slot", 1, 1, 0},
    {"ten_slots", 10, 10, 0},
    {"children_with_slots", 12, 4, 2},
    {"one_child_takes_all", 5, 1, 4},
};

CASE_ROWS(children_of_a_closed_type_lie_in_its_slots, closed_parents, .clauses = {TYPE_24},
          .title =
              "children, and children of children, of types without overflow get indices in the "
              "slots of their parent, until these are used up")
{
  int32_t parent = new_type(iut, "conform.Parent", (TypePlan){.slots = row->own}), last = parent;
  for (int32_t i = 0; i < row->children; ++i) {
    TypePlan plan = {.parent = parent, .slots = row->of_a_child};
    int32_t child = new_numbered_type(iut, "conform.child", (unsigned)i, plan);
    note("child %" PRId32 " has %" PRId32, i, child);
    expect_that(child > parent && child <= parent + row->own, "an index in the slots of the parent",
                "%" PRId32 ", and %" PRId32 " slots begin behind %" PRId32, child, row->own,
                parent);
    expect_that(child != last, "an index of its own", "that of the child before");
    for (int32_t j = 0; j < row->of_a_child; ++j) {
      plan = (TypePlan){.parent = child};
      int32_t below = new_numbered_type(iut, "conform.below", (unsigned)(100 * i + j), plan);
      expect_that(below > child && below <= child + row->of_a_child,
                  "an index in the slots of the child", "%" PRId32, below);
    }
    last = child;
  }
}

static const struct {
  const char *name;
  int32_t slots;
} open_parents[] = {{"no_slot", 0}, {"one_slot", 1}, {"three_slots", 3}};

CASE_ROWS(parent_that_allows_it_has_more_children_than_slots, open_parents, .clauses = {TYPE_25},
          .title = "a type with overflow gets 20 children, each with an index of its own")
{
  enum { CHILDREN = 20 };
  int32_t children[CHILDREN];
  int32_t parent =
      new_type(iut, "conform.Parent", (TypePlan){.slots = row->slots, .overflow = true});
  for (unsigned i = 0; i < CHILDREN; ++i) {
    note("child %u", i + 1);
    children[i] = new_numbered_type(iut, "conform.child", i, (TypePlan){.parent = parent});
    const TVMFFITypeInfo *info = info_of(iut, children[i]);
    expect_int("the index in the information", info->type_index, children[i]);
    require(expect_int("the depth", info->type_depth, 2));
    expect_pointer("the parent", info->type_ancestors[1], info_of(iut, parent));
    for (unsigned j = 0; j < i; ++j)
      expect_that(children[j] != children[i], "an index of its own", "that of child %u", j + 1);
  }
}

//--------------------------------------------------------------------------------------------------
// Static indices
//--------------------------------------------------------------------------------------------------

static const int32_t static_indices[] = {79, 100, 110, 127};

CASE(static_index_is_given_as_asked_for, .clauses = {TYPE_26},
     .title = "types registered with the static indices 79, 100, 110 and 127 get them")
{
  for (int i = 0; i < 4; ++i) {
    int32_t wanted = static_indices[i];
    char text[32];
    size_t size = (size_t)snprintf(text, sizeof text, "conform.static.%" PRId32, wanted);
    note("registering %s", text);
    const TVMFFIByteArray *key = fenced_bytes(text, size);
    require(expect_int("the index", iut->TypeGetOrAllocIndex(key, wanted, 1, 0, 1, kTVMFFIObject),
                       wanted));
    expect_index(iut, key, wanted);
    expect_named(iut, wanted, text, size);
    require(expect_int("the depth", info_of(iut, wanted)->type_depth, 1));
    expect_pointer("the parent", info_of(iut, wanted)->type_ancestors[0],
                   info_of(iut, kTVMFFIObject));
  }
}

CASE(type_may_be_a_root, .clauses = {TYPE_64},
     .title = "a type with static index 103, depth 0 and parent -1 gets its index and no ancestor")
{
  const TVMFFIByteArray *key = fenced_bytes("conform.Root", 12);
  require(expect_int("the index", iut->TypeGetOrAllocIndex(key, 103, 0, 0, 1, -1), 103));
  expect_index(iut, key, 103);
  expect_named(iut, 103, "conform.Root", 12);
  expect_int("the depth", info_of(iut, 103)->type_depth, 0);
}

CASE(static_type_may_have_children, .clauses = {TYPE_26, TYPE_22},
     .title = "a type with a static index is parent to one with a static index and to others")
{
  int32_t parent =
      iut->TypeGetOrAllocIndex(fenced_bytes("conform.P", 9), 100, 1, 0, 1, kTVMFFIObject);
  require(expect_int("the index of the parent", parent, 100));
  int32_t child = iut->TypeGetOrAllocIndex(fenced_bytes("conform.C", 9), 120, 2, 0, 1, parent);
  require(expect_int("the index of the child", child, 120));
  expect_that(descends_from(iut, child, parent), "a child of the parent", "it is none");
  child = new_type(iut, "conform.D", (TypePlan){.parent = parent});
  expect_that(descends_from(iut, child, parent), "a child of the parent", "it is none");
}

CASE(static_index_may_be_among_the_slots_of_an_ancestor, .clauses = {TYPE_26, TYPE_22},
     .title = "a free static index among the slots of an ancestor is given to a descendant")
{
  int32_t above =
      iut->TypeGetOrAllocIndex(fenced_bytes("conform.G", 9), 100, 1, 10, 1, kTVMFFIObject);
  require(expect_int("the index of the ancestor", above, 100));
  int32_t parent = iut->TypeGetOrAllocIndex(fenced_bytes("conform.P", 9), 102, 2, 0, 1, above);
  require(expect_int("the index of the parent", parent, 102));
  int32_t child = iut->TypeGetOrAllocIndex(fenced_bytes("conform.C", 9), 105, 3, 0, 1, parent);
  require(expect_int("the index of the child", child, 105));
  expect_that(descends_from(iut, child, above), "a descendant of the ancestor", "it is none");
}

//--------------------------------------------------------------------------------------------------
// Asking, and many
//--------------------------------------------------------------------------------------------------

CASE(asking_registers_nothing, .clauses = {TYPE_27},
     .title = "with parent -2 a known key gives its index, and an unknown one -2 and stays unknown")
{
  const TVMFFIByteArray *key = fenced_bytes("conform.Node", 12);
  for (int i = 0; i < 3; ++i) {
    note("asking for an unknown key");
    expect_int("the answer", iut->TypeGetOrAllocIndex(key, -1, 0, 0, 0, -2), -2);
    expect_no_error(iut);
    expect_unknown(iut, key);
  }
  note("asking for a key that was registered");
  int32_t index = register_key(iut, key, (TypePlan){.slots = 0});
  expect_int("the answer", iut->TypeGetOrAllocIndex(key, -1, 0, 0, 0, -2), index);
  expect_no_error(iut);
}

CASE(thousands_of_types_can_be_registered, .clauses = {TYPE_28},
     .title = "of 4000 types each key leads to its index and each index to its key")
{
  enum { TYPES = 4000 };
  static int32_t indices[TYPES];
  for (unsigned i = 0; i < TYPES; ++i)
    indices[i] = new_numbered_type(iut, "conform.many", i, (TypePlan){.slots = (int32_t)i % 2});
  char text[32];
  for (unsigned i = 0; i < TYPES; ++i) {
    TVMFFIByteArray key = {text, (size_t)snprintf(text, sizeof text, "conform.many.%u", i)};
    int32_t index = -1;
    if (iut->TypeKeyToIndex(&key, &index) == 0 && index == indices[i]) continue;
    expect_that(false, "the index that was given", "%" PRId32 " for %s", index, text);
  }
  for (unsigned i = 0; i < TYPES; ++i) {
    size_t size = (size_t)snprintf(text, sizeof text, "conform.many.%u", i);
    const TVMFFIByteArray *key = &info_of(iut, indices[i])->type_key;
    require(expect_memory("the key", key->data, key->size, text, size));
  }
}
