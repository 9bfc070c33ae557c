'use strict';

/* Who comes in, and where to: duel-server.md 6, 10.a, 10.h, 10.0-5. */

const test = require('node:test');
const assert = require('node:assert/strict');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');
const { message } = require('../harness/wire');
const { deck } = require('../harness/player');

const CODE = 'X12R3T4';
const seated = (player) => until(() => player.has('TYPE_CHANGE'));
const away = (player) => until(() => player.closed);
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

const TYPED = [
  'hello', 'x12r3t4', 'M#X12R3T4', '', '   ', 'IP', 'ip', 'R', 'r', 'W', 'RC', 'RC123T4', 'R#99', 'AI', 'AI#foo', 'S', 'M', 'T',
  'T#X9', 'Marshtomp', 'the Big Brother', 'X$aa', 'X$bb', '01234567890123456789', 'übergroß', 'X99R9T9',
];

for (const typed of TYPED) {
  test(`10.a: who types "${typed}" is led to his table`, inWorld({}, async (world) => {
    await world.open([table(CODE)]);
    const alice = world.player('Alice').join(typed);
    await seated(alice);
    assert.deepEqual(world.srvpro.rooms().map(({ name }) => name), [CODE]);
    const fact = await world.fact('player_seated');
    assert.deepEqual(fact.player, { pos: 0, nickname: 'Alice', seat: 'a' });
  }));
}

test('10.a: two who type different things meet in their room', inWorld({}, async (world) => {
  await world.open([table(CODE, { room: 'M#X12R3T4' })]);
  const alice = world.player('Alice').join('X$aa');
  const bob = world.player('Bob').join('X$bb');
  await Promise.all([seated(alice), seated(bob)]);
  assert.deepEqual(world.srvpro.rooms().map(({ name, players }) => [name, players.length]), [['M#X12R3T4', 2]]);
}));

for (const nick of ['Alice', 'alice', ' ALICE ', 'Ａｌｉｃｅ', 'P000123', '000123', '123', 'p123']) {
  test(`6, rules 5.6: "${nick}" is Alice, number 123`, inWorld({}, async (world) => {
    await world.open([table(CODE, { a: { player: 123 } })]);
    await seated(world.player(nick).join('x'));
    assert.equal((await world.fact('player_seated')).player.seat, 'a');
  }));
}

test('6: a nickname with a title is known although srvpro takes the title off', inWorld({}, async (world) => {
  await world.open([table(CODE, { a: { nickname: 'Lv.5 Bob' }, b: { nickname: 'Zed' } })]);
  await seated(world.player('Lv.5 Bob').join('x'));
  const { player } = await world.fact('player_seated');
  assert.deepEqual(player, { pos: 0, nickname: 'Bob', seat: 'a' });
}));

test('10.a: who belongs to no table goes where he typed', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  await seated(world.player('Zoe').join('M#my room'));
  assert.ok(world.room('M#my room'));
}));

test('10.a: a wrong version, a closed server and an empty nick are refused by srvpro itself', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const old = world.player('Alice').join('x', { version: 4000 });
  await away(old);
  assert.ok(old.has('ERROR_MSG', ({ msg, code }) => msg === 4 && code === 4962));
  await away(world.player('').join('x'));
  world.host.settings.modules.stop = 'closed today';
  const late = world.player('Alice').join('x');
  await away(late);
  assert.ok(late.read('closed today'));
  assert.deepEqual(world.srvpro.rooms(), []);
}));

test('10.a: leading is off by a setting', inWorld({}, async (world) => {
  await world.open([table(CODE)], { settings: { lead: false } });
  await seated(world.player('Alice').join('hello'));
  assert.ok(world.room('hello'));
}));

test('10.a, 3: with Challonge on nobody is led, and players are still recognised', inWorld({}, async (world) => {
  Object.assign(world.host.settings.modules.challonge, { enabled: true, room: 'M#X12R3T4' });
  await world.open([table(CODE)]);
  await seated(world.player('Bob').join('anything'));
  assert.equal((await world.fact('player_seated')).player.seat, 'b');
  assert.equal(world.daemon.all('hello')[0].facts.challonge, true);
}));

