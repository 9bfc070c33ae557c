'use strict';

/* Death-three, sudden death, and leads in death: duel-server.md 0-1 to 0-3, 2, 10.c, 10.d, 10.e. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');

const CODE = 'X1R1T1';
const ONE = { options: { best_of: 1 } };
const room = (world) => world.room(CODE);
const wantDeath = (world, change = {}) => world.daemon.say({ type: 'table', table: table(CODE, { ...change, death: true }) });
const scores = (closed) => closed.players.map(({ score }) => score);
const stateOf = (world) => world.daemon.facts('death_changed').map(({ state }) => state);

/** End turns until this one begins, unless the game ends before. */
async function turnTo(world, players, turn) {
  while (room(world) && room(world).turn < turn && room(world).duel_stage === 3) {
    const before = room(world).turn;
    players[0].endTurn();
    await until(() => !room(world) || room(world).turn !== before || room(world).duel_stage !== 3);
  }
  await world.quiet();
}

test('0-1, 0-2, 10.d: death for a room that waits is applied when it starts', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true, ...ONE })]);
  const players = await world.play('x');
  assert.equal(room(world).death, 5);
  assert.deepEqual(stateOf(world), ['three']);
  players[0].hit(500);
  await turnTo(world, players, 4);
  assert.equal(world.daemon.facts('game_over').length, 0);
  await turnTo(world, players, 5);
  const over = await world.fact('game_over');
  assert.deepEqual([over.winner, over.reason, over.turn, over.death], [0, 0, 5, 'three']);
  assert.deepEqual(scores(await world.fact('room_closed')), [1, 0]);
}));

test('2, T8: death that is called, and called off, shows in the room at once', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  await world.play('x');
  const shown = (wanted) => until(() => {
    const changes = world.daemon.all('room_changed');
    return changes.length > 0 && changes.at(-1).sight.death === wanted;
  });
  await shown(0);
  wantDeath(world);
  await shown(5);
  world.daemon.say({ type: 'table', table: table(CODE) });
  await shown(0);
}));

test('5.5-8: a lead that the games of a lost room even out ends nothing, and the next game is in death again', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true, carried: [1, 0] })]);
  const players = await world.play('x');
  const [alice, bob] = players;
  alice.surrender();
  await world.fact('siding_began');
  await world.gameOn(players);
  assert.equal(room(world).death, 5);
  bob.surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.games.length, closed.finished_by_death], ['played', 2, true]);
  assert.deepEqual(scores(closed), [1, -1]);
}));

test('5.5-8: a drawn game leaves the lead of a lost room, and that ends the match in death', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true, carried: [0, 1] })]);
  const players = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  players[0].hit(8000, 2);
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, closed.finished_by_death, scores(closed)], ['played', true, [-1, 0]]);
}));

test('5.5-8: nobody has won by games of a lost room before a game was played in the new one', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true, carried: [0, 1] })]);
  await world.play('x');
  assert.deepEqual([room(world).death, room(world).duel_count], [5, 1]);
}));

test('10.d: equal at the comparison, the next turn with a lead decides, as sudden death', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true, ...ONE })]);
  const players = await world.play('x');
  await turnTo(world, players, 6);
  assert.equal(room(world).death, -1);
  players[1].hit(300);
  await turnTo(world, players, 7);
  const over = await world.fact('game_over');
  assert.deepEqual([over.winner, over.death], [1, 'sudden']);
}));

test('10.d: a surrender in death counts as it would without', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true, ...ONE })]);
  const [, bob] = await world.play('x');
  bob.surrender();
  assert.deepEqual(scores(await world.fact('room_closed')), [1, 0]);
}));

test('2, 5.4: called in turn 2, that turn and three more are played', inWorld({}, async (world) => {
  await world.open([table(CODE, ONE)]);
  const players = await world.play('x');
  await turnTo(world, players, 2);
  wantDeath(world, ONE);
  await until(() => room(world).death);
  assert.equal(room(world).death, 6);
  players[0].hit(100);
  await turnTo(world, players, 5);
  assert.equal(world.daemon.facts('game_over').length, 0);
  await turnTo(world, players, 6);
  await world.fact('room_closed');
}));

test('2: called at the coin toss, game 1 has four turns', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.seat('x');
  alice.quiet = true;
  alice.sendDeck();
  bob.sendDeck();
  await until(() => alice.all('HS_PLAYER_CHANGE').length >= 2);
  alice.start();
  await until(() => alice.has('SELECT_HAND'));
  wantDeath(world);
  await until(() => room(world).death === 5);
}));

