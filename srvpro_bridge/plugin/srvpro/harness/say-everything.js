'use strict';

/*
 * Makes the plugin say every message that it has, and prints what the daemon heard, one a line: for the daemon's own
 * tests, which read it with their types.
 */

const { World } = require('./world');
const { table } = require('./daemon');
const { until } = require('./network');
const { deck } = require('./player');

const seats = (a, b, change = {}) => ({ a: { nickname: a }, b: { nickname: b }, ...change });

/** A match with a refused deck, a drop, a return, death and somebody who leaves. */
async function match(world) {
  const [alice, bob] = await world.seat('x', ['Alice', 'Bob']);
  alice.hand = 2;
  alice.sendDeck();
  bob.sendDeck(deck(9)).sendDeck();
  await until(() => alice.all('HS_PLAYER_CHANGE').filter(({ info }) => (info.status & 0xf) === 9).length >= 2);
  alice.start();
  await world.gameOn([alice, bob]);
  bob.drop();
  await world.fact('player_dropped');
  bob.comeBack('');
  await world.fact('player_returned');
  world.daemon.say({ type: 'death', id: 'o1', code: 'X1R1T1' });
  await until(() => world.daemon.all('done').length);
  world.daemon.say({ type: 'death_cancel', id: 'o2', code: 'X1R1T1' });
  await until(() => world.daemon.all('done').length === 2);
  bob.surrender();
  await world.gameOn([alice, bob], 2);
  bob.drop();
  await world.fact('room_closed', 'X1R1T1');
}

async function visitors(world) {
  world.player('Zoe').join('x');
  await until(() => world.daemon.all('ask_seat').length);
  world.player('Carol$12').join('x');
  await until(() => world.daemon.all('ask_key').length);
  const eve = world.player('Eve').join('X1R1T1');
  await until(() => eve.closed);
  const [dan] = await world.seat('x', ['Dan$34']);
  dan.drop();
  await world.fact('player_left');
}

async function main() {
  const world = new World();
  const frozen = (first) => ({ check: 'frozen', ...deck(first) });
  world.daemon.policy.ask_seat = true;
  world.host.settings.modules.reconnect.wait_time = 100;
  await world.open([
    table('X1R1T1', { a: { deck: { check: 'ask' } }, b: { deck: frozen(2) }, options: { best_of: 3 } }),
    table('X1R1T2', seats('Carol', 'Dan', { seat_key: 'required', options: { best_of: 1, lflist: 9 } })),
  ]);
  await visitors(world);
  await match(world);
  await until(() => world.daemon.all('trouble').length && world.daemon.all('room_changed').length);
  for (const message of world.daemon.heard) console.log(JSON.stringify(message));
  await world.close();
}

main();
