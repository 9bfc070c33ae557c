'use strict';

/* The rules of srvpro's plugins (duel-server.md 5), as the harness has them and the plugin lives with them. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { Pipeline } = require('../harness/pipeline');
const { Srvpro } = require('../harness/srvpro');
const { message } = require('../harness/wire');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');

const CHAT = message('CTOS', 'CHAT', { msg: 'abc' });
const KICK = message('CTOS', 'HS_KICK', { pos: 1 });

/** A pipeline with handlers that note their names and return what they are given. */
function noted(...handlers) {
  const notes = [];
  const pipeline = new Pipeline((error) => notes.push(error.message));
  for (const [level, name, verdict, sync = true] of handlers) {
    pipeline.follow('CTOS', level, 'CHAT', sync, async (buffer, info) => {
      notes.push([name, buffer.length, info.msg]);
      if (verdict instanceof Error) throw verdict;
      return verdict;
    });
  }
  return { pipeline, notes, names: () => notes.map(([name]) => name) };
}

test('5: handlers run _before, normal, _after, in a level as registered', async () => {
  const { pipeline, names } = noted(['after', 'a1'], ['normal', 'n1'], ['before', 'b1'], ['normal', 'n2'], ['before', 'b2']);
  assert.deepEqual(await pipeline.run('CTOS', [CHAT]), [CHAT]);
  assert.deepEqual(names(), ['b1', 'b2', 'n1', 'n2', 'a1']);
});

test('5: true cancels: no later handler, nothing passed on, _after is not called', async () => {
  const { pipeline, names } = noted(['before', 'b'], ['normal', 'n', true], ['normal', 'late'], ['after', 'a']);
  assert.deepEqual(await pipeline.run('CTOS', [CHAT, KICK]), [KICK]);
  assert.deepEqual(names(), ['b', 'n']);
});

test('5, 10.0-4: a Buffer replaces the payload and skips the rest of its level only', async () => {
  const short = message('CTOS', 'CHAT', { msg: 'x' }).payload;
  const { pipeline, notes } = noted(['before', 'b1', short], ['before', 'b2'], ['normal', 'n'], ['after', 'a']);
  assert.deepEqual(await pipeline.run('CTOS', [CHAT]), [{ name: 'CHAT', payload: short }]);
  assert.deepEqual(notes, [['b1', 8, 'abc'], ['n', 4, 'x'], ['a', 4, 'x']]);
});

test('5: _cancel drops the whole chunk, _shrink_N the tail of one payload', async () => {
  const cancel = noted(['normal', 'n', '_cancel']);
  assert.deepEqual(await cancel.pipeline.run('CTOS', [KICK, CHAT, KICK]), []);
  const shrink = noted(['normal', 'n', '_shrink_2'], ['after', 'a']);
  const [passed] = await shrink.pipeline.run('CTOS', [CHAT]);
  assert.equal(passed.payload.length, CHAT.payload.length - 2);
  assert.deepEqual(shrink.notes.at(-1), ['a', 6, 'abc']);
});

test('5: a handler that is not sync is not awaited, gets copies, and its answer and its throw go elsewhere', async () => {
  const { pipeline, names, notes } = noted(['before', 'b', true, false], ['after', 'a', new Error('late'), false]);
  let seen;
  pipeline.follow('CTOS', 'normal', 'CHAT', false, async (buffer) => { seen = buffer; });
  assert.deepEqual(await pipeline.run('CTOS', [CHAT]), [CHAT]);
  assert.notEqual(seen, CHAT.payload);
  assert.deepEqual(seen, CHAT.payload);
  await until(() => notes.includes('late'));
  assert.deepEqual(names().slice(0, 2), ['b', 'a']);
});

test('5: every handler gets an info of its own, {} where the payload is malformed', async () => {
  const infos = [];
  const pipeline = new Pipeline(assert.fail);
  for (const level of ['before', 'normal']) {
    pipeline.follow('CTOS', level, 'JOIN_GAME', true, async (buffer, info) => { infos.push({ ...info }); info.pass = 'changed'; });
  }
  await pipeline.run('CTOS', [message('CTOS', 'JOIN_GAME', { pass: 'X1R1T1' })]);
  await pipeline.run('CTOS', [{ name: 'JOIN_GAME', payload: Buffer.alloc(2) }]);
  assert.deepEqual(infos.map(({ pass }) => pass), ['X1R1T1', 'X1R1T1', undefined, undefined]);
});

test('0-6, 5: what a handler throws ends a plain server', async () => {
  const srvpro = new Srvpro();
  srvpro.host.ygopro.ctos_follow_before('CHAT', true, async () => { throw new Error('plain'); });
  srvpro.fromPlayer(srvpro.connect(() => {}), [CHAT]);
  await srvpro.network.quiet();
  assert.equal(srvpro.dead.message, 'plain');
});

test('10.0-4: the plugin has one _before handler for each message', inWorld({}, async (world) => {
  await world.open();
  for (const [key, handlers] of world.srvpro.pipeline.handlers) {
    if (key.endsWith('before')) assert.equal(handlers.length, 1, key);
  }
}));

