'use strict';

/* What the daemon orders: say, kick, close, death (duel-server.md 0-4, 10.f). */

const test = require('node:test');
const assert = require('node:assert/strict');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');

const CODE = 'X1R1T1';
let orders = 0;

/** Give an order and return what came of it. */
async function order(world, type, fields = {}, code = CODE) {
  const id = `o${orders += 1}`;
  world.daemon.say({ type, id, code, ...fields });
  const done = await until(() => world.daemon.all('done').find((message) => message.id === id));
  return done.outcome;
}

const say = (text, seat = null, colour = 'babyblue') => ({ seat, text, colour });
const kick = (seat, nickname = null) => ({ seat, nickname, text: 'You were asked to leave.' });
const close = (a = null, b = null) => ({ text: 'Time is over.', a, b });

test('10.f: said to a room, players and viewers hear it', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'watch' })]);
  const players = await world.play('x');
  const viewer = world.player('Eve').join(CODE);
  await until(() => world.room(CODE).watchers.length);
  assert.equal(await order(world, 'say', say('Fünf Minuten\n还有五分钟 😀')), 'done');
  for (const one of [...players, viewer]) {
    const heard = one.all('CHAT').filter(({ info }) => info.player === 14).map(({ info }) => info.msg);
    assert.deepEqual(heard.slice(-2), ['[Server]: Fünf Minuten', '[Server]: 还有五分钟 😀']);
  }
}));

test('10.f: said to one seat, he alone hears it, also after he came back as another object', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  bob.drop();
  await world.fact('player_dropped');
  bob.comeBack('');
  await world.fact('player_returned');
  assert.equal(await order(world, 'say', say('only you', 'b', 'plain')), 'done');
  assert.deepEqual([alice.read('only you'), bob.chat.at(-1)], [false, 'only you']);
}));

test('10.f: kicked before the start, the seat is free and the room waits', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.seat('x');
  assert.equal(await order(world, 'kick', kick('a')), 'done');
  await until(() => alice.closed);
  assert.ok(alice.read('asked to leave') && !bob.closed);
  await until(() => world.room(CODE).players[0].is_host);
  assert.equal((await world.fact('player_left')).player.seat, 'a');
  assert.deepEqual(world.room(CODE).scores, {});
}));

test('10.f: kicked in a game he has lost with -9, and the games before are kept', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const players = await world.play('x');
  players[1].surrender();
  await world.gameOn(players, 2);
  assert.equal(await order(world, 'kick', kick('a')), 'done');
  const closed = await world.fact('room_closed');
  assert.deepEqual(closed.players.map(({ score }) => score), [-9, 0]);
  assert.deepEqual([closed.ending, closed.games.length, closed.begun], ['played', 1, 2]);
  assert.equal((await world.fact('player_gone')).player.seat, 'a');
}));

test('10.f: a stranger is kicked by his name, and a disconnected player, too', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'watch' })]);
  const [, bob] = await world.play('x');
  const viewer = world.player('Eve').join(CODE);
  await until(() => world.room(CODE).watchers.length);
  assert.equal(await order(world, 'kick', kick(null, 'Eve')), 'done');
  await until(() => viewer.closed);
  bob.drop();
  await world.fact('player_dropped');
  assert.equal(await order(world, 'kick', kick('b')), 'done');
  assert.deepEqual((await world.fact('room_closed')).players.map(({ score }) => score), [0, -9]);
}));

for (const moment of ['in game 2', 'while they side', 'with a player away']) {
  test(`10.f: closed ${moment}, the scores are kept and the end is marked as ours`, inWorld({}, async (world) => {
    await world.open([table(CODE)]);
    const players = await world.play('x', undefined, [{ sides: moment !== 'while they side' }, {}]);
    players[1].surrender();
    if (moment === 'while they side') await world.fact('siding_began');
    else await world.gameOn(players, 2);
    if (moment === 'with a player away') players[1].drop();
    assert.equal(await order(world, 'close', close()), 'done');
    const closed = await world.fact('room_closed');
    assert.deepEqual([closed.ending, closed.players.map(({ score }) => score)], ['closed', [1, 0]]);
    assert.deepEqual(closed.exit && closed.exit.killed, true);
    assert.ok(players[0].read('Time is over.') && players[0].has('DUEL_END') && players[0].has('REPLAY'));
    assert.equal(world.daemon.facts('player_gone').length, 0);
  }));
}

