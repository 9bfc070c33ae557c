'use strict';

/* Nothing that goes wrong in the plugin or beside it ends the server: duel-server.md 0-6, 10.0-7, 10.k, F32. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');
const { Guard } = require('../relayd');

const CODE = 'X1R1T1';
const ONE = { options: { best_of: 1 } };

/** Play a best of one to its end; returns the final record. */
async function playOne(world) {
  const [alice, bob] = await world.play(CODE);
  bob.surrender();
  const closed = await world.fact('room_closed');
  await until(() => alice.closed && bob.closed);
  return closed;
}

const PLACES = [
  'ctos PLAYER_INFO', 'ctos JOIN_GAME', 'ctos UPDATE_DECK', 'client close', 'room made', 'room options', 'room process',
  'room delete', 'room disconnect', 'srvpro delete', 'end: away', 'end: exit', 'stoc TYPE_CHANGE', 'stoc HS_PLAYER_CHANGE', 'stoc DUEL_START',
  'stoc CHANGE_SIDE', 'stoc GAME_MSG', 'stoc DUEL_END', 'sights', 'sweep', 'start_death', 'send CHAT', 'tables',
];

for (const failing of PLACES) {
  test(`10.k: "${failing}" throws each time: the match goes on and its result is told once`, inWorld({}, async (world) => {
    let thrown = 0;
    const probe = (place) => {
      if (place !== failing) return;
      thrown += 1;
      throw new Error(`probe ${place}`);
    };
    const optionsLost = ['room made', 'room options'].includes(failing);
    await world.open([table(CODE, optionsLost ? {} : ONE)], { probe, settings: { exit_wait_ms: 50 } });
    const closed = await playOne(world);
    assert.equal(world.srvpro.dead, null);
    assert.deepEqual([closed.ending, closed.games.map(({ winner }) => winner)], ['played', [0]]);
    assert.equal(world.daemon.facts('room_closed').length, 1);
    if (failing !== 'srvpro delete') assert.deepEqual(world.srvpro.rooms(), []);
    if (thrown) assert.ok(world.srvpro.spoken.some((line) => line.includes(failing)));
  }));
}

test('10.k: a wrapped function of srvpro that throws or rejects is caught', inWorld({}, async (world) => {
  await world.open([table(CODE, ONE)]);
  const [alice, bob] = await world.play(CODE);
  const room = world.room(CODE);
  Object.assign(room, {
    start_death: async () => { throw new Error('no death'); },
    send_replays: () => Promise.reject(new Error('no replays')),
  });
  world.daemon.say({ type: 'table', table: table(CODE, { ...ONE, death: true }) });
  await until(() => world.srvpro.spoken.some((line) => line.includes('no death')));
  world.host.ygopro.stoc_send_chat = () => { throw new Error('no chat'); };
  world.daemon.say({ type: 'say', id: 'o1', code: CODE, seat: null, text: 'hello', colour: 'red' });
  await until(() => world.daemon.all('done').length);
  world.daemon.say({ type: 'close', id: 'o2', code: CODE, text: 'over', a: null, b: null });
  assert.equal((await world.fact('room_closed')).ending, 'closed');
  await until(() => alice.closed && bob.closed);
}));

test('10.k: a log that throws does not matter', () => {
  const guard = new Guard({ error: () => { throw new Error('log'); } });
  assert.equal(guard.run('place', 'fallback', () => { throw new Error('x'); }), 'fallback');
  assert.equal(guard.run('place', 'fallback', () => { throw undefined; }), 'fallback'); // eslint-disable-line no-throw-literal
});

test('10.k: a handler that rejects later resolves to its fallback', async () => {
  const guard = new Guard({ error: () => {} });
  assert.equal(await guard.run('place', 'fallback', async () => { throw new Error('x'); }), 'fallback');
  assert.equal(await guard.run('place', 'fallback', async () => 'value'), 'value');
});

