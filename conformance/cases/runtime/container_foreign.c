// SPDX-License-Identifier: Apache-2.0
// Lists and dicts that compiled C++ code has changed by itself: it puts memory of its own there,
// with a deleter of its own. What that code writes is written here.
#include "cases/runtime/container_layout.h"

#include "cases/runtime/container_map.h"

CHAPTER(container);

// --- The memory of others ------------------------------------------------------------------------

// Room for 64 values or for two blocks of a map. It is not from malloc: freeing it is a crash.
static _Alignas(MapBlock) unsigned char foreign[2 * sizeof(MapBlock)];
static unsigned foreign_deletions;
// What stood at offset 48 before. A deleter may be left in place for memory of the runtime's own.
static void (*former_deleter)(void *data);

static void delete_foreign(void *data)
{
  if (data == foreign)
    ++foreign_deletions;
  else
    former_deleter(data);
}

// Moves `size` bytes from `*data` into the foreign memory, as others do.
static void move_out(void **data, size_t size, void (**deleter)(void *data))
{
  memcpy(foreign, *data, size);
  former_deleter = *deleter;
  if (former_deleter) former_deleter(*data);
  *data = foreign;
  *deleter = delete_foreign;
}

// --- Lists ---------------------------------------------------------------------------------------

static const struct {
  const char *name;
  const char *change;  // NULL: the list dies
  size_t arguments;
} list_ends[] = {{"it-dies", NULL, 0},
                 {"it-grows", "ffi.ListAppend", 2},
                 {"it-grows-inside", "ffi.ListInsert", 3},
                 {"it-grows-by-a-slice", "ffi.ListReplaceSlice", 4}};

CASE_ROWS(list_memory_is_freed_by_its_deleter, list_ends, .clauses = {CON_22},
          .title =
              "elements that lie in memory of others are given to the deleter in the list, "
              "once, when the list leaves them behind")
{
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny object = view_of_object(iut, probe), zero = view_of_int(0);
  TVMFFIAny list = value_of(iut, "ffi.List", VALUES(zero, object, object));
  TVMFFISeqCell *cell = sequence_cell(iut, list.v_obj);
  move_out(&cell->data, 3 * sizeof(TVMFFIAny), &cell->data_deleter);
  cell->capacity = 3;
  expect_gives(iut, zero, "ffi.ListGetItem", VALUES(list, zero));
  expect_int("calls of the deleter while the list is read", foreign_deletions, 0);
  TVMFFIAny args[4] = {list, zero, zero, list};
  if (row->change) {
    value_of(iut, row->change, args, row->arguments);
    expect_that(cell->data != foreign, "new memory", "the list did not leave its full memory");
    expect_int("calls of the deleter when it grew", foreign_deletions, 1);
    expect_that(cell->size > 3 && cell->capacity >= cell->size, "a list that has grown",
                "size %" PRId64 ", capacity %" PRId64, cell->size, cell->capacity);
  }
  release_any(iut, &list);
  expect_int("calls of the deleter in all", foreign_deletions, 1);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
}

CASE(list_memory_has_a_deleter, .clauses = {CON_22},
     .title = "a list that has grown to 1000 elements has a deleter for them")
{
  TVMFFIAny list = value_of(iut, "ffi.List", VALUES()), none = any_none();
  TVMFFIObjectHandle append = registered(iut, "ffi.ListAppend");
  TVMFFISeqCell *cell = sequence_cell(iut, list.v_obj);
  for (int i = 0; i < 1000; ++i) {
    TVMFFIAny result = any_none();
    iut->FunctionCall(append, VALUES(list, none), &result);
  }
  require(expect_int("size of the list", cell->size, 1000));
  expect_that(cell->data_deleter != NULL, "a deleter", "NULL");
  release_object(iut, append);
  release_any(iut, &list);
}

// What compiled code does when it grows a list.
static void grow_by_malloc(TVMFFISeqCell *cell, int64_t capacity)
{
  void *data = malloc((size_t)capacity * sizeof(TVMFFIAny));
  if (!data) case_inconclusive("no memory for a list");
  memcpy(data, cell->data, (size_t)cell->size * sizeof(TVMFFIAny));
  cell->data_deleter(cell->data);
  cell->data = data;
  cell->capacity = capacity;
}

