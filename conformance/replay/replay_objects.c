// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "replay/replay_player.h"

// Room for twice as many as there are events: each shows few that are new, and a table that is full
// has no more.
bool player_open_objects(Player *player)
{
  size_t room = 1024;
  while (room < 2 * player->recording->count) room *= 2;
  player->objects = calloc(room, sizeof *player->objects);
  player->object_room = player->objects ? room : 0;
  return player->objects;
}

PlayerObject *player_object(Player *player, uint64_t number)
{
  uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15);
  size_t mask = player->object_room - 1;
  for (size_t i = 0; number && i < 64; ++i) {
    PlayerObject *place = &player->objects[((hash >> 32) + i) & mask];
    if (place->number && place->number != number) continue;
    place->number = number;
    place->player = player;
    return place;
  }
  return NULL;
}

void player_bind(Player *player, uint64_t number, TVMFFIObject *object)
{
  PlayerObject *place = player_object(player, number);
  if (place && !place->since) place->since = player->serial;
  if (place && !place->object)
    place->object = object;
  else if (object)
    player->iut->ObjectDecRef(object);
}

void player_release(Player *player, uint64_t number)
{
  PlayerObject *place = player_object(player, number);
  TVMFFIObject *object = place ? place->object : NULL;
  if (!object) return;
  place->object = NULL;
  player->iut->ObjectDecRef(object);
}

TVMFFIObject *player_keep_raised(Player *player, uint32_t thread)
{
  TVMFFIObjectHandle error = NULL;
  player->iut->ErrorMoveFromRaised(&error);
  if (!error) return NULL;
  TVMFFIObject *former = player_fetch_raised(player, thread);
  if (former) player->iut->ObjectDecRef(former);
  unsigned place = player->raised_next++ % PLAYER_THREADS_MAX;
  if (player->raised[place].error) player->iut->ObjectDecRef(player->raised[place].error);
  player->raised[place].thread = thread;
  player->raised[place].error = error;
  return error;
}

TVMFFIObject *player_fetch_raised(Player *player, uint32_t thread)
{
  for (size_t i = 0; i < PLAYER_THREADS_MAX; ++i) {
    TVMFFIObject *error = player->raised[i].error;
    if (!error || player->raised[i].thread != thread) continue;
    player->raised[i].error = NULL;
    return error;
  }
  return NULL;
}

static int answer(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  return player_answer(self, args, num_args, result);
}

TVMFFIObject *player_stand_in(Player *player, uint64_t number)
{
  TVMFFIObjectHandle made = NULL;
  PlayerObject *place = player_object(player, number);
  if (!place || player->iut->FunctionCreate(place, answer, NULL, &made) != 0) return NULL;
  return made;
}