test('10.a: a stranger is refused with a reason, and the daemon is told', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const eve = world.player('Eve').join('m#x12r3t4');
  await away(eve);
  assert.ok(eve.read('you are not one of its two players'));
  assert.ok(eve.has('ERROR_MSG', ({ msg, code }) => msg === 1 && code === 9));
  assert.deepEqual(world.srvpro.rooms(), []);
  const fact = await world.fact('join_refused');
  assert.deepEqual([fact.nickname, fact.code, fact.why], ['Eve', CODE, 'stranger']);
}));

test('6: a stranger may watch, but only once the match runs', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'watch' })]);
  const early = world.player('Eve').join(CODE);
  await away(early);
  assert.ok(early.read('not begun'));
  await world.play('x');
  const eve = world.player('Eve').join('x12r3t4');
  await until(() => world.room(CODE).watchers.length === 1);
  assert.ok(!eve.closed);
}));

test('decisions 4: where strangers are shown, one who sits down is shown to everybody at once', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'show' })]);
  const alice = world.player('Alice').join('x');
  await seated(alice);
  await seated(world.player('Eve').join(CODE));
  await until(() => alice.read('Eve is not one of the two players'));
  const facts = await until(() => (world.daemon.facts('player_seated').length === 2 ? world.daemon.facts('player_seated') : null));
  assert.deepEqual(facts.map(({ player }) => player.seat), ['a', null]);
}));

test('10.0-5: nobody is led to a finished table, or makes its room again', inWorld({}, async (world) => {
  await world.open([table(CODE, { finished: true })]);
  const alice = world.player('Alice').join('X12R3T4');
  await away(alice);
  assert.ok(alice.read('This match is over'));
  await seated(world.player('Bob').join('friendly game'));
  assert.deepEqual(world.srvpro.rooms().map(({ name }) => name), ['friendly game']);
  assert.equal((await world.fact('join_refused')).why, 'finished');
}));

for (const away of [false, true]) {
  test(`10.0-5: a match that has just ended is not begun anew, the daemon ${away ? 'away' : 'there'}`, inWorld({}, async (world) => {
    await world.open([table(CODE, { options: { best_of: 1 } })]);
    const [alice, bob] = await world.play('x');
    if (away) await world.daemon.leave();
    bob.surrender();
    await until(() => world.room(CODE) === undefined && alice.closed);
    const again = world.player('Alice').join(CODE);
    await until(() => again.closed);
    assert.ok(again.read('This match is over'));
    if (away) await world.daemon.open();
    await world.fact('room_closed');
    await until(() => world.plugin.core.spool.lines.size === 0);
    const { book } = world.plugin.core;
    assert.ok(book.isOver(book.tables.get(CODE)));
    world.daemon.say({ type: 'table', table: table(CODE) }); // knowing of it, the daemon wants another match there
    await until(() => !book.isOver(book.tables.get(CODE)));
    await seated(world.player('Alice').join('x'));
  }));
}

test('10.0-5: what the daemon leaves open although it knows of the end is open again after a while', inWorld({}, async (world) => {
  await world.open([table(CODE, { options: { best_of: 1 } })], { timing: { over: 50 } });
  const [, bob] = await world.play('x');
  bob.surrender();
  await world.fact('room_closed');
  await until(() => !world.plugin.core.book.isOver(world.plugin.core.book.tables.get(CODE)));
  await seated(world.player('Alice').join('x'));
}));

test('10.0-5: a match that crashed is begun anew under the same code', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  await world.play('x');
  world.game(CODE).crash();
  await world.fact('room_closed');
  await seated(world.player('Alice').join('x'));
}));

test('10.0-5: his next table comes before a finished one, whatever code he types', inWorld({}, async (world) => {
  await world.open([table('X12R3T4', { finished: true }), table('X12R4T1', { b: { nickname: 'Carol' } })]);
  await seated(world.player('Alice').join('X12R3T4'));
  assert.ok(world.room('X12R4T1'));
}));

test('R057: at two tables the code decides; without it he is told both', inWorld({}, async (world) => {
  await world.open([table('X12R3T4'), table('X13R1T1', { b: { nickname: 'Carol' } })]);
  const lost = world.player('Alice').join('hello');
  await away(lost);
  assert.ok(lost.read('X12R3T4 X13R1T1'));
  await seated(world.player('Alice').join('x13r1t1'));
  assert.ok(world.room('X13R1T1'));
}));