static TVMFFIObjectHandle grown_append;

// Grown by others, then by the library, then by others again.
static void use_grown_list(Iut *iut, void *element)
{
  TVMFFIAny list = value_of(iut, "ffi.List", VALUES(*(TVMFFIAny *)element, view_of_int(7)));
  TVMFFISeqCell *cell = sequence_cell(iut, list.v_obj);
  if (cell->data_deleter) grow_by_malloc(cell, 6);
  for (int i = 0; i < 10; ++i) {
    TVMFFIAny result = any_none();
    iut->FunctionCall(grown_append, VALUES(list, view_of_int(i)), &result);
  }
  if (cell->data_deleter) grow_by_malloc(cell, 200);
  value_of(iut, "ffi.ListErase", VALUES(list, view_of_int(0)));
  release_any(iut, &list);
}

CASE(list_may_have_been_grown_by_others, .clauses = {CON_61},
     .title =
         "a list that lies in memory from malloc, under the library's own deleter, can be read, "
         "grown and released, and nothing is left")
{
  TVMFFIAny list = value_of(iut, "ffi.List", VALUES(view_of_int(5), view_of_int(6)));
  TVMFFISeqCell *cell = sequence_cell(iut, list.v_obj);
  if (!cell->data_deleter) case_not_concerned("the library keeps short lists inside the object");
  grow_by_malloc(cell, 4);
  for (int i = 0; i < 10; ++i) {
    value_of(iut, "ffi.ListAppend", VALUES(list, view_of_int(7 + i)));
    expect_gives(iut, view_of_int(5), "ffi.ListGetItem", VALUES(list, view_of_int(0)));
    expect_gives(iut, view_of_int(7 + i), "ffi.ListGetItem", VALUES(list, view_of_int(2 + i)));
  }
  release_any(iut, &list);
  note("over and over");
  TVMFFIAny element = new_text(iut, kTVMFFIStr, "longer than a small one");
  grown_append = registered(iut, "ffi.ListAppend");
  ExpectedCounts before = counts_of(iut, element.v_obj);
  expect_no_heap_growth(iut, 100, use_grown_list, &element);
  expect_counts_added(iut, element.v_obj, before, 0);
  release_object(iut, grown_append);
  release_any(iut, &element);
}

// --- Dicts ---------------------------------------------------------------------------------------

// Own: a map or dict of the integers 0 to 11, which lead to themselves, in memory of others.
static TVMFFIAny new_foreign_map(Iut *iut, const char *maker, TVMFFIAny value)
{
  TVMFFIAny args[24];
  for (int i = 0; i < 12; ++i) args[2 * i] = view_of_int(i), args[2 * i + 1] = view_of_int(i);
  args[1] = value;
  TVMFFIAny map = value_of(iut, maker, args, 24);
  MapBody *body = map_body(iut, map.v_obj);
  require(expect_that(!map_is_small(body), "a dense map of 12 entries", "a small one"));
  if (body->slots > 2 * MAP_BLOCK)
    case_not_concerned("the library gives 12 entries %" PRIu64 " slots", body->slots);
  expect_that(body->data_deleter != NULL, "a deleter in a dense map", "NULL");
  size_t blocks = (body->slots + MAP_BLOCK - 1) / MAP_BLOCK;
  move_out(&body->data, blocks * sizeof(MapBlock), &body->data_deleter);
  return map;
}

static const struct {
  const char *name;
  const MapKind *kind;
  enum { DIES, GROWS, CLEARED } end;
} map_ends[] = {{"map-dies", &the_map, DIES},
                {"dict-dies", &the_dict, DIES},
                {"dict-grows", &the_dict, GROWS},
                {"dict-is-cleared", &the_dict, CLEARED}};

