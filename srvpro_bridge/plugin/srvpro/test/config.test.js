'use strict';

/* The config file, loading, and that the two sides of the protocol agree with the document. */

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseConfig, load, readFrame, DEFAULTS } = require('../relayd');
const { inWorld } = require('../harness/world');
const { Srvpro } = require('../harness/srvpro');

const SAMPLE = fs.readFileSync(path.join(__dirname, '..', 'relayd.conf'), 'utf8');
const DOCUMENT = path.join(__dirname, '..', '..', '..', '..', 'docs', 'protocol.md');

test('the sample names every setting once, with its default, and says what each is for', () => {
  const shown = [...SAMPLE.matchAll(/^#?(\w+) = ?(.*)$/gm)].map(([, key, value]) => [key, value]);
  assert.deepEqual(shown.map(([key]) => key).sort(), Object.keys(DEFAULTS).sort());
  for (const [key, value] of shown) {
    if (['server', 'token_file'].includes(key)) continue;
    const { settings } = parseConfig(`${key} = ${value}`);
    assert.equal(settings[key], DEFAULTS[key], key);
  }
});

test('the sample as it comes asks for the server\'s id, and for nothing else', () => {
  assert.deepEqual(parseConfig(SAMPLE).problems, ['server must be set']);
});

test('values, comments and blanks are read', () => {
  const { settings, problems } = parseConfig('server=one # which\r\n\n  token_file = a b#c\nlead = off\nspool_kib = 12 # KiB\n');
  assert.deepEqual(problems, []);
  assert.deepEqual([settings.server, settings.token_file, settings.lead, settings.spool_kib], ['one', 'a b#c', false, 12]);
});

test('each mistake is said with its line and what would be right', () => {
  const { problems } = parseConfig('server = a\ntoken_file = b\nlead = yes\nspool_kib = many\nsprool = x\nnonsense\n');
  assert.deepEqual(problems.map((problem) => problem.slice(0, 40)), [
    'line 3: lead is on or off, not "yes"', 'line 4: spool_kib is a whole number, not', 'line 5: there is no setting sprool; ther', 'line 6: "nonsense" is not key = value',
  ]);
});

/** Load as srvpro does, with this config; returns the plugin (or null) and what was logged. */
function loadWith(config) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'relayd-load-'));
  const said = [];
  const { host } = new Srvpro();
  const log = (text) => said.push(text);
  Object.assign(host, { log: { info: log, error: log } });
  if (config) fs.writeFileSync(path.join(folder, 'relayd.conf'), config(folder));
  const plugin = load(host, path.join(folder, 'relayd.conf'));
  if (plugin) plugin.stop();
  fs.rmSync(folder, { recursive: true });
  return { plugin, said: said.join('\n'), host };
}

test('5: no config file, or a wrong one: the plugin stays off with a clear word, and the server lives', () => {
  const missing = loadWith(null);
  assert.match(missing.said, /stays off.*relayd\.conf/);
  const wrong = loadWith(() => 'server = a\nlaed = on\n');
  assert.match(wrong.said, /there is no setting laed[^]*token_file must be set[^]*stays off/);
  for (const { plugin, host } of [missing, wrong]) assert.deepEqual([plugin, host.extra_mode_list], [null, []]);
});

test('a right one: the plugin hooks itself in', () => {
  const { plugin, said, host } = loadWith((folder) => `server = a\ntoken_file = ${folder}/t\nspool = ${folder}/s\nguards = off\n`);
  assert.ok(plugin);
  assert.match(said, /at work for ws:\/\/127\.0\.0\.1:8721\/plugin as a/);
  assert.deepEqual([host.extra_mode_list.length, host.import_datas.at(-1)], [1, 'relayd']);
});

test('docs/protocol.md: every example of the daemon is understood', { skip: !fs.existsSync(DOCUMENT) }, inWorld({}, async (world) => {
  const section = fs.readFileSync(DOCUMENT, 'utf8').split('\n## What the daemon says\n')[1];
  const examples = [...section.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, example]) => example);
  assert.ok(examples.length >= 14);
  for (const example of examples) assert.equal(readFrame(example, false).type, JSON.parse(example).type);
  await world.open();
}));

test('docs/protocol.md: an example with a field changed is not', { skip: !fs.existsSync(DOCUMENT) }, () => {
  const section = fs.readFileSync(DOCUMENT, 'utf8').split('\n## What the daemon says\n')[1];
  for (const [, example] of section.matchAll(/^```json\n([^]*?)^```$/gm)) {
    const message = JSON.parse(example);
    for (const key of Object.keys(message)) {
      assert.throws(() => readFrame(JSON.stringify({ ...message, [key]: { odd: 1 } }), false), `${message.type}.${key}`);
      const { [key]: gone, ...rest } = message;
      assert.throws(() => readFrame(JSON.stringify(rest), false), `${message.type} without ${key}: ${gone}`);
    }
    assert.throws(() => readFrame(JSON.stringify({ ...message, more: 1 }), false));
  }
});