test('10.f: closed with scores, srvpro reports these', inWorld({}, async (world) => {
  await world.open([table(CODE, { a: { nickname: 'Bob' }, b: { nickname: 'Alice' } })]);
  await world.play('x');
  await order(world, 'close', close(2, 0));
  const closed = await world.fact('room_closed');
  assert.deepEqual(closed.players.map(({ seat, score }) => [seat, score]), [['b', 0], ['a', 2]]);
  assert.deepEqual(world.srvpro.reports[0].scores, { Alice: 0, Bob: 2 });
}));

test('10.f: closed before the start, everybody is sent away and nothing is scored', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const players = await world.seat('x');
  await order(world, 'close', close());
  const closed = await world.fact('room_closed');
  assert.equal(closed.ending, 'unstarted');
  await until(() => players.every((player) => player.closed && player.read('Time is over.')));
}));

test('10.f: a process that does not heed SIGTERM is ended all the same', inWorld({}, async (world) => {
  await world.open([table(CODE)], { timing: { send: 20 } });
  await world.play('x');
  world.game(CODE).deaf = true;
  await order(world, 'close', close());
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.exit.signal], ['closed', 'SIGKILL']);
}));

test('0-4, 10.l: a kick by the admin API sets the scores to 0; what they were is told', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const players = await world.play('x');
  players[1].surrender();
  await world.gameOn(players, 2);
  assert.equal(world.srvpro.api('kick', CODE), `['kick ok', '${CODE}']`);
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.scores_before], ['kicked', [1, 0]]);
  assert.deepEqual(closed.players.map(({ score }) => score), [0, 0]);
  assert.equal(closed.games.length, 1);
}));

test('orders: death is pending, done, already or ended', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  assert.equal(await order(world, 'death'), 'pending');
  const [, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  assert.equal(world.room(CODE).death, 5);
  assert.equal(await order(world, 'death'), 'already');
  assert.equal(await order(world, 'death_cancel'), 'done');
  assert.equal(await order(world, 'death_cancel'), 'already');
  assert.equal(await order(world, 'death'), 'done');
  await order(world, 'death_cancel');
  bob.surrender();
  await world.fact('siding_began');
  assert.equal(await order(world, 'death'), 'ended');
  await world.fact('room_closed');
}));

test('orders: what cannot be done is said', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  assert.equal(await order(world, 'death', {}, 'X9R9T9'), 'no_table');
  assert.equal(await order(world, 'say', say('hello')), 'no_room');
  await world.seat('x', ['Alice']);
  assert.equal(await order(world, 'say', say('hello', 'b')), 'no_player');
  assert.equal(await order(world, 'kick', kick(null, 'Nobody')), 'no_player');
  assert.ok(world.daemon.all('done').every(({ ok, outcome }) => ok === !outcome.startsWith('no_')));
}));

test('orders: the same order again is not carried out again and gets the same answer', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice] = await world.seat('x', ['Alice']);
  const message = { type: 'say', id: 'twice', code: CODE, ...say('once only') };
  world.daemon.say(message);
  world.daemon.say(message);
  await until(() => world.daemon.all('done').length === 2);
  assert.equal(alice.chat.filter((line) => line.includes('once only')).length, 1);
  assert.deepEqual(world.daemon.all('done')[0], world.daemon.all('done')[1]);
}));

test('orders: one that fails inside is answered, and the server lives', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  await world.play('x');
  world.room(CODE).cancel_death = () => { throw new Error('broken'); };
  world.room(CODE).death = 5;
  assert.equal(await order(world, 'death_cancel'), 'failed');
}));

test('rules 5.6-1: of two rooms with a table\'s code the table\'s own is meant', inWorld({}, async (world) => {
  await world.open();
  await world.seat('M#X1R1T1', ['Zoe']);
  world.daemon.say({ type: 'tables', tables: [table(CODE)] });
  const [alice] = await world.seat('x', ['Alice']);
  await order(world, 'say', say('here'));
  assert.ok(alice.read('here'));
}));
