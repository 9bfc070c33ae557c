'use strict';

/* What a room is made with: duel-server.md 10.b. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');
const { POT_OF_GREED } = require('../harness/game-server');

const GOAT = { best_of: 3, lflist: -1, rule: 5, time_limit: 300, duel_rule: 1, start_lp: 8000, start_hand: 5, draw_count: 1 };
const withPot = ({ main, side }) => ({ main: [...main.slice(1), POT_OF_GREED], side });

test('10.b: the table decides mode, list, rule and time, and the process starts with them', inWorld({}, async (world) => {
  await world.open([table('X1R1T1', { options: GOAT, welcome: 'Round 1, table 1' })]);
  await world.seat('x', ['Alice']);
  const { hostinfo, welcome, process } = world.room('X1R1T1');
  assert.deepEqual([hostinfo.mode, hostinfo.lflist, hostinfo.rule, hostinfo.time_limit, hostinfo.duel_rule], [1, -1, 5, 300, 1]);
  assert.deepEqual([process.mode, process.lflist, process.rule], [1, -1, 5]);
  assert.equal(welcome, 'Round 1, table 1');
  const opened = await world.fact('room_opened');
  assert.deepEqual([opened.best_of, opened.lflist, opened.rule, opened.time_limit, opened.table], [3, -1, 5, 300, true]);
}));

test('10.b: a GOAT best of three beside a current best of one on one server', inWorld({}, async (world) => {
  const current = { a: { nickname: 'Carol' }, b: { nickname: 'Dan' }, options: { best_of: 1, lflist: 0, rule: 0 } };
  await world.open([table('X1R1T1', { options: GOAT }), table('X2R1T1', current)]);
  const [alice] = await world.seat('x', ['Alice']);
  const [carol] = await world.seat('x', ['Carol']);
  alice.sendDeck(withPot(alice.cards));
  carol.sendDeck(withPot(carol.cards));
  await until(() => alice.has('HS_PLAYER_CHANGE') && carol.has('ERROR_MSG'));
  assert.ok(!alice.has('ERROR_MSG'));
  assert.ok(carol.has('ERROR_MSG', ({ msg, code }) => msg === 2 && code === 0x1349704a));
  assert.deepEqual(world.srvpro.rooms().map(({ hostinfo }) => hostinfo.mode), [1, 0]);
}));

test('10.b: the table wins over prefixes: M# with best of one is one game, X1R1T1 with three is a match', inWorld({}, async (world) => {
  await world.open([
    table('X1R1T1', { room: 'M#X1R1T1', options: { best_of: 1 } }),
    table('X1R1T2', { a: { nickname: 'Carol' }, b: { nickname: 'Dan' }, options: { best_of: 3 } }),
  ]);
  const [, bob] = await world.play('x');
  const [carol, dan] = await world.play('x', ['Carol', 'Dan']);
  bob.surrender();
  dan.surrender();
  await world.fact('room_closed', 'X1R1T1');
  await world.gameOn([carol, dan], 2);
}));

test('10.b: four copies and 39 cards are refused in a room without a list, too', inWorld({}, async (world) => {
  await world.open([table('X1R1T1', { options: GOAT })]);
  const [alice] = await world.seat('x', ['Alice']);
  alice.sendDeck({ main: [...alice.cards.main.slice(0, 36), 7, 7, 7, 7], side: [] });
  await until(() => alice.has('ERROR_MSG', ({ code }) => code === ((0x5 << 28) | 7) >>> 0));
  alice.sendDeck({ main: alice.cards.main.slice(1), side: [] });
  await until(() => alice.has('ERROR_MSG', ({ code }) => code === 0x60000027));
}));

test('10.b: no viewers, where the table says so', inWorld({}, async (world) => {
  await world.open([table('X1R1T1', { strangers: 'show', options: { no_watch: true } })]);
  await world.seat('x');
  const third = world.player('Eve').join('X1R1T1');
  await until(() => third.read('Spectating is unallowed in this room'));
}));

test('10.b: what the table leaves open stays as the server has it', inWorld({}, async (world) => {
  await world.open([table('X1R1T1', { options: { best_of: 1 } })]);
  world.host.settings.hostinfo.time_limit = 123;
  await world.seat('x', ['Alice']);
  assert.deepEqual([world.room('X1R1T1').hostinfo.time_limit, world.room('X1R1T1').hostinfo.rule], [123, 0]);
}));

test('10.b: each room has options of its own', inWorld({}, async (world) => {
  await world.open([table('X1R1T1', { options: GOAT })]);
  await world.seat('x', ['Alice']);
  await world.seat('my room', ['Zoe']);
  assert.equal(world.room('my room').hostinfo.lflist, 0);
  assert.equal(world.host.settings.hostinfo.lflist, 0);
}));

test('D10: a list that this server does not have is not used, and the daemon is told', inWorld({}, async (world) => {
  await world.open([table('X1R1T1', { options: { lflist: 7 } })]);
  await world.seat('x', ['Alice']);
  assert.equal(world.room('X1R1T1').hostinfo.lflist, 0);
  const trouble = await until(() => world.daemon.all('trouble').find(({ place }) => place === 'room options'));
  assert.match(trouble.text, /X1R1T1 wants list 7; this server has 2/);
}));

test('10.b: a room whose code no table has is made as the server would, and told', inWorld({}, async (world) => {
  await world.open();
  await world.seat('M#x9r9t9', ['Zoe']);
  const opened = await world.fact('room_opened');
  assert.deepEqual([opened.code, opened.best_of, opened.table], ['X9R9T9', 3, false]);
}));

test('0-8, D10: the daemon learns which lists and settings the server has', inWorld({}, async (world) => {
  await world.open();
  const [{ facts, server, versions, plugin, next, lost }] = world.daemon.all('hello');
  assert.deepEqual(facts, {
    client_version: 4962,
    challonge: false,
    tournament_mode: false,
    quick_death_rule: 2,
    reconnect_ms: 90000,
    kick_reconnect: true,
    halfway_watch: true,
    connect_limit: false,
    lists: [{ date: '2026-07-01', tcg: false }, { date: '2026-02-02', tcg: true }],
  });
  assert.deepEqual([server, versions, plugin, next, lost], ['main', [1], '1.0.0', 1, 0]);
}));
