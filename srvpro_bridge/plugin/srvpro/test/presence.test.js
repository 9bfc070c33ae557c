'use strict';

/* Who is where, and how a room looks: duel-server.md 5, 10.m. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');

const CODE = 'X1R1T1';
const told = (world) => [...world.daemon.records.values()].map(({ type, player }) => (player ? `${type} ${player.nickname}` : type));
const sight = (world, test) => until(() => {
  const changes = world.daemon.all('room_changed').filter((message) => test(message.sight));
  return changes.length ? changes.at(-1).sight : null;
});

test('10.m: seated, ready, started, in a game, out of a game, siding: each is told in order', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  bob.surrender();
  await world.fact('siding_began');
  assert.deepEqual(told(world), [
    'room_opened', 'player_seated Alice', 'player_seated Bob', 'match_started', 'game_started', 'game_over', 'siding_began',
  ]);
  assert.deepEqual((await world.fact('match_started')).players, [
    { pos: 0, nickname: 'Alice', seat: 'a' }, { pos: 1, nickname: 'Bob', seat: 'b' },
  ]);
}));

test('10.m: the sight of a room shows stage, turn, life points, scores and who is ready', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'watch' })]);
  const [alice, bob] = await world.seat('x');
  alice.hand = 2;
  alice.sendDeck();
  const waiting = await sight(world, ({ players }) => players.some(({ ready }) => ready));
  assert.deepEqual(waiting.players.map(({ nickname, ready }) => [nickname, ready]), [['Alice', true], ['Bob', false]]);
  bob.sendDeck();
  await until(() => alice.all('HS_PLAYER_CHANGE').length >= 2);
  alice.start();
  await world.gameOn([alice, bob]);
  alice.hit(1500).endTurn();
  const playing = await sight(world, ({ turn }) => turn === 2);
  assert.deepEqual([playing.stage, playing.game, playing.players.map(({ lp }) => lp)], ['dueling', 1, [8000, 6500]]);
  bob.surrender();
  const after = await sight(world, ({ players }) => players[0].score === 1);
  assert.equal(after.players[1].score, 0);
}));

test('10.m: not ready again is seen, too', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice] = await world.seat('x', ['Alice']);
  alice.sendDeck();
  await sight(world, ({ players }) => players[0] && players[0].ready);
  alice.send('HS_NOTREADY');
  await sight(world, ({ players }) => players[0] && !players[0].ready);
}));

test('10.m: to the stand and back is left and seated; a new host is neither', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.seat('x');
  bob.send('HS_TOOBSERVER');
  await world.fact('player_left');
  bob.send('HS_TODUELIST');
  await until(() => world.daemon.facts('player_seated').length === 3);
  alice.drop();
  await until(() => world.daemon.facts('player_left').length === 2);
  await until(() => bob.client.is_host);
  await world.quiet();
  assert.deepEqual(told(world).slice(1), [
    'player_seated Alice', 'player_seated Bob', 'player_left Bob', 'player_seated Bob', 'player_left Alice',
  ]);
}));

test('10.m: dropped, returned, and gone for good when he does not come in time', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  world.host.settings.modules.reconnect.wait_time = 60;
  const [alice, bob] = await world.play('x');
  bob.drop();
  const away = await sight(world, ({ players }) => players.length === 2 && players[1].away);
  assert.equal(away.players[0].away, false);
  bob.comeBack('');
  await world.fact('player_returned');
  await sight(world, ({ players }) => players.length === 2 && !players[1].away);
  bob.drop();
  const closed = await world.fact('room_closed');
  assert.deepEqual(told(world).slice(5), ['player_dropped Bob', 'player_returned Bob', 'player_dropped Bob', 'player_gone Bob', 'room_closed']);
  assert.deepEqual([closed.away, closed.duel_end, closed.players[1].score], [[1], [0], -9]);
  assert.ok(alice.read('Bob quited game'));
}));

for (const moment of ['coin', 'game', 'siding']) {
  test(`10.m: dropped and returned in the ${moment} stage`, inWorld({}, async (world) => {
    await world.open([table(CODE)]);
    const [alice, bob] = await world.seat('x', undefined, [{ sides: false }, { sides: false }]);
    Object.assign(alice, { hand: 2, quiet: moment === 'coin' });
    for (const player of [alice, bob]) player.sendDeck();
    await until(() => alice.all('HS_PLAYER_CHANGE').length >= 2);
    alice.start();
    if (moment === 'coin') await until(() => bob.has('SELECT_HAND'));
    else await world.gameOn([alice, bob]);
    if (moment === 'siding') alice.surrender();
    if (moment === 'siding') await world.fact('siding_began');
    bob.drop();
    await world.fact('player_dropped');
    bob.comeBack('');
    await world.fact('player_returned');
    assert.equal(world.daemon.facts('player_gone').length, 0);
  }));
}

test('10.m: taken over from another device is returned, and nobody has dropped or gone', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [, bob] = await world.play('x');
  const other = world.player('Bob', { cards: bob.cards }).join('x');
  other.sendDeck();
  await world.fact('player_returned');
  await until(() => bob.closed);
  await world.quiet();
  assert.deepEqual(told(world).filter((line) => /dropped|gone/.test(line)), []);
}));

test('10.m: a normal end is nobody\'s leaving', inWorld({}, async (world) => {
  await world.open([table(CODE, { options: { best_of: 1 } })]);
  const [, bob] = await world.play('x');
  bob.surrender();
  await world.fact('room_closed');
  await world.quiet();
  assert.deepEqual(told(world).filter((line) => /dropped|gone|left/.test(line)), []);
}));

test('10.0-3: who leaves after a viewer was hung up on is still booked with -9', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'show' })]);
  world.host.settings.modules.reconnect.enabled = false;
  const players = await world.seat('x');
  const [viewer] = await world.seat(CODE, ['Eve']);
  assert.equal(viewer.pos, 7);
  players[0].hand = 2;
  for (const player of players) player.sendDeck();
  await until(() => players[0].all('HS_PLAYER_CHANGE').length >= 2);
  players[0].start();
  await world.gameOn(players);
  viewer.send('LEAVE_GAME');
  await until(() => world.room(CODE).disconnector === 'server');
  players[1].drop();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.players.map(({ score }) => score), closed.finished], [[0, -9], true]);
}));

test('10.0-3: who leaves after somebody left the waiting room is still booked with -9', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'show' })]);
  world.host.settings.modules.reconnect.enabled = false;
  const [alice] = await world.seat('x', ['Alice']);
  const [eve] = await world.seat(CODE, ['Eve']);
  eve.send('LEAVE_GAME');
  await until(() => eve.closed);
  assert.equal(world.room(CODE).disconnector, 'server');
  const bob = world.player('Bob').join('x');
  await until(() => bob.has('TYPE_CHANGE'));
  alice.hand = 2;
  alice.sendDeck();
  bob.sendDeck();
  await until(() => alice.all('HS_PLAYER_CHANGE').filter(({ info }) => (info.status & 0xf) === 9).length >= 2);
  alice.start();
  await world.gameOn([alice, bob]);
  bob.drop();
  const closed = await world.fact('room_closed');
  assert.deepEqual(closed.players.map(({ score }) => score), [0, -9]);
}));

test('5: viewers are counted, and their leaving is not a player\'s', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'watch' })]);
  const [alice] = await world.play('x');
  const viewer = world.player('Eve').join(CODE);
  await until(() => world.room(CODE).watchers.length === 1);
  alice.endTurn();
  await sight(world, ({ watchers }) => watchers === 1);
  viewer.drop();
  await until(() => world.room(CODE).watchers.length === 0);
  await world.quiet();
  assert.deepEqual(told(world).filter((line) => /gone|dropped/.test(line)), []);
}));

test('rules 5.6-2: rooms without a code tell their results and nothing else, and only if all are wanted', inWorld({}, async (world) => {
  await world.open();
  const [, dan] = await world.play('M#friendly', ['Carol', 'Dan']);
  dan.surrender();
  await until(() => world.room('M#friendly').duel_stage === 4 || world.games(dan) === 2);
  dan.drop();
  world.srvpro.api('kick', 'M#friendly');
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.code, closed.name, closed.ending], [null, 'M#friendly', 'kicked']);
  assert.deepEqual(told(world), ['game_over', 'room_closed']);
  world.daemon.policy.report = 'coded';
  await world.daemon.leave();
  await world.daemon.open();
  await until(() => world.daemon.all('rooms').length === 2);
  await world.play('another', ['Eve', 'Finn']);
  world.srvpro.api('kick', 'another');
  await world.quiet();
  assert.equal(world.daemon.facts('room_closed').length, 1);
}));

test('rules 5.6: who was there before the table was told is recognised when it is', inWorld({}, async (world) => {
  await world.open();
  await world.seat(CODE);
  world.daemon.say({ type: 'tables', tables: [table(CODE)] });
  await until(() => world.room(CODE).players.every((player) => player.relayd && player.relayd.seat));
}));
