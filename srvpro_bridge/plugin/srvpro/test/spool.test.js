'use strict';

/* What is kept on disk until the daemon has it: duel-server.md 10.j, F32. */

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Spool, Guard } = require('../relayd');
const { until } = require('../harness/network');

const LIMIT = 1 << 20;
const record = (spool, nickname = 'n', essential = false) => spool.append({ type: 'join_refused', seq: spool.next, nickname }, essential);
const numbers = (spool) => [...spool.lines.keys()];
const synced = (spool) => until(() => !spool.syncing);

/** Run a test with a folder and a way to open the spool in it. */
function inFolder(body) {
  return async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'relayd-spool-'));
    const file = path.join(folder, 'spool');
    const opened = [];
    const said = [];
    const open = (limit = LIMIT) => {
      const guard = new Guard({ error: (text) => said.push(text) });
      opened.push(new Spool(file, limit, guard, { reopen: 10 }));
      return opened.at(-1);
    };
    try {
      await body({ folder, file, open, said });
    } finally {
      for (const spool of opened) { await synced(spool); spool.close(); }
      fs.rmSync(folder, { recursive: true, force: true });
    }
  };
}

test('10.j: records survive, in order and with their numbers, under the same name', inFolder(async ({ open }) => {
  const spool = open();
  assert.deepEqual([record(spool, 'one'), record(spool, 'two')], [1, 2]);
  const again = open();
  assert.deepEqual([again.id, again.next, again.first, numbers(again)], [spool.id, 3, 1, [1, 2]]);
  assert.deepEqual([...again.lines.values()].map((line) => JSON.parse(line).nickname), ['one', 'two']);
}));

test('10.j: what was acknowledged does not come again, and its numbers are not used again', inFolder(async ({ open }) => {
  const spool = open();
  for (let count = 0; count < 3; count += 1) record(spool);
  spool.ack(2);
  const again = open();
  assert.deepEqual([numbers(again), again.next], [[3], 4]);
  again.ack(3);
  const third = open();
  assert.deepEqual([numbers(third), third.next, third.first], [[], 4, 0]);
}));

for (let cut = 1; cut <= 40; cut += 3) {
  test(`10.j: a last line torn ${cut} bytes before its end is skipped, and the next record is readable`, inFolder(async ({ file, open }) => {
    const spool = open();
    record(spool, 'whole');
    record(spool, 'torn');
    await synced(spool);
    spool.close();
    fs.truncateSync(file, fs.statSync(file).size - cut);
    const again = open();
    assert.deepEqual(numbers(again), cut === 1 ? [1, 2] : [1]);
    record(again, 'after');
    const third = open();
    assert.deepEqual([...third.lines.values()].map((line) => JSON.parse(line).nickname).at(-1), 'after');
  }));
}

test('F02: a damaged line in the middle costs that line and is said', inFolder(async ({ file, open, said }) => {
  const spool = open();
  for (const name of ['one', 'two', 'three']) record(spool, name);
  await synced(spool);
  spool.close();
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"two"', '"two'));
  const again = open();
  assert.deepEqual(numbers(again), [1, 3]);
  assert.match(said.join(), /1 damaged lines/);
}));

test('a spool that is lost is a new spool: its numbers are not taken for the old ones', inFolder(async ({ file, open }) => {
  const spool = open();
  record(spool);
  fs.unlinkSync(file);
  const again = open();
  assert.notEqual(again.id, spool.id);
  assert.equal(again.next, 1);
}));

test('docs: numbers that the daemon already has are never used again', inFolder(async ({ open }) => {
  const spool = open();
  spool.skipTo(100);
  assert.equal(record(spool), 100);
  assert.equal(open().next, 101);
}));

test('10.j: a full spool refuses ordinary facts first and results last, and says how many', inFolder(async ({ open }) => {
  const spool = open(2000);
  const fill = (essential) => { let count = 0; while (record(spool, 'n', essential)) count += 1; return count; };
  const ordinary = fill(false);
  assert.equal(record(spool, 'n', false), 0);
  const results = fill(true);
  assert.ok(ordinary > 20 && results > 2 * ordinary);
  assert.equal(spool.lost, 3);
  assert.deepEqual(numbers(spool), numbers(spool).map((_, index) => index + 1), 'a refused record takes no number');
}));

