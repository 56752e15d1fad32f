// SPDX-License-Identifier: Apache-2.0
#include "report/report_shape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum ShapeKind {
  SHAPE_TEXT,    // of a form, if one is given
  SHAPE_WORD,    // one of `words`
  SHAPE_COUNT,   // a whole number, `least` or more
  SHAPE_CODE,    // an exit code
  SHAPE_FLAG,    // true or false
  SHAPE_OBJECT,  // with the members of `of`
  SHAPE_TEXTS,   // a list of texts, all of the form
  SHAPE_WORDS,   // a list of such words
  SHAPE_LIST,    // a list of objects with the members of `of`
} ShapeKind;

// A form of a text, and how it is called in a message.
typedef struct ShapeForm {
  bool (*holds)(const char *text);
  const char *expected;
} ShapeForm;

typedef struct ShapeMember {
  const char *name;  // NULL ends a list of members
  ShapeKind kind;
  bool nullable;
  bool optional;  // it may be left out
  const ShapeForm *form;
  const char *words;  // "MUST SHOULD"
  json_int_t least;   // of a count; of a list: items
  size_t most;        // of a list: items; 0: any number
  bool unique;        // of a list of texts or words: none is there twice
  const struct ShapeMember *of;
} ShapeMember;

// --- Forms of texts ------------------------------------------------------------------------------

static bool is_made_of(const char *text, const char *letters)
{
  return *text && text[strspn(text, letters)] == '\0';
}

#define DIGITS "0123456789"
#define HEX_DIGITS DIGITS "abcdef"

static bool is_filled(const char *text)
{
  return *text != '\0';
}

static bool is_hex(const char *text)
{
  return is_made_of(text, HEX_DIGITS);
}

static bool is_digest(const char *text)
{
  return is_hex(text) && strlen(text) == 16;
}

static bool is_sha256(const char *text)
{
  return is_hex(text) && strlen(text) == 64;
}

static bool is_address(const char *text)
{
  return strncmp(text, "0x", 2) == 0 && is_hex(text + 2);
}

static bool is_seed(const char *text)
{
  return *text != '0' && is_made_of(text, DIGITS);
}

static bool is_version(const char *text)
{
  for (int part = 0; part < 3; ++part) {
    size_t digits = strspn(text, DIGITS);
    if (digits == 0 || text[digits] != (part < 2 ? '.' : '\0')) return false;
    text += digits + 1;
  }
  return true;
}

static bool is_function(const char *text)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS;
  return strncmp(text, "TVMFFI", 6) == 0 && is_made_of(text + 6, letters);
}

static bool is_clause_id(const char *text)
{
  size_t letters = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return letters > 0 && text[letters] == '-' && is_made_of(text + letters + 1, DIGITS);
}

// Two words or more with points between them.
static bool is_case_id(const char *text)
{
  size_t words = 0;
  for (;; ++text) {
    size_t length = strcspn(text, ". \t\n\r\f\v");
    if (length == 0) return false;
    ++words;
    text += length;
    if (*text != '.') return *text == '\0' && words > 1;
  }
}

// As text: a digit for 'd', else the letter itself.
static bool is_like(const char *text, const char *pattern)
{
  for (; *pattern && *text; ++pattern, ++text)
    if (*pattern == 'd' ? !strchr(DIGITS, *text) : *pattern != *text) return false;
  return !*pattern && !*text;
}

static bool is_date(const char *text)
{
  return is_like(text, "dddd-dd-dd");
}

static bool is_time(const char *text)
{
  enum { SECONDS = sizeof "2026-11-21T08:11:35" - 1 };
  char whole[SECONDS + 1];
  if (strlen(text) <= SECONDS) return false;
  memcpy(whole, text, SECONDS);
  whole[SECONDS] = '\0';
  if (!is_like(whole, "dddd-dd-ddTdd:dd:dd")) return false;
  const char *rest = text + SECONDS;
  if (*rest == '.') {
    size_t digits = strspn(rest + 1, DIGITS);
    if (digits == 0) return false;
    rest += 1 + digits;
  }
  return strcmp(rest, "Z") == 0;
}

// 16 bytes, each of two hexadecimal digits, ".." or "**".
static bool is_value(const char *text)
{
  for (int i = 0; i < 16; ++i, text += 2) {
    if (!text[0] || !text[1]) return false;
    bool hex = strchr(HEX_DIGITS, text[0]) && strchr(HEX_DIGITS, text[1]);
    bool mark = (text[0] == '.' || text[0] == '*') && text[0] == text[1];
    if (!hex && !mark) return false;
  }
  return *text == '\0';
}

