'use strict';

/* How rooms end: duel-server.md 0-5, 2, 6, 10.0-1, 10.l. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { World, inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');

const CODE = 'X1R1T1';
const ONE = { options: { best_of: 1 } };
const scores = (closed) => closed.players.map(({ score }) => score);
const winners = (closed) => closed.games.map(({ winner }) => winner);

test('10.l: a best of three is told with wins, reasons, and who began', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('hello');
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  alice.surrender();
  await world.gameOn([alice, bob], 3);
  alice.hit(9000);
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.begun, closed.best_of, closed.stage], ['played', 3, 3, 'end']);
  assert.deepEqual(closed.players, [
    { pos: 0, nickname: 'Alice', seat: 'a', score: 2 }, { pos: 1, nickname: 'Bob', seat: 'b', score: 1 },
  ]);
  assert.deepEqual(closed.games, [
    { winner: 0, reason: 0, first: 0 }, { winner: 1, reason: 0, first: 1 }, { winner: 0, reason: 1, first: 0 },
  ]);
  assert.deepEqual([closed.finished, closed.finished_by_death, closed.away], [false, false, []]);
  assert.deepEqual([...closed.duel_end].sort(), [0, 1]);
  assert.ok(closed.started_at > 1e12 && closed.at >= closed.started_at);
}));

test('3, 6: seats do not follow positions: who comes first has position 0, whatever his seat', inWorld({}, async (world) => {
  await world.open([table(CODE, ONE)]);
  const [, alice] = await world.play('x', ['Bob', 'Alice']);
  alice.surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual(closed.players.map(({ seat, score }) => [seat, score]), [['b', 1], ['a', 0]]);
}));

test('10.j: each game is told as it ends, with all that is known', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  alice.endTurn();
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  const over = await world.fact('game_over');
  assert.deepEqual([over.game, over.winner, over.reason, over.turn, over.death], [1, 0, 0, 2, 'off']);
  assert.deepEqual([over.scores, over.games, over.best_of], [[1, 0], [{ winner: 0, reason: 0, first: 0 }], 3]);
}));

test('5: reasons are told: time (3), life points (1), and a draw has no winner', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  world.game(CODE).timeout(1);
  await world.gameOn([alice, bob], 2);
  alice.hit(9000, 2);
  await world.gameOn([alice, bob], 3);
  bob.hit(8000);
  const closed = await world.fact('room_closed');
  assert.deepEqual(closed.games.map(({ winner, reason }) => [winner, reason]), [[0, 3], ['draw', 1], [1, 1]]);
  assert.deepEqual(scores(closed), [1, 1]);
  assert.equal(closed.ending, 'played', 'three games are all that a match has (2-f)');
}));

test('0-9, 6: two of one nick share one score entry; who won is known all the same', inWorld({}, async (world) => {
  await world.open();
  const [one, two] = await world.play('M#room', ['Same', 'Same']);
  two.surrender();
  await world.gameOn([one, two], 2);
  two.surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual([scores(closed), winners(closed), closed.ending], [[2, 2], [0, 0], 'played']);
}));

test('0-9: of two of one nick, a win that nobody saw has an unknown winner', inWorld({}, async (world) => {
  await world.open([], { probe: (place) => { if (place === 'stoc GAME_MSG') throw new Error('probe'); } });
  const [, two] = await world.play('room', ['Same', 'Same']);
  two.surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual(closed.games, [{ winner: 'unknown', reason: null, first: null }]);
}));

test('2: a match-winning card is 99', inWorld({}, async (world) => {
  await world.open([table(CODE, ONE)]);
  const [, bob] = await world.play('x');
  world.game(CODE).matchKill();
  await world.quiet();
  bob.surrender();
  assert.deepEqual(scores(await world.fact('room_closed')), [99, 0]);
}));

for (const [who, expected, duelEnd] of [[1, [1, -9], [0]], [0, [-9, 0], [1]]]) {
  test(`10.l: position ${who} leaves in game 2: -9, what was won is kept in the games`, inWorld({}, async (world) => {
    world.host.settings.modules.reconnect.enabled = false;
    await world.open([table(CODE)]);
    const players = await world.play('x');
    players[1].surrender();
    await world.gameOn(players, 2);
    players[who].drop();
    const closed = await world.fact('room_closed');
    assert.deepEqual([scores(closed), closed.duel_end, closed.away], [expected, duelEnd, [who]]);
    assert.deepEqual([closed.ending, closed.finished, winners(closed), closed.begun], ['played', true, [0], 2]);
    assert.equal(world.daemon.facts('game_over').length, 1);
  }));
}

test('10.l: both drop: who was away is in the record although srvpro keeps the points of the second', inWorld({}, async (world) => {
  const { reconnect } = world.host.settings.modules;
  reconnect.wait_time = 60;
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  bob.drop();
  await world.fact('player_dropped');
  reconnect.wait_time = 90000; // so that the first is gone before the second's time is over
  alice.drop();
  const closed = await world.fact('room_closed');
  assert.deepEqual([scores(closed), closed.away, closed.ending], [[1, -9], [0, 1], 'played']);
}));

for (const signal of ['SIGKILL', 'SIGSEGV', 'SIGABRT', 'SIGTERM']) {
  test(`0-5, 10.l: a process that dies of ${signal} at 1-0 is a crash, never a result`, inWorld({}, async (world) => {
    await world.open([table(CODE)]);
    const players = await world.play('x');
    players[1].surrender();
    await world.gameOn(players, 2);
    world.game(CODE).crash(signal);
    const closed = await world.fact('room_closed');
    assert.deepEqual([closed.ending, scores(closed), winners(closed)], ['crashed', [1, 0], [0]]);
    assert.deepEqual([closed.exit.signal, closed.exit.killed, closed.duel_end], [signal, false, []]);
    assert.deepEqual(world.srvpro.reports[0].scores, { Alice: 1, Bob: 0 });
  }));
}

test('0-5: a crash at 0-0 is told as one at once, where plain srvpro reports a tie', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  await world.play('x');
  world.game(CODE).crash();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, scores(closed)], ['crashed', [0, 0]]);
}));

test('10.l: a crash in siding, with a player away', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  bob.surrender();
  await world.fact('siding_began');
  bob.drop();
  await world.fact('player_dropped');
  world.game(CODE).crash();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.stage, closed.away], ['crashed', 'siding', [1]]);
}));

test('10.l: killed a moment after the last win was heard, the match is decided', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const players = await world.play('x');
  players[1].surrender();
  await world.gameOn(players, 2);
  world.host.ygopro.stoc_follow_after('GAME_MSG', true, async (buffer) => {
    if (buffer[0] === 5) world.game(CODE).crash('SIGKILL');
  });
  players[1].surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, scores(closed)], ['played', [2, 0]]);
}));

test('10.l: left before the start: no match, and nobody has won', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const players = await world.seat('x');
  for (const player of players) player.drop();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.players, closed.games, closed.started_at], ['unstarted', [], [], null]);
}));

test('10.0-1: without the plugin an exit that overtakes the last win is booked as 0-0', inWorld({}, async (world) => {
  const players = await world.play('M#room', ['Alice', 'Bob']);
  const game = world.game('M#room');
  for (let count = 0; count < 2; count += 1) {
    game.exitFirst = true;
    players[1].surrender();
    await until(() => game.over || world.games(players[0]) === count + 2);
  }
  await until(() => world.srvpro.reports.length);
  assert.deepEqual(world.srvpro.reports[0].scores, { Alice: 1, Bob: 0 });
}));

test('10.0-1: with it srvpro waits for the last win and books it', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const players = await world.play('x');
  world.game(CODE).exitFirst = true;
  players[1].surrender();
  await world.gameOn(players, 2);
  players[1].surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, scores(closed), winners(closed)], ['played', [2, 0], [0, 0]]);
  assert.deepEqual(world.srvpro.reports[0].scores, { Alice: 2, Bob: 0 });
  assert.deepEqual(closed.exit, { code: 0, signal: null, killed: false });
}));

test('10.l: a win that never comes is waited for a bounded time, and is a crash', inWorld({}, async (world) => {
  await world.open([table(CODE)], { settings: { exit_wait_ms: 60 } });
  await world.play('x');
  const room = world.room(CODE);
  const game = world.game(CODE);
  Object.assign(game, { over: true });
  game.exit(0, null);
  const begin = Date.now();
  const closed = await world.fact('room_closed');
  assert.ok(Date.now() - begin >= 50);
  assert.deepEqual([closed.ending, room.deleted], ['crashed', true]);
}));

test('10.l: kicked while it waits, it waits no longer', inWorld({}, async (world) => {
  await world.open([table(CODE)], { settings: { exit_wait_ms: 60000 } });
  await world.play('x');
  const game = world.game(CODE);
  Object.assign(game, { over: true });
  game.exit(0, null);
  await until(() => game.exitCode === 0);
  world.srvpro.api('kick', CODE);
  assert.equal((await world.fact('room_closed')).ending, 'kicked');
}));

test('10.k: a part of the final record that cannot be made costs that part only', inWorld({}, async (world) => {
  await world.open([table(CODE, ONE)]);
  await world.play('x');
  Object.defineProperty(world.room(CODE), 'wins', { get() { throw new Error('odd'); }, set() {} });
  world.srvpro.api('kick', CODE);
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.games, closed.players.length], ['kicked', [], 2]);
  assert.equal(world.room(CODE), undefined);
}));

for (const [loser, expected] of [[1, [1, 0]], [0, [0, 1]]]) {
  test(`seen: the last words to position 0 are lost, position ${loser} has lost: booked from what position 1 was told`, inWorld({}, async (world) => {
    await world.open([table(CODE, ONE)], { settings: { exit_wait_ms: 50 } });
    const players = await world.play('x');
    world.game(CODE).resets = 0;
    players[loser].surrender();
    const closed = await world.fact('room_closed');
    assert.deepEqual([closed.ending, scores(closed), closed.duel_end], ['played', expected, [1]]);
    assert.deepEqual(closed.games, [{ winner: 1 - loser, reason: 0, first: 0 }]);
    assert.deepEqual(Object.values(world.srvpro.reports[0].scores), expected);
  }));
}

/** Play best-of-one rooms that all end at once, the exits before the last wins; returns how the daemon knows them. */
async function burst(world, count) {
  const tables = Array.from({ length: count }, (_, index) => table(`X1R1T${index + 1}`, {
    a: { player: 2 * index + 1, nickname: `a${index}` }, b: { player: 2 * index + 2, nickname: `b${index}` }, ...ONE,
  }));
  await world.open(tables);
  const pairs = await Promise.all(tables.map((_, index) => world.play('x', [`a${index}`, `b${index}`])));
  for (const { code } of tables) world.game(code).exitFirst = true;
  pairs.forEach((pair, index) => pair[index % 2].surrender());
  await until(() => world.daemon.facts('room_closed').length === count, 20000);
  return tables.map(({ code }) => world.daemon.facts('room_closed', code));
}

for (const seed of [null, 1, 2, 3]) {
  const { seeded } = require('../harness/network');
  const how = seed === null ? 'in order' : `overtaking each other (seed ${seed})`;
  test(`10.0-1: 100 best-of-one rooms end at once, exits before wins, ${how}: every result is right`, async () => {
    const world = new World({ random: seed === null ? null : seeded(seed) });
    try {
      const told = await burst(world, 100);
      told.forEach((facts, index) => {
        const [closed] = facts;
        const expected = index % 2 ? [1, 0] : [0, 1];
        assert.deepEqual([facts.length, closed.ending, scores(closed)], [1, 'played', expected], closed.code);
      });
      for (const { name, scores: booked } of world.srvpro.reports) {
        const index = Number(name.slice(5)) - 1;
        assert.equal(booked[index % 2 ? `a${index}` : `b${index}`], 1, `srvpro's own report of ${name}`);
      }
    } finally {
      await world.close();
    }
  });
}