test('0-9, rules 5.6-3: two of one nickname at a table come in by their numbers', inWorld({}, async (world) => {
  await world.open([table(CODE, { a: { nickname: 'Same', player: 7 }, b: { nickname: 'Same', player: 8 } })]);
  const same = world.player('Same').join('x');
  await away(same);
  assert.ok(same.read('player number'));
  await seated(world.player('P000008').join('x'));
  assert.equal((await world.fact('player_seated')).player.seat, 'b');
}));

test('10.a: a second JOIN_GAME of a seated player changes nothing', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice] = await world.seat('x', ['Alice']);
  alice.send('JOIN_GAME', { pass: 'elsewhere' });
  await world.quiet();
  assert.deepEqual([alice.closed, world.srvpro.rooms().length], [false, 1]);
}));

test('10.a: one who is still waiting under his name gives his seat to who comes anew', inWorld({}, async (world) => {
  await world.open([table(CODE, { a: { player: 123 } })]);
  const [old] = await world.seat('x', ['Alice']);
  const [bob] = await world.seat('x', ['Bob']);
  const [fresh] = await world.seat('x', ['P000123']);
  assert.ok(old.closed);
  assert.deepEqual(world.room(CODE).players.map(({ name, pos }) => [name, pos]), [['Bob', 1], ['P000123', 0]]);
  assert.ok(!bob.closed && !fresh.closed);
  assert.equal((await world.fact('player_left')).player.nickname, 'Alice');
}));

test('10.a: also when he was alone there, and his room goes with him', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [old] = await world.seat('x', ['Alice']);
  const before = world.room(CODE);
  await world.seat('x', ['Alice']);
  assert.ok(old.closed);
  assert.notEqual(world.room(CODE), before);
  assert.equal((await world.fact('room_closed')).ending, 'unstarted');
}));

test('10.a, 0-7: a dropped player is back with any password, asked nothing', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  world.daemon.say({ type: 'table', table: table(CODE, { finished: true }) });
  bob.drop();
  await until(() => alice.read('Bob disconnected'));
  bob.comeBack('something else');
  await until(() => alice.read('Bob reconnected'));
  assert.equal(world.daemon.facts('join_refused').length, 0);
}));

test('10.a: the wrong deck does not bring him back, the right one then does', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [alice, bob] = await world.play('x');
  bob.drop();
  await world.fact('player_dropped');
  bob.comeBack('', { cards: deck(9) });
  await until(() => bob.read('Please pick your previous deck.'));
  bob.sendDeck();
  await world.fact('player_returned');
  assert.ok(alice.read('Bob reconnected'));
}));

test('3: who comes back under the other form of his name gets his seat, not a place to watch', inWorld({}, async (world) => {
  await world.open([table(CODE, { b: { player: 777 } })]);
  const [alice, bob] = await world.play('x');
  bob.drop();
  await world.fact('player_dropped');
  bob.comeBack('x', { nick: 'P000777' });
  await until(() => alice.read('Bob reconnected'));
  assert.equal(world.room(CODE).watchers.length, 0);
}));

test('6, 10.a: a second login of a seated player takes the seat with the right deck only', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const [, bob] = await world.play('x');
  const other = world.player('Bob').join('anything');
  other.sendDeck(deck(9));
  await until(() => other.read('Please pick your previous deck.'));
  assert.ok(!bob.closed);
  other.sendDeck(bob.cards);
  await away(bob);
  assert.ok(bob.read('logged in on other devices'));
  await world.fact('player_returned');
  assert.equal(world.daemon.facts('player_gone').length, 0);
}));

test('10.h: from another address he is back only where a key stands in his name', inWorld({}, async (world) => {
  await world.open([table(CODE, { seat_key: 'optional', b: { key: '77' } })]);
  const [alice, bob] = await world.play('x', ['Alice', 'Bob$77'], [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }]);
  bob.drop();
  await world.fact('player_dropped');
  bob.comeBack('x', { nick: 'Bob$77', ip: '10.0.0.3' });
  await until(() => alice.read('Bob reconnected'));
}));

test('10.a: gone while he is being asked about, he leaves no ghost', inWorld({}, async (world) => {
  world.daemon.policy.ask_seat = true;
  await world.open([table(CODE)]);
  const zoe = world.player('Zoe').join('x');
  await until(() => world.daemon.all('ask_seat').length);
  zoe.drop();
  await pause(600);
  assert.deepEqual(world.srvpro.rooms(), []);
}));