static const ShapeForm filled = {is_filled, "a text that is not empty"};
static const ShapeForm hex = {is_hex, "hexadecimal digits"};
static const ShapeForm digest = {is_digest, "16 hexadecimal digits"};
static const ShapeForm sha256 = {is_sha256, "64 hexadecimal digits"};
static const ShapeForm address = {is_address, "an address, as in \"0x8\""};
static const ShapeForm seed = {is_seed, "a whole number from 1, as a text"};
static const ShapeForm version = {is_version, "a version, as in \"0.1.9\""};
static const ShapeForm function = {is_function, "the name of a function of the C API"};
static const ShapeForm clause_id = {is_clause_id, "the id of a clause, as in \"ANY-4\""};
static const ShapeForm case_id = {is_case_id, "the id of a case, as in \"any.one\""};
static const ShapeForm date = {is_date, "a date, as in \"2027-01-31\""};
static const ShapeForm moment = {is_time, "a time, as in \"2027-01-31T12:00:00Z\""};
static const ShapeForm value = {is_value, "16 bytes in hexadecimal"};

// --- The tables ----------------------------------------------------------------------------------

#define TEXT(key, ...)                           \
  {                                              \
    .name = key, .kind = SHAPE_TEXT, __VA_ARGS__ \
  }
#define ANY_TEXT(key)               \
  {                                 \
    .name = key, .kind = SHAPE_TEXT \
  }
#define ANY_TEXTS(key)               \
  {                                  \
    .name = key, .kind = SHAPE_TEXTS \
  }
#define WORD(key, ...)                                    \
  {                                                       \
    .name = key, .kind = SHAPE_WORD, .words = __VA_ARGS__ \
  }
#define COUNT(key)                   \
  {                                  \
    .name = key, .kind = SHAPE_COUNT \
  }
#define FROM_ONE(key)                            \
  {                                              \
    .name = key, .kind = SHAPE_COUNT, .least = 1 \
  }
#define FLAG(key)                   \
  {                                 \
    .name = key, .kind = SHAPE_FLAG \
  }
#define OBJECT(key, ...)                                 \
  {                                                      \
    .name = key, .kind = SHAPE_OBJECT, .of = __VA_ARGS__ \
  }
#define TEXTS(key, ...)                           \
  {                                               \
    .name = key, .kind = SHAPE_TEXTS, __VA_ARGS__ \
  }
#define WORDS(key, list, ...)                                    \
  {                                                              \
    .name = key, .kind = SHAPE_WORDS, .words = list, __VA_ARGS__ \
  }
#define LIST(key, ...)                                 \
  {                                                    \
    .name = key, .kind = SHAPE_LIST, .of = __VA_ARGS__ \
  }
#define END      \
  {              \
    .name = NULL \
  }
// After one of the above.
#define OR_NULL .nullable = true
#define OR_LEFT_OUT .optional = true
#define FORM(which) .form = &(which)
#define EACH_ONCE .unique = true

static const ShapeMember suite[] = {WORD("name", "tvmffi-conform"), TEXT("version", FORM(filled)),
                                    TEXT("clauses_digest", FORM(digest)),
                                    TEXT("battery_digest", FORM(digest)), END};

static const ShapeMember functions[] = {COUNT("present"), COUNT("known"),
                                        TEXTS("missing", FORM(function), EACH_ONCE), END};

static const ShapeMember library[] = {
    TEXT("name", FORM(filled)),
    TEXT("sha256", FORM(sha256)),
    TEXT("build_id", FORM(hex), OR_NULL),
    TEXT("soname", FORM(filled), OR_NULL),
    ANY_TEXT("machine"),
    TEXT("reported_version", FORM(version), OR_NULL),
    WORD("profile", "runtime module"),
    WORD("generation", "0.1 2025-09"),
    OBJECT("functions", functions, OR_NULL),
    WORDS("sanitizers", "address thread memory undefined", EACH_ONCE),
    END};

static const ShapeMember environment[] = {ANY_TEXT("os"),   ANY_TEXT("kernel"), ANY_TEXT("machine"),
                                          ANY_TEXT("libc"), FROM_ONE("cpus"),   END};

static const ShapeMember shard[] = {FROM_ONE("index"), FROM_ONE("count"), END};

static const ShapeMember selection[] = {ANY_TEXTS("filters"),
                                        ANY_TEXTS("excludes"),
                                        WORD("level", "MUST SHOULD"),
                                        FLAG("strict"),
                                        OBJECT("shard", shard, OR_NULL),
                                        TEXT("shuffle", FORM(seed), OR_NULL),
                                        FROM_ONE("repeat"),
                                        END};

static const ShapeMember standings[] = {COUNT("holds"), COUNT("judged"), END};

