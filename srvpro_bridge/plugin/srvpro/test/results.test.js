'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');

test('10.l: a best of three is told with wins, reasons and who began', inWorld({}, async (world) => {
  await world.open([table('X1R1T1')]);
  const [alice, bob] = await world.play('hello');
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  alice.surrender();
  await world.gameOn([alice, bob], 3);
  alice.hit(9000);
  const closed = await world.fact('room_closed');
  assert.equal(closed.ending, 'played');
  assert.deepEqual(closed.players.map(({ nickname, seat, score }) => [nickname, seat, score]), [['Alice', 'a', 2], ['Bob', 'b', 1]]);
  assert.deepEqual(closed.games, [
    { winner: 0, reason: 0, first: 0 }, { winner: 1, reason: 0, first: 1 }, { winner: 0, reason: 1, first: 0 },
  ]);
}));