test('10.a: whom no table names, the daemon leads', inWorld({}, async (world) => {
  world.daemon.policy.ask_seat = true;
  world.daemon.answers.ask_seat = ({ nickname, typed }) => {
    assert.deepEqual([nickname, typed], ['Zoe', 'hello']);
    return { type: 'seat', code: CODE, seat: 'b', refuse: null };
  };
  await world.open([table(CODE)]);
  await seated(world.player('Zoe').join('hello'));
  assert.equal((await world.fact('player_seated')).player.seat, 'b');
}));

test('10.a: the daemon may refuse him, or let him go where he typed', inWorld({}, async (world) => {
  world.daemon.policy.ask_seat = true;
  const answers = [{ code: null, seat: null, refuse: 'Not today.' }, { code: null, seat: null, refuse: null }];
  world.daemon.answers.ask_seat = () => ({ type: 'seat', ...answers.shift() });
  await world.open([table(CODE)]);
  const zoe = world.player('Zoe').join('hello');
  await away(zoe);
  assert.ok(zoe.read('Not today.'));
  await seated(world.player('Yan').join('elsewhere'));
  assert.ok(world.room('elsewhere'));
  assert.equal((await world.fact('join_refused')).why, 'daemon');
}));

test('10.a: a question may take longer than srvpro waits for a join', inWorld({ joinTimeout: 60 }, async (world) => {
  world.daemon.policy.ask_seat = true;
  await world.open([table(CODE)]);
  const zoe = world.player('Zoe').join('hello');
  const { id } = await until(() => world.daemon.all('ask_seat')[0]);
  await pause(150);
  world.daemon.say({ type: 'seat', id, code: CODE, seat: 'b', refuse: null });
  await seated(zoe);
}));

test('10.a, 10.g: no answer, or a broken link, lets him go where he typed', inWorld({}, async (world) => {
  world.daemon.policy.ask_seat = true;
  await world.open([table(CODE)], { settings: { question_ms: 20 } });
  await seated(world.player('Zoe').join('one'));
  const yan = world.player('Yan').join('two');
  await until(() => world.daemon.all('ask_seat').length === 2);
  await world.daemon.leave();
  await seated(yan);
  assert.deepEqual(world.srvpro.rooms().map(({ name }) => name), ['one', 'two']);
}));

const KEYS = { seat_key: 'required', a: { key: '1234' }, b: { key: '5678' } };

for (const nick of ['Alice', 'Alice$', 'Alice$123', 'Alice$1234 ', 'Alice$5678']) {
  test(`10.h: "${nick}" does not open a seat whose key is 1234`, inWorld({}, async (world) => {
    await world.open([table(CODE, KEYS)]);
    const alice = world.player(nick).join(CODE);
    await away(alice);
    assert.ok(alice.read('missing or wrong'));
    assert.equal((await world.fact('join_refused')).why, 'key');
  }));
}

test('10.h: the right key opens it, and only the nickname is seen and told', inWorld({}, async (world) => {
  await world.open([table(CODE, KEYS)]);
  await seated(world.player('Alice$1234').join(CODE));
  assert.equal(world.room(CODE).players[0].name, 'Alice');
  const fact = await world.fact('player_seated');
  assert.equal(fact.player.nickname, 'Alice');
  assert.ok(!JSON.stringify([...world.daemon.records.values()]).includes('1234"'));
}));

test('10.h: a key that is optional is not needed, but never wrong', inWorld({}, async (world) => {
  await world.open([table(CODE, { ...KEYS, seat_key: 'optional' })]);
  await away(world.player('Alice$9').join(CODE));
  await seated(world.player('Alice').join(CODE));
}));

test('10.h: who sat down with his key is not driven out without it', inWorld({}, async (world) => {
  await world.open([table(CODE, { ...KEYS, seat_key: 'optional' })]);
  const [alice] = await world.seat(CODE, ['Alice$1234']);
  const thief = world.player('Alice').join(CODE);
  await away(thief);
  assert.ok(!alice.closed && thief.read('missing or wrong'));
}));

test('10.h: with srvpro in tournament mode the key still guards a running seat', inWorld({}, async (world) => {
  world.host.settings.modules.tournament_mode.enabled = true;
  await world.open([table(CODE, KEYS)]);
  const [alice, bob] = await world.play(CODE, ['Alice$1234', 'Bob$5678']);
  const thief = world.player('Bob').join(CODE);
  await away(thief);
  bob.drop();
  await world.fact('player_dropped');
  const second = world.player('Bob$0000').join(CODE);
  await away(second);
  bob.comeBack('x', { nick: 'Bob$5678' });
  await until(() => alice.read('Bob reconnected'));
}));

