'use strict';

/* The connection to the daemon: duel-server.md 10.i, docs/protocol.md. */

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const net = require('node:net');
const { once } = require('node:events');
const { inWorld } = require('../harness/world');
const { table } = require('../harness/daemon');
const { until } = require('../harness/network');

const CODE = 'X1R1T1';

test('10.i: the daemon may come later than the duel server', inWorld({}, async (world) => {
  await world.daemon.open();
  await world.daemon.leave();
  Object.assign(world.settings, { url: `ws://127.0.0.1:${world.daemon.port}/plugin` });
  world.start();
  await new Promise((resolve) => { setTimeout(resolve, 30); });
  await world.daemon.open();
  await until(() => world.daemon.all('rooms').length);
}));

test('10.i: a match that was played while the daemon was away comes later, complete and in order', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  await world.daemon.leave();
  const players = await world.play('x');
  players[1].surrender();
  await world.gameOn(players, 2);
  players[1].surrender();
  await until(() => world.room(CODE) === undefined);
  assert.equal(world.daemon.records.size, 0);
  await world.daemon.open();
  await world.fact('room_closed');
  const seqs = [...world.daemon.records.values()].map(({ seq }) => seq);
  assert.deepEqual(seqs, seqs.map((_, index) => index + 1));
  assert.deepEqual([...world.daemon.records.values()].map(({ type }) => type).filter((type) => /game|room/.test(type)), [
    'room_opened', 'game_started', 'game_over', 'game_started', 'game_over', 'room_closed',
  ]);
}));

test('docs: after the backlog come the open rooms, with the number of the last record before them', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  await world.daemon.leave();
  await world.seat('x');
  await world.daemon.open();
  const rooms = await until(() => world.daemon.all('rooms')[1]);
  assert.equal(rooms.after, 3);
  assert.deepEqual(rooms.rooms[0].players.map(({ nickname, seat }) => [nickname, seat]), [['Alice', 'a'], ['Bob', 'b']]);
  const order = world.daemon.heard.slice(-4).map(({ type }) => type);
  assert.deepEqual(order, ['room_opened', 'player_seated', 'player_seated', 'rooms']);
}));

test('docs: what is not acknowledged comes again, what is does not', inWorld({}, async (world) => {
  await world.open([table(CODE)]);
  world.daemon.acks = false;
  await world.seat('x');
  await until(() => world.daemon.records.size === 3);
  world.daemon.acked = 2; // the daemon had only these in its log
  for (const socket of world.daemon.sockets) socket.terminate();
  world.daemon.acks = true;
  await until(() => world.daemon.all('rooms').length === 2);
  assert.deepEqual(world.daemon.heard.filter(({ seq }) => seq).map(({ seq }) => seq), [1, 2, 3, 3]);
  await until(() => world.plugin.core.spool.lines.size === 0);
}));

test('docs: a daemon that has forgotten everything is welcomed by the records that are still there', inWorld({}, async (world) => {
  await world.open();
  const { core } = world.plugin;
  const refused = (count) => core.keep({ type: 'join_refused', at: 1, nickname: `n${count}`, code: null, why: 'stranger' });
  for (let count = 0; count < 600; count += 1) refused(count);
  await until(() => core.spool.lines.size === 0);
  await world.daemon.leave();
  Object.assign(world.daemon, { spool: null, acked: 0, heard: [] });
  world.daemon.records.clear();
  refused('last');
  await world.daemon.open();
  const rooms = await until(() => world.daemon.all('rooms')[0]);
  assert.equal(rooms.after, 601);
  assert.deepEqual([...world.daemon.records.values()].map(({ seq, nickname }) => [seq, nickname]), [[601, 'nlast']]);
}));

test('docs: at most 256 records are on the way without an acknowledgement', inWorld({}, async (world) => {
  await world.open();
  world.daemon.acks = false;
  for (let count = 0; count < 400; count += 1) {
    world.plugin.core.keep({ type: 'join_refused', at: 1, nickname: `n${count}`, code: null, why: 'stranger' });
  }
  await until(() => world.daemon.records.size === 256);
  await new Promise((resolve) => { setTimeout(resolve, 30); });
  assert.equal(world.daemon.records.size, 256);
  world.daemon.acks = true;
  world.daemon.say({ type: 'ack', seq: 256 });
  await until(() => world.daemon.records.size === 400 && world.plugin.core.spool.lines.size === 0);
}));

test('10.i: a daemon that hangs with an open socket is given up', inWorld({}, async (world) => {
  await world.open([], { timing: { ping: 20 } });
  for (const socket of world.daemon.sockets) socket._socket.pause(); // no pong
  await until(() => world.daemon.connections === 2);
}));

test('docs: a daemon that acknowledges nothing gets a new connection, and the records again', inWorld({}, async (world) => {
  await world.open([table(CODE)], { timing: { ping: 20, ack: 50 } });
  world.daemon.acks = false;
  await world.seat('x', ['Alice']);
  await until(() => world.daemon.connections >= 2);
  await until(() => world.daemon.heard.filter(({ seq }) => seq === 1).length >= 2);
  assert.equal(world.daemon.records.size, 2);
}));

test('10.i: a handshake that is never answered is given up', inWorld({}, async (world) => {
  const mute = net.createServer(() => {}).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  Object.assign(world.settings, { url: `ws://127.0.0.1:${mute.address().port}/` });
  let calls = 0;
  mute.on('connection', () => { calls += 1; });
  world.start({ timing: { handshake: 30 } });
  await until(() => calls >= 2);
  mute.close();
}));

