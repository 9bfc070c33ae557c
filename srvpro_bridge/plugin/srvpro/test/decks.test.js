'use strict';

/* Decks that are sent: duel-server.md 5, 6, 10.g, rules D41-D44. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');
const { deck } = require('../harness/player');

const CODE = 'X1R1T1';
const frozen = (cards) => ({ deck: { check: 'frozen', ...cards } });
const FROZEN = { a: frozen(deck(1)), b: frozen(deck(2)) };
const ASK = { a: { deck: { check: 'ask' } } };
const ready = (player) => until(() => player.has('HS_PLAYER_CHANGE', ({ status }) => (status & 0xf) === 9));
const mixed = ({ main, side }) => ({ main: [...main].reverse(), side: [...side].reverse() });

test('10.g, D41: the frozen deck is accepted in any order', inWorld({}, async (world) => {
  await world.open([table(CODE, FROZEN)]);
  const [alice] = await world.seat('x', ['Alice']);
  alice.sendDeck(mixed(alice.cards));
  await ready(alice);
  const fact = await world.fact('deck_judged');
  assert.deepEqual([fact.verdict, fact.siding, fact.player.seat], ['accepted', false, 'a']);
}));

test('5, 10.g: another deck is refused with the card in chat and dialog, and he is not ready', inWorld({}, async (world) => {
  await world.open([table(CODE, FROZEN)]);
  const [alice] = await world.seat('x', ['Alice']);
  alice.sendDeck({ main: [...alice.cards.main.slice(1), 55144522], side: alice.cards.side });
  await until(() => alice.has('ERROR_MSG'));
  assert.ok(alice.has('ERROR_MSG', ({ msg, code }) => msg === 2 && code === 0x1349704a));
  assert.ok(alice.has('HS_PLAYER_CHANGE', ({ status }) => status === 0x0a));
  assert.ok(alice.all('CHAT').some(({ info }) => info.player === 11 && info.msg.includes('55144522')));
  assert.equal((await world.fact('deck_judged')).verdict, 'refused');
  alice.sendDeck();
  await ready(alice);
}));

test('D42: a card that is missing is named, and one moved to the side is no registered deck', inWorld({}, async (world) => {
  await world.open([table(CODE, FROZEN)]);
  const [alice] = await world.seat('x', ['Alice']);
  const [first, ...rest] = alice.cards.main;
  alice.sendDeck({ main: rest, side: alice.cards.side });
  await until(() => alice.read(`${first} missing: 1`));
  alice.sendDeck({ main: rest, side: [...alice.cards.side, first] });
  await until(() => alice.all('ERROR_MSG').length === 2);
}));

test('D43: siding moves cards, and nothing but the frozen cards', inWorld({}, async (world) => {
  await world.open([table(CODE, FROZEN)]);
  const [alice, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  bob.surrender();
  await world.fact('siding_began');
  alice.sendDeck({ main: [...alice.cards.main.slice(0, 39), 999], side: alice.cards.side });
  await until(() => alice.has('ERROR_MSG', ({ msg, code }) => msg === 3 && code === 0));
  assert.ok(!alice.has('HS_PLAYER_CHANGE', ({ status }) => status === 0x0a));
  const [first, ...rest] = alice.cards.main;
  const [swapped, ...others] = alice.cards.side;
  alice.sendDeck({ main: [...rest, swapped], side: [...others, first] });
  bob.sendDeck();
  await world.gameOn([alice, bob], 2);
  assert.deepEqual(world.daemon.facts('deck_judged').slice(2).map(({ verdict }) => verdict), ['refused', 'accepted', 'accepted']);
}));

test('0-10: a side deck that is handled while the room still says DUELING is judged as one', inWorld({}, async (world) => {
  await world.open([table(CODE, FROZEN)]);
  const [alice, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  bob.client.relayd.siding = true; // his CHANGE_SIDE has passed, that of position 0 has not
  const [first, ...rest] = bob.cards.main;
  const [swapped, ...others] = bob.cards.side;
  bob.sendDeck({ main: [...rest, swapped], side: [...others, first] });
  await until(() => world.daemon.facts('deck_judged').length === 3);
  assert.deepEqual(world.daemon.facts('deck_judged')[2].siding, true);
  assert.ok(!alice.has('ERROR_MSG'));
}));

test('10.g: who comes back while they side has his side deck checked, although CHANGE_SIDE passes the handlers by', inWorld({}, async (world) => {
  await world.open([table(CODE, FROZEN)]);
  const [alice, bob] = await world.play('x', undefined, [{ sides: false }, { sides: false }]);
  bob.surrender();
  await world.fact('siding_began');
  bob.drop();
  await world.fact('player_dropped');
  bob.comeBack('');
  await until(() => bob.has('CHANGE_SIDE'));
  bob.sendDeck({ main: [...bob.cards.main.slice(0, 39), 999], side: bob.cards.side });
  await until(() => bob.has('ERROR_MSG', ({ msg }) => msg === 3));
  alice.sendDeck();
  bob.sendDeck();
  await world.gameOn([alice, bob], 2);
}));

test('10.g: the deck of who comes back is srvpro\'s to judge', inWorld({}, async (world) => {
  await world.open([table(CODE, FROZEN)]);
  const [, bob] = await world.play('x');
  const before = world.daemon.facts('deck_judged').length;
  bob.drop();
  await world.fact('player_dropped');
  bob.comeBack('');
  await world.fact('player_returned');
  assert.equal(world.daemon.facts('deck_judged').length, before);
}));

test('10.g: the daemon judges, his later messages wait in order, and the other is not held', inWorld({}, async (world) => {
  await world.open([table(CODE, ASK)]);
  const [alice, bob] = await world.seat('x');
  alice.sendDeck().say('after the deck');
  const passed = [];
  world.host.ygopro.ctos_follow_after('UPDATE_DECK', true, async (buffer, info, client) => { passed.push(`deck of ${client.name}`); });
  world.host.ygopro.ctos_follow_after('CHAT', true, async (buffer, info, client) => { passed.push(`chat of ${client.name}`); });
  const question = await until(() => world.daemon.all('ask_deck')[0]);
  assert.deepEqual([question.code, question.seat, question.siding, question.main], [CODE, 'a', false, alice.cards.main]);
  bob.sendDeck();
  await ready(bob);
  assert.deepEqual(passed, ['deck of Bob']);
  world.daemon.say({ type: 'deck', id: question.id, ok: true, reason: '', card: 0 });
  await until(() => passed.length === 3);
  assert.deepEqual(passed, ['deck of Bob', 'deck of Alice', 'chat of Alice']);
}));

test('10.g: two decks in a row are judged in order, and the next one anew', inWorld({}, async (world) => {
  await world.open([table(CODE, ASK)]);
  world.daemon.answers.ask_deck = ({ main }) => ({ type: 'deck', ok: main[0] === deck(1).main[0], reason: 'forbidden', card: 7 });
  const [alice] = await world.seat('x', ['Alice']);
  alice.sendDeck(deck(5)).sendDeck(deck(1));
  await ready(alice);
  assert.ok(alice.read('forbidden') && alice.has('ERROR_MSG', ({ code }) => code === ((1 << 28) | 7)));
  assert.deepEqual(world.daemon.facts('deck_judged').map(({ verdict }) => verdict), ['refused', 'accepted']);
}));

test('10.g: gone before the verdict: nothing is passed on, and his return with another deck counts', inWorld({}, async (world) => {
  await world.open([table(CODE, ASK)]);
  const [alice] = await world.seat('x', ['Alice']);
  alice.sendDeck(deck(5));
  const first = await until(() => world.daemon.all('ask_deck')[0]);
  alice.drop();
  await until(() => world.room(CODE) === undefined);
  world.daemon.say({ type: 'deck', id: first.id, ok: true, reason: '', card: 0 });
  world.daemon.answers.ask_deck = () => ({ type: 'deck', ok: true, reason: '', card: 0 });
  const [again] = await world.seat('x', ['Alice']);
  again.sendDeck(deck(1));
  await ready(again);
  assert.deepEqual(again.client.main, deck(1).main);
}));

for (const [silence, verdict] of [['pass', 'unchecked'], ['refuse', 'refused']]) {
  test(`10.g: no verdict in time: ${silence}`, inWorld({}, async (world) => {
    world.daemon.policy.silence = silence;
    await world.open([table(CODE, ASK)], { settings: { deck_question_ms: 20 } });
    const [alice] = await world.seat('x', ['Alice']);
    alice.sendDeck();
    await until(() => (silence === 'pass' ? alice.has('HS_PLAYER_CHANGE') : alice.read('try again')));
    assert.equal((await world.fact('deck_judged')).verdict, verdict);
  }));

  test(`10.g: the link breaks before the verdict: ${silence}, at once`, inWorld({}, async (world) => {
    world.daemon.policy.silence = silence;
    await world.open([table(CODE, ASK)], { settings: { deck_question_ms: 60000 } });
    const [alice] = await world.seat('x', ['Alice']);
    alice.sendDeck();
    await until(() => world.daemon.all('ask_deck').length);
    await world.daemon.leave();
    await until(() => (silence === 'pass' ? alice.has('HS_PLAYER_CHANGE') : alice.read('try again')));
  }));
}

const MALFORMED = {
  'no bytes': Buffer.alloc(0),
  'half a header': Buffer.alloc(6),
  'counts that promise more': Buffer.concat([Buffer.from([40, 0, 0, 0, 0, 0, 0, 0]), Buffer.alloc(8)]),
  'counts that promise less': Buffer.concat([Buffer.alloc(8), Buffer.alloc(4)]),
  'counts beyond all decks': Buffer.alloc(8, 0xff),
  'a count of 257': Buffer.concat([Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]), Buffer.alloc(257 * 4)]),
};

for (const [what, payload] of Object.entries(MALFORMED)) {
  test(`F17: a deck with ${what} is refused and nothing else happens`, inWorld({}, async (world) => {
    await world.open([table(CODE)]);
    const [alice] = await world.seat('x', ['Alice']);
    alice.send({ name: 'UPDATE_DECK', payload });
    await until(() => alice.read('could not be read'));
    alice.sendDeck();
    await ready(alice);
  }));
}

test('10.g: strangers\' decks are nobody\'s but the game server\'s', inWorld({}, async (world) => {
  await world.open([table(CODE, { ...FROZEN, strangers: 'show' })]);
  const [eve] = await world.seat(CODE, ['Eve']);
  eve.sendDeck(deck(7));
  await ready(eve);
  assert.equal(world.daemon.facts('deck_judged').length, 0);
}));

test('5: the refusal speaks the player\'s language', inWorld({}, async (world) => {
  await world.open([table(CODE, FROZEN)]);
  const [alice] = await world.seat('x', ['Alice']);
  alice.client.lang = 'zh-cn';
  alice.sendDeck(deck(5));
  await until(() => alice.read('与登记的卡组不一致'));
}));