CASE_ROWS(map_memory_is_freed_by_its_deleter, map_ends, .clauses = {CON_51},
          .title =
              "entries that lie in memory of others are given to the deleter in the object, "
              "once, when they are left behind")
{
  if (row->kind == &the_map && !is_registered(iut, "ffi.Dict"))
    case_not_applicable("no function is registered as ffi.Dict");
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny map = new_foreign_map(iut, row->kind->make, view_of_object(iut, probe));
  MapBody *body = map_body(iut, map.v_obj);
  for (int i = 1; i < 12; ++i) expect_entry(iut, row->kind, map, view_of_int(i), view_of_int(i));
  expect_int("calls of the deleter while the map is read", foreign_deletions, 0);
  for (int i = 12; row->end == GROWS && i < 80; ++i) {
    value_of(iut, "ffi.DictSetItem", VALUES(map, view_of_int(i), view_of_int(i)));
    require(expect_int("calls of the deleter", foreign_deletions, body->data != foreign));
  }
  if (row->end == GROWS) {
    expect_int("calls of the deleter when it grew", foreign_deletions, 1);
    for (int i = 1; i < 80; ++i) expect_entry(iut, row->kind, map, view_of_int(i), view_of_int(i));
  }
  if (row->end == CLEARED) {
    value_of(iut, "ffi.DictClear", VALUES(map));
    expect_counts(iut, probe, .strong = 1, .weak = 1);
    expect_int("calls of the deleter", foreign_deletions, body->data != foreign);
  }
  release_any(iut, &map);
  expect_int("calls of the deleter in all", foreign_deletions, 1);
  expect_counts(iut, probe, .strong = 1, .weak = 1);
}

// Puts an entry into a slot, behind all others.
static void put_item(MapBody *body, uint64_t slot, uint8_t byte, const MapEntry *entry)
{
  *map_byte(body, slot) = byte;
  *map_item(body, slot) = (MapItem){entry->key, entry->value, body->last, MAP_NONE};
  if (body->last == MAP_NONE)
    body->first = slot;
  else
    map_item(body, body->last)->next = slot;
  body->last = slot;
  ++body->size;
}

// Puts an entry into the foreign blocks behind all others, as compiled code does; its chain has
// room.
static void link_entry(Iut *iut, MapBody *body, const MapEntry *entry)
{
  uint64_t slot = map_first_slot(body, map_hash(iut, &entry->key));
  uint8_t byte = 0;
  if (*map_byte(body, slot) != MAP_EMPTY) {
    *map_byte(body, slot) |= 1;
    slot = (slot + 1) % body->slots;
    byte = 128;
  }
  put_item(body, slot, byte, entry);
}

// --- Far jumps -----------------------------------------------------------------------------------

enum { MANY_SLOTS = 4096 };
static MapBlock many_blocks[MANY_SLOTS / MAP_BLOCK];

static void keep_blocks(void *data)
{
  if (data != many_blocks) former_deleter(data);
}

// Makes a dense dict of 4096 slots out of a small one of two entries of one chain, in which this
// jump leads from the first to the second.
static void make_dense_with_jump(Iut *iut, MapBody *body, uint8_t jump)
{
  MapEntry entries[2];
  memcpy(entries, body->data, sizeof entries);
  memset(many_blocks, MAP_EMPTY, sizeof many_blocks);
  if (body->data_deleter) body->data_deleter(body->data);
  former_deleter = free;
  *body = (MapBody){many_blocks, 0, MANY_SLOTS, keep_blocks, 52, MAP_NONE, MAP_NONE};
  uint64_t slot = map_first_slot(body, map_hash(iut, &entries[0].key));
  put_item(body, slot, jump, &entries[0]);
  put_item(body, (slot + map_jump(jump)) % MANY_SLOTS, 128, &entries[1]);
}

// Makes a dense dict of 16 slots out of a small one of two entries.
static void make_dense(Iut *iut, MapBody *body)
{
  MapEntry entries[2];
  memcpy(entries, body->data, sizeof entries);
  memset(foreign, MAP_EMPTY, sizeof foreign);
  void (*deleter)(void *) = body->data_deleter;
  if (deleter) deleter(body->data);
  former_deleter = free;
  *body = (MapBody){foreign, 0, MAP_BLOCK, delete_foreign, 60, MAP_NONE, MAP_NONE};
  for (int i = 0; i < 2; ++i) link_entry(iut, body, &entries[i]);
}

typedef struct Walk {
  int64_t keys[4];
} Walk;

static void expect_walked_key(Iut *iut, int64_t place, TVMFFIAny key, TVMFFIAny value,
                              void *context)
{
  expect_int("a key on the walk", key.v_int64, ((Walk *)context)->keys[place]);
  release_any(iut, &value);
}