test('10.h: a key that only the daemon knows is asked for', inWorld({}, async (world) => {
  world.daemon.answers.ask_key = ({ code, seat, key }) => ({ type: 'key', ok: code === CODE && seat === 'a' && key === '1234' });
  await world.open([table(CODE, { seat_key: 'required' })]);
  await away(world.player('Alice$1').join(CODE));
  await seated(world.player('Alice$1234').join(CODE));
}));

for (const silence of ['pass', 'refuse']) {
  test(`10.h: a key that nobody judges in time: ${silence}`, inWorld({}, async (world) => {
    world.daemon.policy.silence = silence;
    await world.open([table(CODE, { seat_key: 'required' })], { settings: { question_ms: 20 } });
    const alice = world.player('Alice$1').join(CODE);
    await until(() => (silence === 'pass' ? alice.has('TYPE_CHANGE') : alice.read('try again')));
  }));
}

const KILLERS = [
  ['an empty PLAYER_INFO', { name: 'PLAYER_INFO', payload: Buffer.alloc(0) }],
  ['a PLAYER_INFO of 41 bytes', { name: 'PLAYER_INFO', payload: Buffer.alloc(41) }],
  ['a JOIN_GAME of 2 bytes', { name: 'JOIN_GAME', payload: Buffer.alloc(2) }],
  ['a JOIN_GAME before PLAYER_INFO', message('CTOS', 'JOIN_GAME', { pass: 'x' })],
  ['an EXTERNAL_ADDRESS of 1 byte', { name: 'EXTERNAL_ADDRESS', payload: Buffer.alloc(1) }],
];

for (const [what, packet] of KILLERS) {
  test(`0-6, 10.a: ${what} ends the connection, not the server`, inWorld({}, async (world) => {
    await world.open();
    const attacker = world.player('Mallory');
    attacker.send(packet);
    await away(attacker);
    assert.equal(world.srvpro.dead, null);
  }));
}

for (const [what, packet] of KILLERS.filter(([, { name, payload }]) => payload.length < 40 && name !== 'none')) {
  test(`0-6: without the plugin ${what} ends a plain server`, async () => {
    const { Srvpro } = require('../harness/srvpro');
    const srvpro = new Srvpro();
    srvpro.fromPlayer(srvpro.connect(() => {}), [packet]);
    await srvpro.network.quiet();
    assert.ok(srvpro.dead);
  });
}

test('6: an address before the name is what clients send behind a proxy', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  const alice = world.player('Alice');
  alice.send('EXTERNAL_ADDRESS', { address: 0 });
  alice.join('x');
  await seated(alice);
}));

test('10.0-3: the host cannot throw his opponent out, but a stranger', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'show' })]);
  const [alice, bob] = await world.seat(CODE);
  alice.send('HS_KICK', { pos: 1 });
  await until(() => alice.read('cannot be kicked'));
  assert.ok(!bob.closed);
  bob.drop();
  await away(bob);
  const [eve] = await world.seat(CODE, ['Eve']);
  alice.send('HS_KICK', { pos: 1 });
  await away(eve);
}));

test('10.f: texts are cut to what fits and speak the language of the player', inWorld({}, async (world) => {
  world.daemon.policy.ask_seat = true;
  world.daemon.answers.ask_seat = () => ({ type: 'seat', code: null, seat: null, refuse: `${'x'.repeat(244)}😀${'y'.repeat(100)}` });
  await world.open([table(CODE)]);
  const zoe = world.player('Zoe').join('hello');
  await away(zoe);
  assert.equal(zoe.chat[0], `[Server]: ${'x'.repeat(244)}\ufffd`);
  world.daemon.say({ type: 'table', table: table(CODE, { strangers: 'refuse' }) });
  const eve = world.player('Eve');
  eve.client.lang = 'zh-cn';
  await away(eve.join(CODE));
  assert.ok(eve.read('你不是本桌的选手'));
}));

test('6: a name that is cut through a character is told whole enough for any reader', inWorld({}, async (world) => {
  await world.open([table(CODE, { strangers: 'show' })]);
  await seated(world.player('Eve\ud83d').join(CODE));
  assert.equal((await world.fact('player_seated')).player.nickname, 'Eve\ufffd');
}));