test('10.j: the file is written anew when most of it is acknowledged', inFolder(async ({ file, open }) => {
  const spool = open(8 << 20);
  const name = 'x'.repeat(1000);
  for (let count = 0; count < 3000; count += 1) record(spool, name);
  await synced(spool);
  assert.ok(fs.statSync(file).size > 3e6);
  spool.ack(2999);
  await until(() => fs.statSync(file).size < 10000);
  assert.deepEqual(numbers(open()), [3000]);
}));

test('F32: a disk that takes no more: records stay in memory and are written when it does again', inFolder(async ({ file, open, said }) => {
  const spool = open();
  record(spool, 'before');
  await synced(spool);
  const write = fs.writeSync;
  fs.writeSync = () => { throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }); };
  try {
    assert.equal(record(spool, 'during'), 2);
    assert.match(said.join(), /ENOSPC.*only in memory/);
    assert.deepEqual([spool.fd, numbers(spool)], [null, [1, 2]]);
    await new Promise((resolve) => { setTimeout(resolve, 30); });
  } finally {
    fs.writeSync = write;
  }
  await until(() => spool.fd !== null);
  record(spool, 'after');
  assert.deepEqual([...open().lines.values()].map((line) => JSON.parse(line).nickname), ['before', 'during', 'after']);
  assert.ok(!fs.existsSync(`${file}.other`));
}));

test('F32: a write that takes only a part, as a full disk does, tears no other record', inFolder(async ({ open }) => {
  const spool = open();
  record(spool, 'before');
  await synced(spool);
  const write = fs.writeSync;
  let part = true;
  fs.writeSync = (fd, bytes, offset) => {
    if (!part) throw new Error('ENOSPC');
    part = false;
    return write(fd, bytes, offset, 5);
  };
  try { record(spool, 'during'); } finally { fs.writeSync = write; }
  const torn = open();
  assert.deepEqual(numbers(torn), [1]);
  await until(() => spool.fd !== null);
  assert.deepEqual(numbers(open()), [1, 2]);
}));

test('F32: an fsync that fails is not trusted: everything is written anew', inFolder(async ({ open, said }) => {
  const spool = open();
  const { fsync } = fs;
  fs.fsync = (fd, done) => setImmediate(done, new Error('EIO'));
  try {
    record(spool, 'one');
    await until(() => spool.fd === null);
  } finally {
    fs.fsync = fsync;
  }
  assert.match(said.join(), /EIO/);
  await until(() => spool.fd !== null);
  assert.deepEqual(numbers(open()), [1]);
}));

test('F32: a folder that is not there: everything works in memory until it is', inFolder(async ({ folder }) => {
  const said = [];
  const file = path.join(folder, 'later', 'spool');
  const spool = new Spool(file, LIMIT, new Guard({ error: (text) => said.push(text) }), { reopen: 10 });
  assert.equal(record(spool, 'one'), 1);
  fs.mkdirSync(path.join(folder, 'later'));
  await until(() => fs.existsSync(file));
  assert.match(fs.readFileSync(file, 'utf8'), /"one"/);
  spool.close();
}));

test('F23: the spool is readable by its owner alone', inFolder(async ({ file, open }) => {
  open();
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
}));

test('10.j: fsync follows in the background, one at a time, and covers what was written meanwhile', inFolder(async ({ open }) => {
  const spool = open();
  const { fsync } = fs;
  const calls = [];
  fs.fsync = (fd, done) => { calls.push(done); };
  try {
    for (let count = 0; count < 5; count += 1) record(spool);
    assert.equal(calls.length, 1);
    calls[0](null);
    assert.equal(calls.length, 2);
    calls[1](null);
    assert.equal(calls.length, 2);
  } finally {
    fs.fsync = fsync;
  }
}));