static const ShapeMember totals[] = {COUNT("cases"),
                                     COUNT("run"),
                                     COUNT("not_run"),
                                     COUNT("pass"),
                                     COUNT("fail"),
                                     COUNT("skip"),
                                     COUNT("inconclusive"),
                                     COUNT("xfail"),
                                     COUNT("xpass"),
                                     COUNT("crashed"),
                                     COUNT("exited"),
                                     COUNT("timed_out"),
                                     COUNT("warnings"),
                                     COUNT("skip_reasons"),
                                     OBJECT("must_clauses", standings),
                                     OBJECT("should_clauses", standings),
                                     END};

static const ShapeMember clause[] = {TEXT("id", FORM(clause_id)),
                                     WORD("level", "MUST SHOULD"),
                                     WORD("standing", "holds broken not_judged"),
                                     TEXT("chapter", FORM(filled)),
                                     TEXT("title", FORM(filled)),
                                     TEXT("text", FORM(filled)),
                                     ANY_TEXT("source"),
                                     ANY_TEXT("since"),
                                     TEXT("until", OR_NULL),
                                     END};

static const ShapeMember failure[] = {ANY_TEXT("what"),
                                      ANY_TEXT("expected"),
                                      ANY_TEXT("seen"),
                                      ANY_TEXT("note"),
                                      ANY_TEXT("source"),
                                      TEXT("expected_bytes", FORM(value), OR_NULL),
                                      TEXT("seen_bytes", FORM(value), OR_NULL),
                                      END};

static const ShapeMember crash[] = {TEXT("signal", FORM(filled)),
                                    TEXT("address", FORM(address), OR_NULL), TEXT("where", OR_NULL),
                                    TEXT("fence", OR_NULL), END};

static const ShapeMember output[] = {ANY_TEXT("text"), COUNT("bytes"), END};

static const ShapeMember waiver[] = {TEXT("reason", FORM(filled)), TEXT("url", OR_NULL),
                                     TEXT("expires", FORM(date), OR_NULL), END};

static const ShapeMember expectations[] = {COUNT("held"), COUNT("failed"), END};

static const ShapeMember test_case[] = {
    TEXT("id", FORM(case_id)),
    TEXT("title", FORM(filled)),
    TEXTS("clauses", FORM(clause_id), .least = 1),
    WORD("level", "MUST SHOULD"),
    WORD("verdict", "pass fail skip inconclusive xfail xpass"),
    WORD("fail_kind", "expectation crash exit timeout", OR_NULL),
    ANY_TEXT("reason"),
    COUNT("duration_us"),
    OBJECT("expectations", expectations),
    LIST("evidence", failure, .most = 8),
    OBJECT("crash", crash, OR_NULL),
    OBJECT("output", output, OR_NULL),
    OBJECT("waiver", waiver, OR_NULL),
    END};

static const ShapeMember device[] = {TEXT("asked", FORM(filled)), FLAG("found"), ANY_TEXT("text"),
                                     END};

static const ShapeMember report[] = {WORD("format", REPORT_FORMAT),
                                     OBJECT("suite", suite),
                                     OBJECT("library", library),
                                     OBJECT("environment", environment),
                                     OBJECT("selection", selection),
                                     WORD("isolation", "fork exec"),
                                     FROM_ONE("jobs"),
                                     OBJECT("device", device, OR_LEFT_OUT),
                                     TEXT("started_at", FORM(moment)),
                                     COUNT("duration_us"),
                                     FLAG("complete"),
                                     FLAG("conforms"),
                                     {.name = "exit_code", .kind = SHAPE_CODE},
                                     OBJECT("totals", totals),
                                     ANY_TEXTS("unmatched_waivers"),
                                     LIST("clauses", clause),
                                     LIST("cases", test_case),
                                     END};

// --- Holding a value against them ----------------------------------------------------------------
// The tables end after five levels, and with them the recursion.

typedef struct Shape {
  InspectJsonPlace *place;
  char *what;
  size_t what_size;
} Shape;

static bool refuse(Shape *shape, const char *before, const char *expected, const char *after)
{
  snprintf(shape->what, shape->what_size, "%s%s%s", before, expected, after);
  return false;
}

static bool is_word(const char *words, const char *text)
{
  size_t length = strlen(text);
  while (*words) {
    size_t word = strcspn(words, " ");
    if (word == length && memcmp(words, text, word) == 0) return true;
    words += word + (words[word] == ' ');
  }
  return false;
}

static bool check_text(Shape *shape, const ShapeMember *member, const json_t *text)
{
  if (!json_is_string(text)) return refuse(shape, "has to be ", "a text", "");
  const ShapeForm *form = member->form;
  if (!form || form->holds(json_string_value(text))) return true;
  return refuse(shape, "has to be ", form->expected, "");
}