test('docs: no welcome after hello, and the connection is given up', inWorld({}, async (world) => {
  world.daemon.silent = true;
  await world.open([], { timing: { welcome: 20 }, linked: false });
  await until(() => world.daemon.all('hello').length >= 2);
  world.daemon.silent = false;
  await until(() => world.daemon.all('rooms').length);
}));

test('10.i: a token that is refused is tried again, and read anew each time', inWorld({}, async (world) => {
  fs.writeFileSync(world.settings.token_file, 'old');
  await world.open([], { linked: false });
  await until(() => world.srvpro.spoken.some((line) => line.includes('401')));
  fs.writeFileSync(world.settings.token_file, 'secret');
  await until(() => world.daemon.all('rooms').length);
}));

test('a token file that is missing, or an address that is none: the server lives', inWorld({}, async (world) => {
  Object.assign(world.settings, { url: 'nonsense://', token_file: '/nowhere/token' });
  world.start();
  await until(() => world.srvpro.spoken.some((line) => line.includes('link')));
  await world.seat('x', ['Alice']);
  assert.ok(world.srvpro.spoken.some((line) => line.includes('token')));
}));

test('docs: goodbye is logged with its reason, and the plugin comes again', inWorld({}, async (world) => {
  await world.open();
  world.daemon.say({ type: 'goodbye', code: 'version', text: 'update the plugin' });
  for (const socket of world.daemon.sockets) socket.close();
  await until(() => world.daemon.all('rooms').length === 2);
  assert.ok(world.srvpro.spoken.some((line) => line.includes('version: update the plugin')));
}));

const BAD = [
  'no JSON', '[]', 'null', '{"type":5}', '{"type":"nonsense"}', '{"type":"ack"}', '{"type":"ack","seq":0}', '{"type":"ack","seq":99}',
  '{"type":"ack","seq":1,"more":1}', '{"type":"tables","tables":[{}]}', '{"type":"toString"}', '{"type":"__proto__"}',
  '{"type":"say","id":"","code":"X1R1T1","seat":null,"text":"","colour":"red"}',
  '{"type":"say","id":"a","code":"x1r1t1","seat":null,"text":"","colour":"red"}',
  '{"type":"say","id":"a","code":"X1R1T1","seat":"c","text":"","colour":"red"}',
  `{"type":"say","id":"a","code":"X1R1T1","seat":null,"text":"${'x'.repeat(501)}","colour":"red"}`,
  `{"type":"table","table":${'['.repeat(10000)}${']'.repeat(10000)}}`,
  Buffer.from('{"type":"ack","seq":1}'),
];

for (const frame of BAD) {
  test(`10.i, F17: the daemon says ${String(frame).slice(0, 50)}: ignored, logged, and told`, inWorld({}, async (world) => {
    await world.open();
    for (const socket of world.daemon.sockets) socket.send(frame);
    await until(() => world.daemon.all('trouble').length);
    world.daemon.say({ type: 'tables', tables: [table(CODE)] });
    await until(() => world.plugin.core.book.tables.size === 1);
    assert.equal(world.daemon.connections, 1);
  }));
}

test('docs: an order before welcome is not obeyed', inWorld({}, async (world) => {
  world.daemon.silent = true;
  await world.open([], { linked: false });
  await until(() => world.daemon.all('hello').length);
  world.daemon.say({ type: 'tables', tables: [table(CODE)] });
  await until(() => world.srvpro.spoken.some((line) => line.includes('before welcome')));
  assert.equal(world.plugin.core.book.tables.size, 0);
}));

test('docs: tables are replaced, changed and taken away', inWorld({}, async (world) => {
  await world.open([table('X1R1T1'), table('X1R1T2', { a: { nickname: 'Carol' }, b: { nickname: 'Dan' } })]);
  const { book } = world.plugin.core;
  world.daemon.say({ type: 'table', table: table('X1R1T1', { a: { nickname: 'Alicia' } }) });
  await until(() => book.placesOf(['Alicia']).length === 1);
  assert.equal(book.placesOf(['Alice']).length, 0);
  world.daemon.say({ type: 'table_gone', code: 'X1R1T2' });
  await until(() => book.placesOf(['Carol']).length === 0);
  world.daemon.say({ type: 'tables', tables: [] });
  await until(() => book.tables.size === 0 && book.places.size === 0);
}));

test('trouble is told once a minute for each place, with how often it was', inWorld({}, async (world) => {
  let failing = true;
  await world.open([], { probe: (place) => { if (failing && place === 'ctos HS_KICK') throw new Error('probe'); } });
  const [zoe] = await world.seat('x', ['Zoe']);
  for (let count = 0; count < 5; count += 1) zoe.send('HS_KICK', { pos: 1 });
  await world.quiet();
  failing = false;
  await until(() => world.daemon.all('trouble').length);
  assert.deepEqual(world.daemon.all('trouble').map(({ place, count }) => [place, count]), [['ctos HS_KICK', 1]]);
  assert.equal(world.plugin.core.guard.counts.get('ctos HS_KICK'), 5);
}));

test('10.i: 20,000 records are kept and sent without a pause of the server', inWorld({}, async (world) => {
  await world.open();
  const { core } = world.plugin;
  for (let count = 0; count < 20000; count += 1) {
    core.keep({ type: 'join_refused', at: 1, nickname: 'n', code: null, why: 'stranger' });
    if (count % 500 === 0) await new Promise((resolve) => { setImmediate(resolve); });
  }
  await until(() => world.daemon.records.size === 20000, 30000);
  await until(() => core.spool.lines.size === 0);
  assert.ok(fs.statSync(world.settings.spool).size < 2 << 20, 'the file is written anew as it is acknowledged');
}));