test('10.0-4: another plugin that replaces a payload silences nobody but later handlers of its level', inWorld({}, async (world) => {
  world.host.ygopro.ctos_follow_before('JOIN_GAME', true, async (buffer) => Buffer.from(buffer));
  await world.open([table('X1R1T1')]);
  const player = world.player('Alice').join('hello');
  await until(() => player.has('TYPE_CHANGE'));
  assert.ok(world.room('hello'), 'this plugin was silenced, as any later one is');
}));

test('5: ROOM_all has holes, and a room keeps its index', inWorld({}, async (world) => {
  await world.open([table('X1R1T1'), table('X1R1T2', { a: { nickname: 'Carol' }, b: { nickname: 'Dan' } })]);
  const [alice] = await world.seat('x', ['Alice']);
  const [carol] = await world.seat('x', ['Carol']);
  alice.drop();
  await until(() => world.host.ROOM_all[0] === null);
  carol.sendDeck();
  await until(() => carol.has('HS_PLAYER_CHANGE'));
  assert.equal(carol.client.rid, 1);
  assert.deepEqual(world.plugin.core.open().map((watch) => watch.code), ['X1R1T2']);
}));

test('5: delete is called more than once, and the end is told once', inWorld({}, async (world) => {
  await world.open([table('X1R1T1', { options: { best_of: 1 } })]);
  const [, bob] = await world.play('x');
  const room = world.room('X1R1T1');
  bob.surrender();
  await until(() => room.deleted);
  room.delete();
  room.delete();
  await world.fact('room_closed');
  await world.quiet();
  assert.equal(world.daemon.facts('room_closed').length, 1);
  assert.equal(world.srvpro.reports.length, 1);
}));

test('5, 10.l: MSG_WIN does not come when position 0 leaves: the end is told from the room', inWorld({}, async (world) => {
  await world.open([table('X1R1T1')]);
  world.host.settings.modules.reconnect.enabled = false;
  const [alice, bob] = await world.play('x');
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  alice.drop();
  const closed = await world.fact('room_closed');
  assert.equal(closed.ending, 'played');
  assert.deepEqual(closed.players.map(({ score }) => score), [-9, 0]);
  assert.deepEqual(closed.games, [{ winner: 0, reason: 0, first: 0 }]);
  assert.deepEqual([closed.begun, closed.away, closed.finished], [2, [0], true]);
  assert.equal(world.daemon.facts('game_over').length, 1);
}));

test('5: a room that was made before the plugin was loaded is adopted', inWorld({}, async (world) => {
  const alice = world.player('Alice').join('X1R1T1');
  await until(() => alice.has('TYPE_CHANGE'));
  await world.open([table('X1R1T1', { options: { best_of: 1 } })]);
  assert.equal(world.daemon.all('rooms').at(-1).rooms[0].code, 'X1R1T1');
  const bob = world.player('Bob').join('x');
  await until(() => bob.has('TYPE_CHANGE'));
  alice.hand = 2;
  alice.sendDeck();
  bob.sendDeck();
  await until(() => alice.all('HS_PLAYER_CHANGE').length >= 2);
  alice.start();
  await world.gameOn([alice, bob]);
  bob.surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.players.map(({ seat }) => seat)], ['played', ['a', 'b']]);
}));

test('5: own fields are carried over to the new client of a reconnect', inWorld({}, async (world) => {
  await world.open([table('X1R1T1')]);
  const [alice, bob] = await world.play('x');
  const old = bob.client;
  bob.drop();
  await world.fact('player_dropped');
  bob.comeBack('');
  await world.fact('player_returned');
  assert.notEqual(bob.client, old);
  assert.deepEqual(bob.client.relayd, { code: 'X1R1T1', seat: 'b', siding: false });
  assert.ok(alice.read('Bob reconnected'));
}));

test('src: a game that ends while position 0 is coming back is booked all the same', inWorld({}, async (world) => {
  await world.open([table('X1R1T1')]);
  const [alice, bob] = await world.play('x');
  alice.client.reconnecting = true; // the field has been asked for, and FIELD_FINISH is not there yet
  bob.surrender();
  const over = await world.fact('game_over');
  assert.deepEqual([over.winner, over.scores], [0, [1, 0]]);
  assert.deepEqual(world.room('X1R1T1').wins, ['Alice']);
}));

test('src: a game that begins while position 0 is coming back is booked all the same', inWorld({}, async (world) => {
  await world.open([table('X1R1T1')]);
  const [alice, bob] = await world.play('x');
  alice.client.reconnecting = true;
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  const { duel_count: count, first_list: first, turn } = world.room('X1R1T1');
  assert.deepEqual([count, turn], [2, 1]);
  alice.client.reconnecting = false;
  alice.surrender();
  await world.gameOn([alice, bob], 3);
  assert.deepEqual(world.daemon.facts('game_over').map(({ winner }) => winner), [0, 1]);
  assert.ok(first.length >= 1);
}));

test('5: a match in a tag duel or against a bot is nobody\'s', inWorld({}, async (world) => {
  await world.open([]);
  await world.seat('T#X1R1T1', ['Alice']);
  world.host.extra_mode_list.unshift(function bot() { this.windbot = { name: 'bot' }; });
  await world.seat('X1R1T2', ['Bob']);
  await world.quiet();
  assert.deepEqual(world.plugin.core.open(), []);
  assert.equal(world.daemon.facts('room_opened').length, 0);
}));