test('10.0-7: a player who stops reading holds up nobody else', inWorld({}, async (world) => {
  await world.open([table(CODE)], { timing: { send: 30 } });
  const [alice, bob] = await world.play(CODE);
  await world.quiet();
  bob.client.stuck = true;
  world.daemon.say({ type: 'say', id: 'o1', code: CODE, seat: null, text: 'hello', colour: 'red' });
  world.daemon.say({ type: 'close', id: 'o2', code: CODE, text: 'over', a: null, b: null });
  await until(() => alice.closed && alice.read('hello'));
  assert.equal((await world.fact('room_closed')).ending, 'closed');
}));

test('10.0-7: one who is refused and does not read is let go of', inWorld({}, async (world) => {
  await world.open([table(CODE)], { timing: { send: 30 } });
  const eve = world.player('Eve');
  eve.client.stuck = true;
  eve.join(CODE);
  await world.fact('join_refused');
  await world.seat('x', ['Alice']);
}));

test('F32: a full disk: the match is played and told, and the server lives', inWorld({}, async (world) => {
  const fs = require('node:fs');
  await world.open([table(CODE, ONE)]);
  const write = fs.writeSync;
  fs.writeSync = () => { throw new Error('ENOSPC'); };
  try {
    const closed = await playOne(world);
    assert.equal(closed.ending, 'played');
  } finally {
    fs.writeSync = write;
  }
}));

test('F32: a daemon that never answers: the match is played, and told when it does', inWorld({}, async (world) => {
  world.daemon.acks = false;
  await world.open([table(CODE, { ...ONE, a: { deck: { check: 'ask' } } })], { settings: { deck_question_ms: 30 } });
  const [, bob] = await world.play(CODE);
  bob.surrender();
  await until(() => world.room(CODE) === undefined);
  assert.ok(world.plugin.core.spool.lines.size > 5);
  world.daemon.acks = true;
  for (const socket of world.daemon.sockets) socket.terminate();
  await until(() => world.plugin.core.spool.lines.size === 0);
  assert.equal(world.daemon.facts('room_closed').length, 1);
}));

test('10.k: settings of srvpro that are missing keep nothing from working', inWorld({}, async (world) => {
  const { modules } = world.host.settings;
  delete modules.test_mode;
  delete modules.cloud_replay;
  delete modules.tournament_mode;
  await world.open();
  assert.equal(world.daemon.all('hello')[0].facts.halfway_watch, false);
  Object.assign(modules, { cloud_replay: {}, tournament_mode: {} });
}));

test('10.k: a room whose process is gone and that nobody deleted is deleted by the sweep', inWorld({}, async (world) => {
  await world.open([table(CODE)], { timing: { sweep: 10 } });
  await world.play(CODE);
  const game = world.game(CODE);
  game.removeAllListeners('exit'); // srvpro never hears of it
  for (const pipe of game.pipes) pipe.removeAllListeners('close');
  game.crash();
  assert.equal((await world.fact('room_closed')).ending, 'crashed');
}));

test('10.0-6: a ghost that would keep a waiting room for ever is removed by the sweep', inWorld({}, async (world) => {
  await world.open([table(CODE)], { timing: { sweep: 10 } });
  const [alice] = await world.seat(CODE, ['Alice']);
  alice.client.removeAllListeners('close'); // srvpro never hears that he is gone
  Object.assign(alice.client, { isClosed: true });
  assert.equal((await world.fact('room_closed')).ending, 'unstarted');
}));

test('10.k: srvpro\'s own delete throws: the end is told once, and it is tried again', inWorld({}, async (world) => {
  await world.open([table(CODE, ONE)], { timing: { sweep: 10 } });
  const [, bob] = await world.play(CODE);
  const room = world.room(CODE);
  const forget = world.srvpro.reconnects.forgetRoom;
  let throws = 3;
  world.srvpro.reconnects.forgetRoom = (index) => {
    room.deleted = throws === 0; // before it is done
    throws -= 1;
    if (throws >= 0) throw new Error('odd');
    forget.call(world.srvpro.reconnects, index);
  };
  bob.surrender();
  await until(() => world.room(CODE) === undefined);
  await world.quiet();
  assert.equal(world.daemon.facts('room_closed').length, 1);
}));