test('2: wanted twice, it is called once', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const players = await world.play('x');
  wantDeath(world);
  await until(() => room(world).death === 5);
  await turnTo(world, players, 3);
  wantDeath(world);
  await world.quiet();
  assert.equal(room(world).death, 5);
  assert.deepEqual(stateOf(world), ['three']);
}));

test('2: no longer wanted, it is called off; death that others called is left alone', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice] = await world.play('x');
  wantDeath(world);
  await until(() => room(world).death === 5);
  world.daemon.say({ type: 'table', table: table(CODE) });
  await until(() => room(world).death === 0);
  assert.ok(alice.read('canceled'));
  world.srvpro.api('death', CODE);
  world.daemon.say({ type: 'table', table: table(CODE) });
  await world.quiet();
  assert.equal(room(world).death, 5);
}));

for (const [first, expected] of [['Alice', [1, -1]], ['Bob', [-1, 1]]]) {
  test(`10.e, 0-3: ${first} leads after the game in death: the match ends, and nobody sends a side deck`, inWorld({}, async (world) => {
    await world.open([table(CODE, { death: true })]);
    const players = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
    const [winner, loser] = first === 'Alice' ? players : [...players].reverse();
    loser.surrender();
    const closed = await world.fact('room_closed');
    assert.deepEqual(scores(closed), expected);
    assert.deepEqual([closed.ending, closed.finished, closed.finished_by_death], ['played', true, true]);
    assert.deepEqual(stateOf(world), ['three', 'ended']);
    assert.equal(closed.games.length, 1);
    await until(() => winner.closed && loser.closed);
    for (const player of players) assert.ok(player.has('DUEL_END') && player.has('REPLAY'), player.nick);
    assert.ok(winner.read('congratulations'));
    assert.equal(world.daemon.facts('player_gone').length, 0);
  }));
}

for (const away of ['the leader', 'the loser']) {
  test(`10.e: the same with ${away} disconnected at that moment`, inWorld({}, async (world) => {
    await world.open([table(CODE, { death: true })]);
    const [alice, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
    (away === 'the leader' ? alice : bob).drop();
    await world.fact('player_dropped');
    if (away === 'the leader') bob.surrender();
    else alice.hit(9000);
    const closed = await world.fact('room_closed');
    assert.deepEqual(scores(closed), [1, -1]);
    assert.deepEqual(closed.away, [away === 'the leader' ? 0 : 1]);
  }));
}

test('10.e: a player who stops reading does not keep the room from ending', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true })], { timing: { send: 30 } });
  const [, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  bob.surrender();
  await world.quiet();
  bob.client.stuck = true;
  const closed = await world.fact('room_closed');
  assert.deepEqual(scores(closed), [1, -1]);
}));

test('10.e: it does not fire at 1-1: game 3 has four turns', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const players = await world.play('x');
  players[1].surrender();
  await world.gameOn(players, 2);
  wantDeath(world);
  await until(() => room(world).death);
  players[0].surrender();
  await world.gameOn(players, 3);
  assert.deepEqual([room(world).death, room(world).duel_count], [5, 3]);
  players[0].hit(100);
  await turnTo(world, players, 5);
  assert.deepEqual(scores(await world.fact('room_closed')), [2, 1]);
}));

test('10.e: it does not fire at 0-0 after a drawn game', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true })]);
  const players = await world.play('x');
  players[0].hit(9000, 2);
  await world.gameOn(players, 2);
  assert.deepEqual([room(world).death, room(world).duel_count], [5, 2]);
  assert.equal((await world.fact('game_over')).winner, 'draw');
}));

test('2: called at 1-0 while they side, the match ends at once', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  bob.surrender();
  await world.fact('siding_began');
  wantDeath(world);
  const closed = await world.fact('room_closed');
  assert.deepEqual([scores(closed), closed.finished_by_death], [[1, -1], true]);
}));

test('2: called at 1-0 in the coin stage of game 2, game 2 is never played', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  bob.quiet = true;
  bob.surrender();
  await world.fact('siding_began');
  bob.sendDeck();
  await until(() => bob.has('SELECT_TP'));
  wantDeath(world);
  assert.deepEqual(scores(await world.fact('room_closed')), [1, -1]);
  assert.equal(world.games(alice), 1);
}));

test('2: called at 1-1 while they side, game 3 has four turns', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  bob.quiet = true;
  alice.surrender();
  await until(() => world.daemon.facts('siding_began').length === 2);
  wantDeath(world);
  await until(() => room(world).death === 5);
}));

