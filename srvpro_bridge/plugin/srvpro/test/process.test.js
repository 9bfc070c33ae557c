'use strict';

/* The plugin in a real process, loaded as srvpro loads it, killed and restarted: duel-server.md 0-6, 10.j, 10.k, F31. */

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { createInterface } = require('node:readline');
const { Daemon, table } = require('../harness/daemon');
const { until } = require('../harness/network');

const HOME = path.join(__dirname, '..');

/** Run a test with a folder that looks like srvpro's, a daemon, and a way to start the server. */
function withServer(settings, body) {
  return async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'relayd-server-'));
    const daemon = await new Daemon().open();
    const running = [];
    const start = (task, count) => {
      const child = spawn(process.execPath, [path.join(HOME, 'harness', 'child.js'), folder, task, count]);
      const lines = [];
      createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
      const said = [];
      createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
      running.push(child);
      return { child, lines, said, exited: once(child, 'exit') };
    };
    try {
      install(folder, { url: `ws://127.0.0.1:${daemon.port}/plugin`, ...settings });
      await body({ daemon, start, folder });
    } finally {
      for (const child of running) child.kill('SIGKILL');
      await daemon.leave();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** What the operator does: copy two files and set two lines. srvpro has `ws` in its node_modules. */
function install(folder, settings) {
  fs.mkdirSync(path.join(folder, 'plugins'));
  fs.symlinkSync(path.join(HOME, 'node_modules'), path.join(folder, 'node_modules'));
  fs.copyFileSync(path.join(HOME, 'relayd.js'), path.join(folder, 'plugins', 'relayd.js'));
  fs.writeFileSync(path.join(folder, 'token'), 'secret');
  const lines = Object.entries({ server: 'main', token_file: './token', ...settings }).map(([key, value]) => `${key} = ${value}\n`);
  fs.writeFileSync(path.join(folder, 'plugins', 'relayd.conf'), lines.join(''));
}

const tables = (count) => Array.from({ length: count }, (_, index) => table(`X1R1T${index + 1}`, {
  a: { player: 2 * index + 1, nickname: `a${index}` }, b: { player: 2 * index + 2, nickname: `b${index}` }, options: { best_of: 1 },
}));

for (const away of [false, true]) {
  test(`10.j: kill -9 again and again while 30 rooms end, the daemon ${away ? 'away' : 'there'}: every win that was seen is told`, withServer({}, async ({ daemon, start }) => {
    for (const wins of away ? [3, 25] : [1, 5, 10, 20, 30]) {
      daemon.tables = tables(30);
      daemon.records.clear();
      const { child, lines, exited } = start('play', 30);
      await until(() => lines.includes('ready'), 20000);
      if (away) await daemon.leave();
      await until(() => lines.length > wins);
      child.kill('SIGKILL');
      await exited;
      const seen = lines.filter((line) => line.startsWith('won ')).map((line) => line.slice(4));
      if (away) await daemon.open();
      const again = start('idle');
      await until(() => daemon.all('rooms').length && seen.every((code) => daemon.fact('game_over', code)), 20000);
      for (const code of seen) assert.deepEqual(daemon.fact('game_over', code).scores, [1, 0]);
      again.child.kill('SIGKILL');
      await again.exited;
    }
  }));
}

test('10.j, F31: what was acknowledged does not come again after a restart of the server, or of the daemon', withServer({}, async ({ daemon, start }) => {
  daemon.tables = tables(1);
  const first = start('play', 1);
  await until(() => daemon.fact('room_closed'), 20000);
  await until(() => first.lines.length === 2);
  await new Promise((resolve) => { setTimeout(resolve, 50); });
  first.child.kill('SIGKILL');
  await first.exited;
  const before = daemon.heard.length;
  await daemon.leave();
  await daemon.open();
  start('idle');
  await until(() => daemon.heard.slice(before).some(({ type }) => type === 'rooms'), 20000);
  const [hello, rooms] = daemon.heard.slice(before);
  assert.deepEqual([hello.type, rooms.type, rooms.rooms], ['hello', 'rooms', []]);
  assert.notEqual(hello.boot, daemon.all('hello')[0].boot, 'its rooms are gone, and the daemon can tell');
  assert.equal(hello.spool, daemon.all('hello')[0].spool);
}));

test('0-6, 10.k: with guards the process outlives throws and rejections of others', withServer({}, async ({ start, daemon }) => {
  daemon.tables = tables(1);
  const { lines, said } = start('suffer');
  await until(() => lines.includes('alive'), 20000);
  await until(() => daemon.all('trouble').length >= 2);
  assert.ok(said.some((line) => line.includes('a timer of somebody else')));
  assert.ok(said.some((line) => line.includes('unhandled rejection')));
}));

test('0-6: without guards it does not: they are the last net', withServer({ guards: 'off' }, async ({ start }) => {
  const { exited, lines } = start('suffer');
  const [code] = await exited;
  assert.notEqual(code, 0);
  assert.ok(!lines.includes('alive'));
}));