static const struct {
  const char *name;
  int64_t first, second;  // keys
  int more;               // entries that are set afterwards
} switched[] = {
    {"read", 1, 2, 0}, {"read-one-chain", 0, 0, 0}, {"changed", 5, 9, 3}, {"grown", 5, 9, 60}};

// A key other than `key` whose chain begins at the same slot.
static int64_t key_of_the_same_chain(Iut *iut, int64_t key, uint32_t shift)
{
  MapBody body = {.shift = shift};
  TVMFFIAny value = view_of_int(key);
  uint64_t slot = map_first_slot(&body, map_hash(iut, &value));
  do {
    ++value.v_int64;
  } while (map_first_slot(&body, map_hash(iut, &value)) != slot);
  return value.v_int64;
}

CASE_ROWS(
    dict_may_have_been_switched_by_others, switched, .clauses = {CON_52},
    .title = "a small dict that compiled code has made dense can be read, changed and released")
{
  int64_t second = row->second ? row->second : key_of_the_same_chain(iut, row->first, 60);
  TVMFFIAny keys[] = {view_of_int(row->first), view_of_int(second)};
  TVMFFIObjectHandle probe = new_probe_object(iut);
  TVMFFIAny object = view_of_object(iut, probe);
  TVMFFIAny dict = value_of(iut, "ffi.Dict", VALUES(keys[0], view_of_int(70), keys[1], object));
  MapBody *body = map_body(iut, dict.v_obj);
  if (!map_is_small(body)) case_not_concerned("the library makes no small dict of two entries");
  make_dense(iut, body);
  expect_gives(iut, view_of_int(2), "ffi.DictSize", VALUES(dict));
  expect_entry(iut, &the_dict, dict, keys[0], view_of_int(70));
  expect_no_entry(iut, &the_dict, dict, view_of_int(1000));
  TVMFFIAny value = value_of(iut, "ffi.DictGetItem", VALUES(dict, keys[1]));
  expect_pointer("value of the second key", value.v_obj, probe);
  release_any(iut, &value);
  Walk walk = {{row->first, second}};
  expect_walk(iut, &the_dict, dict, 2, expect_walked_key, &walk);
  for (int i = 0; i < row->more; ++i)
    value_of(iut, "ffi.DictSetItem", VALUES(dict, view_of_int(200 + i), view_of_int(i)));
  for (int i = 0; i < row->more; ++i)
    expect_entry(iut, &the_dict, dict, view_of_int(200 + i), view_of_int(i));
  value_of(iut, "ffi.DictErase", VALUES(dict, keys[1]));
  expect_counts(iut, probe, .strong = 1, .weak = 1);
  expect_entry(iut, &the_dict, dict, keys[0], view_of_int(70));
  expect_gives(iut, view_of_int(1 + row->more), "ffi.DictSize", VALUES(dict));
  release_any(iut, &dict);
  expect_int("calls of the deleter", foreign_deletions, 1);
}

CASE(dense_dict_is_read_by_every_jump, .clauses = {CON_45, CON_52},
     .title = "in a dense dict that compiled code has made, each of the 125 jumps is followed")
{
  TVMFFIAny first = view_of_int(1);
  TVMFFIAny second = view_of_int(key_of_the_same_chain(iut, 1, 52));
  for (int jump = 1; jump < 126; ++jump) {
    if (map_jump((uint8_t)jump) % MANY_SLOTS == 0) continue;
    TVMFFIAny dict =
        value_of(iut, "ffi.Dict", VALUES(first, view_of_int(70), second, view_of_int(71)));
    MapBody *body = map_body(iut, dict.v_obj);
    if (!map_is_small(body)) case_not_concerned("the library makes no small dict of two entries");
    make_dense_with_jump(iut, body, (uint8_t)jump);
    note("a chain with the jump %d", jump);
    expect_entry(iut, &the_dict, dict, first, view_of_int(70));
    expect_entry(iut, &the_dict, dict, second, view_of_int(71));
    value_of(iut, "ffi.DictErase", VALUES(dict, first));
    expect_no_entry(iut, &the_dict, dict, first);
    expect_entry(iut, &the_dict, dict, second, view_of_int(71));
    release_any(iut, &dict);
  }
}