test('2, 5.4: called in the moment between a win and the side decks, nothing is booked twice', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  const before = world.host.ygopro.stoc_follow_after;
  before('GAME_MSG', true, async (buffer) => {
    if (buffer[0] === 5) world.plugin.orders.heard({ type: 'table', table: table(CODE, { death: true }) });
  });
  bob.surrender();
  assert.deepEqual(scores(await world.fact('room_closed')), [1, -1]);
}));

test('2: called when 2-0 has just been reached, the loser keeps his 0', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  world.host.ygopro.stoc_follow_after('GAME_MSG', true, async (buffer) => {
    if (buffer[0] === 5) world.plugin.orders.heard({ type: 'table', table: table(CODE, { death: true }) });
  });
  bob.surrender();
  assert.deepEqual(scores(await world.fact('room_closed')), [2, 0]);
}));

test('10.c: an extra game is sudden death from the start, said to both', inWorld({}, async (world) => {
  await world.open([table('X1R1T1S', { ...ONE, sudden_death: true })]);
  const players = await world.play('x');
  const at = world.room('X1R1T1S');
  assert.equal(at.death, -1);
  for (const player of players) assert.ok(player.read('Extra game'));
  for (let turn = 2; turn <= 6; turn += 1) players[0].endTurn();
  await until(() => at.turn === 6);
  players[0].hit(100);
  players[0].endTurn();
  const over = await world.fact('game_over');
  assert.deepEqual([over.winner, over.death, over.turn], [0, 'sudden', 7]);
  assert.deepEqual(scores(await world.fact('room_closed')), [1, 0]);
}));

test('10.c: both fall to 0 at once: nobody has won, another game is the daemon\'s to order', inWorld({}, async (world) => {
  await world.open([table('X1R1T1S', { ...ONE, sudden_death: true })]);
  const [alice] = await world.play('x');
  alice.hit(9000, 2);
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, scores(closed), closed.games[0].winner], ['played', [0, 0], 'draw']);
}));

test('10.c: in a match it is set again for each game, and the first win ends it', inWorld({}, async (world) => {
  await world.open([table('X1R1T1S', { sudden_death: true })]);
  const players = await world.play('x');
  players[0].hit(9000, 2);
  await world.gameOn(players, 2);
  assert.equal(world.room('X1R1T1S').death, -1);
  players[1].surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual([scores(closed), closed.finished_by_death], [[1, -1], true]);
  assert.equal(players[0].chat.filter((line) => line.includes('Extra game')).length, 1);
}));

test('2: under rule 1 a lead ends nothing, and the plugin does not leave a room in siding for ever', inWorld({}, async (world) => {
  world.host.settings.modules.http.quick_death_rule = 1;
  await world.open([table(CODE, { death: true })], { settings: { death_rule: 0 } });
  const players = await world.play('x');
  assert.deepEqual([room(world).death, stateOf(world)], [-1, ['sudden']]);
  players[1].surrender();
  await world.gameOn(players, 2);
  assert.equal(world.daemon.all('hello')[0].facts.quick_death_rule, 1);
}));

test('2: rule 2 is set when the plugin starts, unless a setting leaves it', inWorld({}, async (world) => {
  world.host.settings.modules.http.quick_death_rule = 1;
  await world.open();
  assert.equal(world.host.settings.modules.http.quick_death_rule, 2);
}));

test('F31: death is applied while the daemon is away, too', inWorld({}, async (world) => {
  await world.open([table(CODE, { death: true })]);
  await world.daemon.leave();
  const [, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  assert.equal(room(world).death, 5);
  bob.surrender();
  await until(() => !room(world));
  await world.daemon.open();
  assert.deepEqual(scores(await world.fact('room_closed')), [1, -1]);
}));

test('10.k: what failing handlers have missed, the sweep makes good', inWorld({}, async (world) => {
  const failing = ['stoc DUEL_START', 'stoc CHANGE_SIDE', 'stoc GAME_MSG'];
  const probe = (place) => { if (failing.includes(place)) throw new Error('probe'); };
  await world.open([table(CODE, { death: true })], { probe, timing: { sweep: 5 } });
  const [, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  await until(() => room(world).death === 5);
  bob.surrender();
  const closed = await world.fact('room_closed');
  assert.deepEqual([closed.ending, scores(closed), closed.games.map(({ winner }) => winner)], ['played', [1, -1], [0]]);
}));