static bool check_word(Shape *shape, const ShapeMember *member, const json_t *text)
{
  if (json_is_string(text) && is_word(member->words, json_string_value(text))) return true;
  bool many = strchr(member->words, ' ') != NULL;
  return refuse(shape, many ? "has to be one of: " : "has to be ", member->words, "");
}

static bool check_number(Shape *shape, const ShapeMember *member, const json_t *number)
{
  if (json_is_integer(number) && json_integer_value(number) >= member->least) return true;
  return refuse(shape, "has to be a whole number from ", member->least ? "1" : "0", " on");
}

static bool check_code(Shape *shape, const json_t *number)
{
  json_int_t code = json_is_integer(number) ? json_integer_value(number) : -1;
  return code == 0 || code == 1 || code == 130 || refuse(shape, "has to be ", "0, 1 or 130", "");
}

static bool check_object(Shape *shape, const ShapeMember *members, const json_t *object);

static bool check_item(Shape *shape, const ShapeMember *member, const json_t *item)
{
  if (member->kind == SHAPE_TEXTS) return check_text(shape, member, item);
  if (member->kind == SHAPE_WORDS) return check_word(shape, member, item);
  return check_object(shape, member->of, item);
}

// Whether no text of the list is there twice. If one is, the place is left at the second.
static bool check_unique(Shape *shape, const json_t *list)
{
  bool good = true;
  json_t *seen = json_object();
  for (size_t i = 0; good && i < json_array_size(list); ++i) {
    const char *text = json_string_value(json_array_get(list, i));
    bool twice = json_object_get(seen, text) != NULL;
    if (!twice && json_object_set_new(seen, text, json_true()) == 0) continue;
    inspect_json_place_enter_item(shape->place, i);
    good = refuse(shape, "is ", twice ? "listed a second time" : "too much for the memory", "");
  }
  json_decref(seen);
  return good;
}

static bool check_list(Shape *shape, const ShapeMember *member, const json_t *list)
{
  size_t size = json_array_size(list);
  if (!json_is_array(list)) return refuse(shape, "has to be ", "a list", "");
  if (size < (size_t)member->least) return refuse(shape, "has to have ", "an item at least", "");
  if (member->most && size > member->most) return refuse(shape, "has ", "too many items", "");
  for (size_t i = 0; i < size; ++i) {
    inspect_json_place_enter_item(shape->place, i);
    if (!check_item(shape, member, json_array_get(list, i))) return false;
    inspect_json_place_leave(shape->place);
  }
  return !member->unique || check_unique(shape, list);
}

static bool check_value(Shape *shape, const ShapeMember *member, const json_t *held)
{
  if (member->nullable && json_is_null(held)) return true;
  switch (member->kind) {
    case SHAPE_TEXT:
      return check_text(shape, member, held);
    case SHAPE_WORD:
      return check_word(shape, member, held);
    case SHAPE_COUNT:
      return check_number(shape, member, held);
    case SHAPE_CODE:
      return check_code(shape, held);
    case SHAPE_FLAG:
      return json_is_boolean(held) || refuse(shape, "has to be ", "true or false", "");
    case SHAPE_OBJECT:
      return check_object(shape, member->of, held);
    default:
      return check_list(shape, member, held);
  }
}

// A member of the object that the table does not have, or NULL.
static const char *unknown_member(const ShapeMember *members, const json_t *object)
{
  const char *key;
  json_t *held;
  json_object_foreach((json_t *)object, key, held)
  {
    const ShapeMember *known = members;
    while (known->name && strcmp(known->name, key) != 0) ++known;
    if (!known->name) return key;
  }
  return NULL;
}

static bool check_object(Shape *shape, const ShapeMember *members, const json_t *object)
{
  size_t count = 0;
  if (!json_is_object(object)) return refuse(shape, "has to be ", "an object", "");
  for (const ShapeMember *member = members; member->name; ++member) {
    const json_t *held = json_object_get(object, member->name);
    if (!held && member->optional) continue;
    if (!held) return refuse(shape, "lacks \"", member->name, "\"");
    inspect_json_place_enter(shape->place, member->name);
    if (!check_value(shape, member, held)) return false;
    inspect_json_place_leave(shape->place);
    ++count;
  }
  if (json_object_size(object) == count) return true;
  inspect_json_place_enter(shape->place, unknown_member(members, object));
  return refuse(shape, "is no member of ", "a report", "");
}

bool report_shape_holds(const json_t *root, InspectJsonPlace *place, char *what, size_t what_size)
{
  Shape shape = {place, what, what_size};
  return check_object(&shape, report, root);
}
