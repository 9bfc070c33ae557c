'use strict';

/*
 * The relayd plugin for srvpro: tells the daemon what happens on this duel server and does what tournaments need here.
 *
 * Copy this file and relayd.conf into srvpro/plugins and set server and token_file there. It needs nothing that srvpro
 * does not ship. The messages are described in docs/protocol.md; ids like (10.a) are rows of the facts about srvpro
 * (duel-server.md). One file by design, so that it can be copied; it reads from the outside in:
 *
 *   1 settings   2 texts   3 guard   4 spool   5 messages   6 link   7 tables   8 one room   9 hooks   10 start
 *
 * Rules of the house: no exception leaves this file, nothing slow happens in a handler of the game server's messages
 * (10.0-2), there is one _before handler for each message (10.0-4), and no send to a player is awaited without a bound,
 * for it never ends where he has stopped reading (10.0-7).
 */

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

const VERSION = '1.0.0';
const PROTOCOLS = [1];
const CODE = /^X[0-9]{1,15}[RP][0-9]{1,9}T[0-9]{1,9}S?$/;
const COLOURS = {
  plain: 8, red: 11, green: 12, blue: 13, babyblue: 14, pink: 15, yellow: 16, white: 17, gray: 18, darkgray: 19,
};
const TIMING = {
  retryFirst: 250, retryLast: 4000, handshake: 3000, welcome: 5000, ping: 2000, ack: 30000, // 10.i
  sight: 250, sweep: 1000, exitLook: 10, kick: 1000, send: 2000, reopen: 2000, over: 5000,
};
const IN_FLIGHT = 256;
const IDLE_MS = 300000; // what srvpro itself allows after a join

// 1 settings -------------------------------------------------------------------------------------------------------

const DEFAULTS = Object.freeze({
  url: 'ws://127.0.0.1:8721/plugin',
  server: '',
  token_file: '',
  spool: './relayd.spool',
  spool_kib: 65536,
  lead: true,
  death_rule: 2,
  guards: true,
  question_ms: 1500,
  deck_question_ms: 8000,
  exit_wait_ms: 1000,
});

/** Read the config file: `key = value` lines, `#` begins a comment. Returns the settings and what is wrong. */
function parseConfig(text) {
  const settings = { ...DEFAULTS };
  const problems = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.replace(/(^|\s)#.*$/, '').trim();
    if (content) readSetting(settings, content, (problem) => problems.push(`line ${index + 1}: ${problem}`));
  }
  for (const key of ['server', 'token_file']) if (!settings[key]) problems.push(`${key} must be set`);
  return { settings, problems };
}

function readSetting(settings, content, complain) {
  const [, key, value] = /^(\w+)\s*=\s*(.*)$/.exec(content) || [];
  if (!key) complain(`"${content}" is not key = value`);
  else if (!(key in DEFAULTS)) complain(`there is no setting ${key}; there are ${Object.keys(DEFAULTS).join(', ')}`);
  else if (typeof DEFAULTS[key] === 'boolean') readFlag(settings, key, value, complain);
  else if (typeof DEFAULTS[key] === 'number') readNumber(settings, key, value, complain);
  else settings[key] = value;
}

function readFlag(settings, key, value, complain) {
  if (value === 'on' || value === 'off') settings[key] = value === 'on';
  else complain(`${key} is on or off, not "${value}"`);
}

function readNumber(settings, key, value, complain) {
  if (/^[0-9]{1,9}$/.test(value)) settings[key] = Number(value);
  else complain(`${key} is a whole number, not "${value}"`);
}

// 2 texts ----------------------------------------------------------------------------------------------------------

const TEXTS = {
  en: {
    stranger: 'This room belongs to a tournament, and you are not one of its two players.',
    not_yet: 'This match has not begun. You can watch it as soon as it runs.',
    finished: 'This match is over. Your next room is on your tournament page.',
    key: 'The key behind your name is missing or wrong. Join as Name$key; your key is on your table page.',
    twins: 'Both players of this table have this name. Join with your player number, like P000123.',
    many: 'You sit at more than one table. Type one of these as the password: ',
    unheard: 'The tournament cannot check this right now. Please try again in a moment.',
    shown: ' is not one of the two players of this table. Tell the host if you expected somebody else.',
    deck: 'This is not your registered deck: ',
    deck_size: 'the deck could not be read',
    more: ' too many: ',
    less: ' missing: ',
    no_kick: 'Players of this table cannot be kicked.',
    sudden: 'Extra game: from turn 2 on, whoever has more life points when a turn begins wins.',
  },
  zh: {
    stranger: '这个房间属于一场比赛，你不是本桌的选手。',
    not_yet: '对局尚未开始，开始后可以观战。',
    finished: '本桌对局已经结束，下一轮的房间密码请看比赛页面。',
    key: '名字后面的密钥缺失或错误，请用 昵称$密钥 进入；密钥在你的桌号页面上。',
    twins: '本桌两位选手昵称相同，请用选手号进入，例如 P000123。',
    many: '你同时在多桌，请输入其中一个房间密码：',
    unheard: '暂时无法核对，请稍后再试。',
    shown: ' 不是本桌的选手，如有疑问请联系主持。',
    deck: '与登记的卡组不一致：',
    deck_size: '无法读取卡组',
    more: ' 多出：',
    less: ' 缺少：',
    no_kick: '不能踢出本桌的选手。',
    sudden: '加赛：从第 2 回合起，每回合开始时基本分高者获胜。',
  },
};

/** The text in the language that srvpro has found for this player. */
function textFor(client, key) {
  const chinese = String((client && client.lang) || 'zh').startsWith('zh');
  return TEXTS[chinese ? 'zh' : 'en'][key];
}

/** Cut to what fits into one chat line with srvpro's prefix (10.f), and never through a character. */
function chatLine(text) {
  return wellFormed(text.slice(0, 245));
}

/** Replace halves of characters: a name cut at 20 units may end in one, and no JSON reader takes it. */
function wellFormed(text) {
  return String(text).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

/** A name as the protocol takes it. */
function named(text) {
  return wellFormed(String(text === undefined || text === null ? '' : text).slice(0, 64));
}

/** Read UTF-16 text up to its first NUL. */
function wideText(buffer, start, end) {
  return buffer.toString('utf16le', start, end).split('\0', 1)[0];
}

/** Resolve to undefined if *promise* takes longer than *ms*; a rejection counts as an end. */
function within(ms, promise) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    const settle = (value) => { clearTimeout(timer); resolve(value === undefined ? null : value); };
    Promise.resolve(promise).then(settle, () => settle(null));
  });
}

// 3 guard ----------------------------------------------------------------------------------------------------------

/** Runs what srvpro calls, so that nothing it throws or rejects reaches srvpro: one such error ends it (0-6, 10.k). */
class Guard {
  constructor(log, probe) {
    Object.assign(this, { log, probe, tell: () => false, counts: new Map(), toldAt: new Map(), untold: new Map() });
  }

  /** Call *body*; in its place *fallback* is returned if it throws, or resolved if it rejects. */
  run(place, fallback, body) {
    try {
      if (this.probe) this.probe(place);
      const result = body();
      if (!result || typeof result.then !== 'function') return result;
      return result.then((value) => value, (error) => this.caught(place, error, fallback));
    } catch (error) {
      return this.caught(place, error, fallback);
    }
  }

  wrap(place, body, fallback) {
    const guard = this;
    return function guarded(...args) {
      return guard.run(place, fallback, () => body.apply(this, args));
    };
  }

  caught(place, error, fallback) {
    this.trouble(place, error && error.stack ? error.stack.split('\n').slice(0, 2).join(' ') : String(error));
    return fallback;
  }

  /** Count it; log it once a minute for each place, and tell it, unless the daemon is the trouble. */
  trouble(place, text, told = true) {
    try {
      const count = (this.counts.get(place) || 0) + 1;
      this.counts.set(place, count);
      const now = Date.now();
      if (now - (this.toldAt.get(place) || 0) < 60000) return;
      this.toldAt.set(place, now);
      this.log.error(`relayd: ${place}: ${text} (${count})`);
      const message = { type: 'trouble', place: named(place), text: wellFormed(text.slice(0, 250)), count };
      if (told) this.untold.set(place, message);
      this.tellAll();
    } catch (error) { /* a log that throws must not end the server either */ }
  }

  /** Tell what could not be told while the daemon was away. */
  tellAll() {
    for (const [place, message] of this.untold) if (this.tell(message)) this.untold.delete(place);
  }
}

// 4 spool ----------------------------------------------------------------------------------------------------------

/**
 * What the daemon has not acknowledged, in memory and in an append-only file (10.j).
 *
 * The file: one header line {"spool","next","lost"}, then one line for each record and each acknowledgement. A line is
 * written before append() returns, which survives a kill of node; fsync follows in the background, since a blocking one
 * can stop the event loop for a quarter of a second. If writing fails the records stay in memory and the whole file is
 * written anew later.
 */
class Spool {
  constructor(file, limit, guard, timing = TIMING) {
    Object.assign(this, { file, limit, guard, timing, fd: null, size: 0, bytes: 0, next: 1, lost: 0 });
    Object.assign(this, { id: null, lines: new Map(), syncing: false, dirty: false, retry: null });
    this.read();
    this.rewrite();
  }

  get first() {
    for (const seq of this.lines.keys()) return seq;
    return 0;
  }

  /** Keep a record; returns its number, or 0: the spool is full. What a result needs may fill it four times over. */
  append(message, essential) {
    const line = JSON.stringify(message);
    if (this.bytes + line.length > this.limit * (essential ? 4 : 1)) {
      this.lost += 1;
      this.guard.trouble('spool full', `${this.lost} records were refused; the daemon has been away too long`);
      return 0;
    }
    this.keep(this.next, line);
    this.next += 1;
    this.write(line);
    return this.next - 1;
  }

  /** Forget every record up to *seq*. */
  ack(seq) {
    let forgotten = false;
    for (const [number, line] of this.lines) {
      if (number > seq) break;
      this.lines.delete(number);
      this.bytes -= line.length;
      forgotten = true;
    }
    if (forgotten) this.write(JSON.stringify({ ack: seq }));
    if (this.size > (1 << 20) && this.bytes < this.size / 4) this.rewrite();
  }

  /** The daemon knows records that this spool does not: never use their numbers again. */
  skipTo(next) {
    if (next <= this.next) return;
    this.next = next;
    this.rewrite();
  }

  close() {
    clearTimeout(this.retry);
    this.retry = null;
    if (this.fd !== null) this.guard.run('spool close', undefined, () => fs.closeSync(this.fd));
    this.fd = null;
  }

  keep(seq, line) {
    this.lines.set(seq, line);
    this.bytes += line.length;
  }

  write(line) {
    if (this.fd === null) return;
    try {
      writeAll(this.fd, `${line}\n`);
      this.size += line.length + 1;
      this.sync();
    } catch (error) {
      this.broken(error);
    }
  }

  /** One fsync at a time; what is written meanwhile is covered by the next. */
  sync() {
    this.dirty = true;
    if (this.syncing) return;
    [this.syncing, this.dirty] = [true, false];
    fs.fsync(this.fd, this.guard.wrap('spool sync', (error) => {
      this.syncing = false;
      if (this.fd === null) return;
      if (error) this.broken(error);
      else if (this.dirty) this.sync();
    }));
  }

  /** Nothing that was written since the last good fsync can be trusted: all of it is in memory, write it anew. */
  broken(error) {
    this.guard.trouble('spool', `${error.message}; what happens now is only in memory`);
    this.close();
    this.rewriteLater();
  }

  rewriteLater() {
    clearTimeout(this.retry);
    this.retry = setTimeout(this.guard.wrap('spool rewrite', () => this.rewrite()), this.timing.reopen);
    this.retry.unref();
  }

  /** Write header and records to a new file and put it in the place of the old, or try again later. */
  rewrite() {
    if (this.syncing) { this.rewriteLater(); return; } // its descriptor must not be closed, and used again, meanwhile
    const header = JSON.stringify({ spool: this.id, next: this.next, lost: this.lost });
    const text = [header, ...this.lines.values(), ''].join('\n');
    try {
      this.replace(text);
      this.size = text.length;
    } catch (error) {
      this.broken(error);
    }
  }

  replace(text) {
    const fresh = `${this.file}.new`;
    const fd = fs.openSync(fresh, 'w', 0o600);
    try {
      writeAll(fd, text);
      fs.fsyncSync(fd);
      fs.renameSync(fresh, this.file);
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
    if (this.fd !== null) fs.closeSync(this.fd);
    this.fd = fd;
    syncFolder(path.dirname(this.file));
  }

  read() {
    let text = '';
    try {
      text = fs.readFileSync(this.file, 'utf8');
    } catch (error) {
      if (error.code !== 'ENOENT') this.guard.trouble('spool', `${error.message}; a new one is begun`);
    }
    let damaged = 0;
    for (const line of text.split('\n')) if (line && !this.readLine(line)) damaged += 1;
    if (damaged) this.guard.trouble('spool', `${damaged} damaged lines of ${this.file} were skipped`);
    this.id = this.id || crypto.randomBytes(8).toString('hex');
  }

  /** A line that a crash has torn is no JSON: skip it. */
  readLine(line) {
    let value;
    try { value = JSON.parse(line); } catch (error) { return false; }
    if (typeof value.spool === 'string') Object.assign(this, { id: value.spool, next: value.next, lost: value.lost });
    else if (Number.isSafeInteger(value.ack)) this.forget(value.ack);
    else if (Number.isSafeInteger(value.seq)) this.remember(value.seq, line);
    else return false;
    return true;
  }

  forget(ack) {
    for (const [seq, line] of this.lines) if (seq <= ack && this.lines.delete(seq)) this.bytes -= line.length;
    this.next = Math.max(this.next, ack + 1);
  }

  remember(seq, line) {
    if (!this.lines.has(seq)) this.keep(seq, line);
    this.next = Math.max(this.next, seq + 1);
  }
}

/** Write all of it; a full disk may take only a part, and that is an error. */
function writeAll(fd, text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    const written = fs.writeSync(fd, bytes, done);
    if (written === 0) throw new Error('nothing more could be written');
    done += written;
  }
}

/** Make a rename durable. */
function syncFolder(folder) {
  const fd = fs.openSync(folder, 'r');
  try { fs.fsyncSync(fd); } finally { fs.closeSync(fd); }
}

// 5 messages -------------------------------------------------------------------------------------------------------

const text = (longest) => (value) => typeof value === 'string' && Array.from(value).length <= longest;
const int = (low, high) => (value) => Number.isSafeInteger(value) && value >= low && value <= high;
const flag = (value) => typeof value === 'boolean';
const oneOf = (...values) => (value) => values.includes(value);
const maybe = (check) => (value) => value === null || check(value);
const all = (check, most) => (value) => Array.isArray(value) && value.length <= most && value.every(check);
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
/** Exactly these fields, each as its check says. */
const shape = (fields) => (value) => isObject(value)
  && Object.keys(value).length === Object.keys(fields).length
  && Object.keys(fields).every((key) => Object.hasOwn(value, key) && fields[key](value[key]));

const is = {
  id: (value) => text(64)(value) && value !== '',
  code: (value) => typeof value === 'string' && CODE.test(value),
  seat: oneOf('a', 'b'),
  card: int(0, 2 ** 32 - 1),
};
is.cards = all(is.card, 512);
is.deck = (value) => (isObject(value) && value.check === 'frozen'
  ? shape({ check: oneOf('frozen'), main: is.cards, side: is.cards })(value)
  : shape({ check: oneOf('free', 'ask') })(value));
is.tableSeat = shape({
  player: int(1, Number.MAX_SAFE_INTEGER), nickname: text(64), key: maybe(text(64)), deck: is.deck,
});
is.table = shape({
  code: is.code,
  room: (value) => text(19)(value) && value !== '',
  finished: flag,
  a: is.tableSeat,
  b: is.tableSeat,
  options: shape({
    best_of: oneOf(1, 3),
    lflist: maybe(int(-1, 1000)),
    rule: maybe(int(0, 5)),
    time_limit: maybe(int(0, 999)),
    no_watch: maybe(flag),
    no_check_deck: maybe(flag),
    start_lp: maybe(int(1, 99999)),
    start_hand: maybe(int(1, 40)),
    draw_count: maybe(int(0, 35)),
    duel_rule: maybe(int(1, 5)),
  }),
  strangers: oneOf('refuse', 'watch', 'show'),
  seat_key: oneOf('off', 'optional', 'required'),
  death: flag,
  sudden_death: flag,
  carried: (value) => all(int(0, 3), 2)(value) && value.length === 2,
  welcome: maybe(text(500)),
});
is.tables = all(is.table, 5000);
is.policy = shape({ report: oneOf('all', 'coded'), ask_seat: flag, silence: oneOf('pass', 'refuse') });

/** What the daemon may say, without `type`. */
const FROM_DAEMON = {
  welcome: { version: oneOf(...PROTOCOLS), ack: int(0, Number.MAX_SAFE_INTEGER), policy: is.policy, tables: is.tables },
  goodbye: { code: oneOf('version', 'server', 'replaced', 'protocol', 'restart', 'busy'), text: text(500) },
  ack: { seq: int(1, Number.MAX_SAFE_INTEGER) },
  tables: { tables: is.tables },
  table: { table: is.table },
  table_gone: { code: is.code },
  seat: { id: is.id, code: maybe(is.code), seat: maybe(is.seat), refuse: maybe(text(500)) },
  key: { id: is.id, ok: flag },
  deck: { id: is.id, ok: flag, reason: text(500), card: is.card },
  death: { id: is.id, code: is.code },
  death_cancel: { id: is.id, code: is.code },
  say: { id: is.id, code: is.code, seat: maybe(is.seat), text: text(500), colour: oneOf(...Object.keys(COLOURS)) },
  kick: { id: is.id, code: is.code, seat: maybe(is.seat), nickname: maybe(text(64)), text: text(500) },
  close: { id: is.id, code: is.code, text: text(500), a: maybe(int(-99, 999)), b: maybe(int(-99, 999)) },
};
const ANSWERS = ['seat', 'key', 'deck'];
const ORDERS = ['death', 'death_cancel', 'say', 'kick', 'close'];

/** Read one frame of the daemon; throws where it is none. */
function readFrame(data, isBinary) {
  if (isBinary) throw new Error('a binary frame');
  const message = JSON.parse(String(data));
  if (!isObject(message) || typeof message.type !== 'string') throw new Error('no message');
  const { type, ...fields } = message;
  if (!Object.hasOwn(FROM_DAEMON, type)) throw new Error(`no message is called ${type}`);
  if (!shape(FROM_DAEMON[type])(fields)) throw new Error(`a ${type} of another shape`);
  return message;
}

// 6 link -----------------------------------------------------------------------------------------------------------

/** The connection to the daemon: kept up for ever, records in order and again until acknowledged (10.i). */
class Link {
  constructor({ settings, spool, guard, timing, WebSocket, hello, rooms, heard }) {
    Object.assign(this, { settings, spool, guard, timing, WebSocket, hello, rooms, heard });
    Object.assign(this, { socket: null, up: false, stopped: false, delay: timing.retryFirst, timers: {} });
    Object.assign(this, { sent: 0, acked: 0, ackedAt: 0, backlog: false, asked: 0, questions: new Map() });
  }

  start() {
    this.guard.run('link start', undefined, () => this.connect());
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timers.retry);
    if (this.socket) this.socket.terminate();
    this.down();
  }

  /** Send if the daemon is there. */
  say(message) {
    if (!this.up || this.socket.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Ask, and wait at most *ms*; null: no answer, also when the connection breaks meanwhile (10.g). */
  ask(question, ms) {
    const id = `q${this.asked += 1}`;
    if (!this.say({ type: question.type, id, ...question })) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answered(id, null), ms);
      this.questions.set(id, { resolve, timer });
    });
  }

  answered(id, answer) {
    const question = this.questions.get(id);
    if (!question) return;
    this.questions.delete(id);
    clearTimeout(question.timer);
    question.resolve(answer);
  }

  /** Send the records that have not been sent, as far as the daemon keeps up; after the backlog, the open rooms. */
  pump() {
    if (!this.up || this.socket.readyState !== 1) return;
    while (this.sent + 1 < this.spool.next && this.sent - this.acked < IN_FLIGHT) this.sendRecord(this.sent + 1);
    if (this.backlog && this.sent + 1 >= this.spool.next) {
      this.backlog = false;
      this.say({ type: 'rooms', after: this.sent, rooms: this.rooms() });
    }
  }

  sendRecord(seq) {
    const line = this.spool.lines.get(seq);
    if (this.sent === this.acked) this.ackedAt = Date.now();
    this.sent = seq;
    if (line !== undefined) this.socket.send(line);
    else if (this.acked === seq - 1) this.acked = seq; // long acknowledged, or damaged: nobody will
  }

  connect() {
    if (this.stopped) return;
    const options = {
      headers: { Authorization: `Bearer ${this.token()}` },
      handshakeTimeout: this.timing.handshake,
      maxPayload: 16 << 20,
      perMessageDeflate: false,
    };
    let socket;
    try {
      socket = new this.WebSocket(this.settings.url, options);
    } catch (error) { // an address that is none
      this.guard.trouble('link', error.message, false);
      this.later();
      return;
    }
    this.socket = socket;
    this.listen(socket);
  }

  /** Read anew for each connection, so that a token can be changed while the server runs. */
  token() {
    return this.guard.run('token', '', () => fs.readFileSync(this.settings.token_file, 'utf8').trim());
  }

  listen(socket) {
    const on = (event, body) => socket.on(event, this.guard.wrap(`link ${event}`, body));
    on('error', (error) => this.guard.trouble('link', error.message, false)); // without a listener node ends (10.i)
    on('open', () => this.opened(socket));
    on('pong', () => { this.alive = true; });
    on('message', (data, isBinary) => this.received(socket, data, isBinary));
    on('close', () => this.closed(socket));
  }

  opened(socket) {
    this.alive = true;
    this.timers.welcome = setTimeout(() => socket.terminate(), this.timing.welcome);
    this.timers.beat = setInterval(this.guard.wrap('link beat', () => this.beat(socket)), this.timing.ping);
    socket.send(JSON.stringify(this.hello()));
  }

  /** A daemon that hangs with an open socket: no pong, or nothing acknowledged. */
  beat(socket) {
    const stuck = this.up && this.sent > this.acked && Date.now() - this.ackedAt > this.timing.ack;
    if (!this.alive || stuck) { socket.terminate(); return; }
    this.alive = false;
    socket.ping();
  }

  received(socket, data, isBinary) {
    if (socket !== this.socket) return;
    let message;
    try {
      message = readFrame(data, isBinary);
    } catch (error) { // 10.i: bad JSON from the daemon
      this.guard.trouble('message of the daemon', error.message);
      return;
    }
    if (message.type === 'goodbye') this.dismissed(message);
    else if (message.type === 'welcome') this.welcomed(message);
    else if (!this.up) this.guard.trouble('message of the daemon', `${message.type} before welcome`);
    else if (message.type === 'ack') this.acknowledged(message.seq);
    else if (ANSWERS.includes(message.type)) this.answered(message.id, message);
    else this.heard(message);
  }

  dismissed(message) {
    this.guard.trouble('the daemon has closed the link', `${message.code}: ${message.text}`, false);
    this.delay = this.timing.retryLast;
  }

  welcomed(message) {
    clearTimeout(this.timers.welcome);
    this.delay = this.timing.retryFirst;
    this.spool.ack(message.ack);
    this.spool.skipTo(message.ack + 1);
    Object.assign(this, { up: true, backlog: true, sent: message.ack, acked: message.ack });
    this.heard(message);
    this.pump();
    this.guard.tellAll();
  }

  acknowledged(seq) {
    if (seq > this.sent) throw new Error(`record ${seq} was acknowledged before it was sent`);
    this.acked = Math.max(this.acked, seq);
    this.ackedAt = Date.now();
    this.spool.ack(seq);
    this.pump();
  }

  closed(socket) {
    if (socket !== this.socket) return;
    this.down();
    this.later();
  }

  down() {
    clearTimeout(this.timers.welcome);
    clearInterval(this.timers.beat);
    Object.assign(this, { socket: null, up: false });
    for (const id of [...this.questions.keys()]) this.answered(id, null);
  }

  later() {
    if (this.stopped) return;
    const jitter = 0.5 + Math.random() / 2;
    this.timers.retry = setTimeout(() => this.start(), this.delay * jitter);
    this.delay = Math.min(this.delay * 2, this.timing.retryLast);
  }
}

// 7 tables ---------------------------------------------------------------------------------------------------------

/** Names are compared after NFKC, trim and case folding (rules 5.6). */
function folded(name) {
  return String(name).normalize('NFKC').trim().toUpperCase().toLowerCase();
}

/** The number in "P000123", "000123" or "123": all the same player. */
function playerNumber(name) {
  const found = /^p?0*([1-9][0-9]{0,14})$/.exec(folded(name));
  return found ? Number(found[1]) : null;
}

/** The room code in a room's name: behind mode prefixes, before `$password`, in any case (5.6-1). */
function codeIn(name) {
  const code = String(name).split('#').pop().split('$', 1)[0].trim().toUpperCase();
  return CODE.test(code) ? code : null;
}

/**
 * The tables that the daemon has told, and who belongs where. A table whose match has ended here is over, whatever was
 * told before, until the daemon has its record and some time to say what follows (10.0-5): *unheard* tells of a record
 * whether the daemon may not have it yet, *grace* is that time in milliseconds.
 */
class Book {
  constructor(unheard, grace) {
    Object.assign(this, { unheard, grace, tables: new Map(), places: new Map(), ended: new Map() });
  }

  replace(tables) {
    Object.assign(this, { tables: new Map(), places: new Map() });
    for (const table of tables) this.set(table);
  }

  set(table) {
    this.drop(table.code);
    this.tables.set(table.code, table);
    const ended = this.ended.get(table.code);
    if (ended && !this.unheard(ended.seq)) this.ended.delete(table.code);
    for (const seat of ['a', 'b']) for (const name of namesOf(table[seat])) this.place(name, { table, seat });
  }

  drop(code) {
    const old = this.tables.get(code);
    if (!old) return;
    this.tables.delete(code);
    for (const name of [...namesOf(old.a), ...namesOf(old.b)]) this.unplace(name, old);
  }

  /** The match of a table has ended, as record *seq* tells. */
  end(code, seq) {
    this.ended.set(code, { seq, until: Date.now() + this.grace });
  }

  isOver(table) {
    const ended = this.ended.get(table.code);
    return table.finished || Boolean(ended && (this.unheard(ended.seq) || Date.now() < ended.until));
  }

  /** The table that a room's name, or what somebody typed, means. */
  at(name) {
    return this.tables.get(codeIn(name)) || null;
  }

  /** Every place of somebody with one of these names, a nickname before a number. */
  placesOf(names) {
    for (const key of [...names.map(folded), ...names.map(numberKey)]) {
      const places = key ? this.places.get(key) : null;
      if (places) return places;
    }
    return [];
  }

  /** His seat at one table; null where he has none, or where both have his name. */
  seatAt(table, names) {
    const places = this.placesOf(names).filter((place) => place.table === table);
    return places.length === 1 ? places[0].seat : null;
  }

  place(name, place) {
    this.places.set(name, [...(this.places.get(name) || []), place]);
  }

  unplace(name, table) {
    const left = (this.places.get(name) || []).filter((place) => place.table !== table);
    if (left.length) this.places.set(name, left);
    else this.places.delete(name);
  }
}

function numberKey(name) {
  const number = playerNumber(name);
  return number === null ? null : `#${number}`;
}

function namesOf(seat) {
  return [folded(seat.nickname), `#${seat.player}`];
}

/** What is wrong with a deck beside the frozen one: null, or a reason and the card to show. */
function deckFault(deck, frozen, siding, client) {
  const parts = siding
    ? [[[...deck.main, ...deck.side], [...frozen.main, ...frozen.side]]] // siding moves cards, it does not change them
    : [[deck.main, frozen.main], [deck.side, frozen.side]];
  for (const [sent, wanted] of parts) {
    const [card, surplus] = firstDifference(sent, wanted);
    if (surplus) {
      const sort = textFor(client, surplus > 0 ? 'more' : 'less');
      return { reason: `${card}${sort}${Math.abs(surplus)}`, card: surplus > 0 ? card : 0 };
    }
  }
  return null;
}

/** The first card that the two lists hold in different numbers, surplus cards before missing ones. */
function firstDifference(sent, wanted) {
  const surplus = new Map();
  for (const card of sent) surplus.set(card, (surplus.get(card) || 0) + 1);
  for (const card of wanted) surplus.set(card, (surplus.get(card) || 0) - 1);
  const differing = [...surplus].filter(([, count]) => count !== 0);
  return differing.find(([, count]) => count > 0) || differing[0] || [0, 0];
}

/** Read the payload of UPDATE_DECK; null where its counts and its length disagree (a crafted or torn packet). */
function readDeck(buffer) {
  if (buffer.length < 8) return null;
  const [main, side] = [buffer.readUInt32LE(0), buffer.readUInt32LE(4)];
  if (main > 256 || side > 256 || buffer.length !== 8 + 4 * (main + side)) return null;
  const cards = Array.from({ length: main + side }, (_, index) => buffer.readUInt32LE(8 + 4 * index));
  return { main: cards.slice(0, main), side: cards.slice(main) };
}

/** Compare without telling by time how much of it is right. */
function sameSecret(one, other) {
  const digest = (secret) => crypto.createHash('sha256').update(secret).digest();
  return crypto.timingSafeEqual(digest(one), digest(other));
}

// 8 one room -------------------------------------------------------------------------------------------------------

/** What the plugin knows of one room beside what srvpro does. */
class Watch {
  constructor(room, id, stages) {
    Object.assign(this, { room, id, stages, code: codeIn(room.name), name: named(room.name) });
    Object.assign(this, { signals: new Set(), mark: null, scoresBefore: null, waiting: null, waitedUntil: 0 });
    Object.assign(this, { startedAt: null, sat: new Map(), seats: [], ready: new Set(), away: new Set() });
    Object.assign(this, { shown: new Set(), otherWin: null });
    Object.assign(this, { games: new Map(), won: 0, said: 0, turn: 0, deathSeen: 0, deathByUs: false });
    Object.assign(this, { duelEnd: new Set(), sides: null, ending: false, reported: false, swept: {} });
  }

  get stage() {
    const found = Object.entries(this.stages).find(([, value]) => value === this.room.duel_stage);
    return found ? found[0].toLowerCase() : 'begin';
  }

  /** Two players, and no bot: tag duels and windbot rooms are nobody's match. */
  get isMatch() {
    return this.room.hostinfo.mode !== 2 && !this.room.windbot;
  }

  get bestOf() {
    return this.room.hostinfo.mode === 1 ? 3 : 1;
  }

  get process() {
    return this.room.process;
  }

  /** Known before srvpro's own exit handler runs: node sets both fields first. */
  get exited() {
    return Boolean(this.process) && (this.process.exitCode !== null || this.process.signalCode !== null);
  }

  /** It died of a signal that srvpro itself had sent, as at many a normal end (10.l). */
  get killed() {
    return this.exited && this.signals.has(this.process.signalCode);
  }

  /** The process was ended from outside or by itself in a bad way. */
  get crashed() {
    return this.exited && this.process.exitCode !== 0 && !this.killed;
  }

  /** The two who play, by position; null before the start. Who left in the very moment of the start is one of them. */
  get duelists() {
    const players = this.room.dueling_players;
    const found = players ? [players[0] || this.seats[0], players[1] || this.seats[1]] : [];
    return found[0] && found[1] ? found : null;
  }

  seatOf(client) {
    return client.relayd && client.relayd.code === this.code ? client.relayd.seat : null;
  }

  player(client) {
    return { pos: client.pos, nickname: named(client.name), seat: this.seatOf(client) };
  }

  scoreOf(client) {
    const score = (this.room.scores || {})[client.name_vpass];
    return Number.isInteger(score) ? score : 0;
  }

  scores() {
    return this.duelists.map((client) => this.scoreOf(client));
  }

  hasLead() {
    const [one, other] = this.scores();
    return one !== other;
  }

  /** Games won in the whole match, by position: those of a room that was lost count as well (rules 5.5-8). */
  totals({ carried: [a, b] }) {
    return this.duelists.map((client) => this.scoreOf(client) + ({ a, b }[this.seatOf(client)] || 0));
  }

  /** A lead in the match: of this room, or of all its games. */
  leads(table) {
    const [one, other] = this.totals(table);
    return one !== other && (this.hasLead() || this.room.duel_count > 0);
  }

  /** All games that are known to have ended; srvpro's own list is the truth, reasons are what was seen (10.l). */
  gamesSoFar() {
    const wins = (this.room.wins || []).slice(0, this.room.duel_count); // a win before the first game is nobody's game
    return wins.map((winner, index) => {
      const seen = this.games.get(index + 1) || {};
      return {
        winner: seen.winner === undefined ? this.winnerNamed(winner) : seen.winner,
        reason: seen.reason === undefined ? null : seen.reason,
        first: seen.first === undefined ? this.positionOf((this.room.first_list || [])[index]) : seen.first,
      };
    });
  }

  winnerNamed(name) {
    if (name === '') return 'draw';
    const position = this.positionOf(name);
    return position === null ? 'unknown' : position;
  }

  /** Whose name this is; null where it is nobody's or both have it (6: two players of one nick). */
  positionOf(name) {
    const found = [0, 1].filter((pos) => this.duelists && this.duelists[pos].name_vpass === name);
    return found.length === 1 ? found[0] : null;
  }

  /** Somebody has won as often as it takes, or all games have been played: nothing more can come. */
  decided() {
    const games = this.room.wins || [];
    if (games.length >= this.bestOf) return true;
    const needed = this.bestOf === 3 ? 2 : 1;
    return games.some((name) => name !== '' && games.filter((other) => other === name).length >= needed)
      || Object.values(this.room.scores || {}).some((score) => score >= 99);
  }

  /** The last win has certainly been handled (10.l). */
  sure() {
    const { room } = this;
    const heard = Math.max(this.won, (room.wins || []).length);
    return this.duelEnd.size > 0 && (room.finished || (this.duelEnd.has(0) && heard >= room.duel_count));
  }

  /** A real end, told from a crash (10.l, rules 5.6-6). */
  endingNow() {
    if (this.stage === 'begin') return 'unstarted';
    if (this.mark) return 'closed';
    if (this.room.kicked) return 'kicked';
    return this.duelEnd.size > 0 || this.room.finished || this.decided() ? 'played' : 'crashed';
  }

  underDeath() {
    const death = this.deathSeen || this.room.death || 0;
    if (!death) return 'off';
    return death > 0 ? 'three' : 'sudden';
  }

  exit() {
    if (!this.exited) return null;
    return { code: this.process.exitCode, signal: this.process.signalCode, killed: this.killed };
  }

  /** Both players have been asked for their side decks after the game that ended last. */
  bothAsked() {
    return this.sides !== null && this.sides.game === this.room.duel_count && this.sides.asked.size === 2;
  }

  /** Who was not there at the end: seen to leave or drop, or booked by srvpro as having left. */
  absent() {
    const left = (this.duelists || []).filter((client) => this.scoreOf(client) === -9).map((client) => client.pos);
    return [...new Set([...this.away, ...left])].sort();
  }

  sight() {
    const players = this.duelists || (this.room.players || []).filter((client) => client.pos === 0 || client.pos === 1);
    return {
      room: this.id,
      name: this.name,
      code: this.code,
      stage: this.stage,
      best_of: this.bestOf,
      game: this.room.duel_count || 0,
      turn: this.room.turn || 0,
      death: this.room.death || 0,
      players: players.map((client) => this.seen(client)).sort((one, other) => one.pos - other.pos).slice(0, 2),
      watchers: (this.room.watchers || []).length,
    };
  }

  seen(client) {
    return {
      ...this.player(client),
      score: this.scoreOf(client),
      lp: Number.isInteger(client.lp) ? client.lp : null,
      ready: this.ready.has(client.pos),
      away: this.away.has(client.pos) || Boolean(client.isClosed),
    };
  }

  /** The final record, each part by itself: if one cannot be made, it has the value that claims least. */
  lastWord(guard) {
    const { room } = this;
    const part = (name, least, body) => guard.run(`end: ${name}`, least, body);
    return {
      ending: part('ending', 'crashed', () => this.endingNow()),
      best_of: this.bestOf,
      stage: part('stage', 'end', () => this.stage),
      players: part('players', [], () => this.finalScores()),
      games: part('games', [], () => this.gamesSoFar()),
      begun: room.duel_count || 0,
      finished: Boolean(room.finished),
      finished_by_death: Boolean(room.finished_by_death),
      scores_before: this.scoresBefore,
      away: part('away', [], () => this.absent()),
      duel_end: [...this.duelEnd].sort(),
      exit: part('exit', null, () => this.exit()),
      started_at: this.startedAt,
    };
  }

  finalScores() {
    return (this.duelists || []).map((client) => ({ ...this.player(client), score: this.scoreOf(client) }));
  }
}

// 9 hooks ----------------------------------------------------------------------------------------------------------

/** What all parts share: srvpro (*host* is its global object), the tables, the spool, the link, and how to speak. */
class Core {
  constructor(host, settings, { WebSocket, timing = {}, probe } = {}) {
    this.host = host;
    this.settings = { ...DEFAULTS, ...settings };
    this.timing = { ...TIMING, ...timing };
    this.boot = crypto.randomBytes(8).toString('hex');
    this.guard = new Guard(host.log || console, probe);
    this.spool = new Spool(this.settings.spool, this.settings.spool_kib * 1024, this.guard, this.timing);
    this.book = new Book((seq) => this.spool.lines.has(seq), this.timing.over);
    this.policy = { report: 'all', ask_seat: false, silence: 'pass' };
    Object.assign(this, { watches: new WeakMap(), changed: new Set(), sightTimer: null });
    this.link = new Link({
      settings: this.settings,
      spool: this.spool,
      guard: this.guard,
      timing: this.timing,
      WebSocket,
      hello: () => this.hello(),
      rooms: () => this.open().map((watch) => watch.sight()),
    });
    this.guard.tell = (message) => this.link.say(message);
  }

  /** The watch of a room; one that a failing handler has missed is begun late. */
  watchFor(room) {
    if (!this.watches.has(room)) this.adopt(room);
    return this.watches.get(room);
  }

  /** The watch of the room that somebody is in; undefined: none, or not a match of two. */
  watchOf(client) {
    const room = client && client.rid !== undefined ? this.host.ROOM_all[client.rid] : null;
    const watch = room ? this.watchFor(room) : undefined;
    return watch && watch.isMatch ? watch : undefined;
  }

  /** The watches of every open room that carries a code. ROOM_all has holes (5). */
  open() {
    const rooms = Array.from(this.host.ROOM_all || []).filter((room) => room && !room.deleted);
    return rooms.map((room) => this.watchFor(room)).filter((watch) => watch.code && watch.isMatch);
  }

  tableOf(watch) {
    return watch.code ? this.book.tables.get(watch.code) || null : null;
  }

  /** The room of a table: the one to which its players are led before one that only has its code in its name. */
  roomOf(code) {
    const rooms = this.open().filter((watch) => watch.code === code);
    const table = this.book.tables.get(code);
    return rooms.find((watch) => table && watch.room.name === table.room) || rooms[0];
  }

  /** The names to look somebody up by: what he typed, and what srvpro has made of it ("Lv.5 " is taken off, 6). */
  nicks(client) {
    return client.relayd_nick && client.relayd_nick !== client.name ? [client.relayd_nick, client.name] : [client.name];
  }

  // speaking

  /** Say something to everybody in the room, each in his language. */
  tellRoom(room, words, colour) {
    const everybody = [...room.players, ...(room.watchers || [])].filter((client) => client && !client.isClosed);
    for (const client of everybody) this.tell(client, words(client), colour);
    return 'done';
  }

  tell(client, words, colour) {
    this.send('CHAT', () => this.host.ygopro.stoc_send_chat(client, chatLine(words), colour));
  }

  /** Sends are not awaited (10.0-7), but whatever becomes of them is caught. */
  send(what, body) {
    this.guard.run(`send ${what}`, undefined, body);
  }

  // recording

  /** Keep a fact of a room; returns its number, 0: it was not kept. Rooms without a code tell results, nothing else. */
  record(type, watch, fields) {
    const essential = type === 'room_closed' || type === 'game_over';
    if (!watch.code && !(essential && this.policy.report === 'all')) return 0;
    const { id: room, name, code } = watch;
    return this.keep({ type, at: Date.now(), room, name, code, ...fields }, essential);
  }

  keep(message, essential = false) {
    const { type, ...fields } = message;
    const seq = this.spool.append({ type, seq: this.spool.next, ...fields }, essential);
    this.link.pump();
    return seq;
  }

  /** The room looks different: tell soon, once for all that happens until then. */
  look(watch) {
    if (!watch.code) return;
    this.changed.add(watch);
    if (this.sightTimer) return;
    this.sightTimer = setTimeout(this.guard.wrap('sights', () => this.tellSights()), this.timing.sight);
  }

  tellSights() {
    this.sightTimer = null;
    const watches = [...this.changed].filter((watch) => !watch.room.deleted);
    this.changed.clear();
    for (const watch of watches) this.link.say({ type: 'room_changed', sight: watch.sight() });
  }

  hello() {
    return {
      type: 'hello',
      versions: PROTOCOLS,
      server: this.settings.server,
      plugin: VERSION,
      boot: this.boot,
      spool: this.spool.id,
      first: this.spool.first,
      next: this.spool.next,
      lost: this.spool.lost,
      facts: this.facts(),
    };
  }

  facts() {
    const { modules, version } = this.host.settings;
    const on = (name, key = 'enabled') => Boolean((modules[name] || {})[key]);
    const dated = (date) => named(date && date.clone ? date.clone().local().format('YYYY-MM-DD') : date);
    return {
      client_version: version,
      challonge: on('challonge'),
      tournament_mode: on('tournament_mode'),
      quick_death_rule: Number(modules.http.quick_death_rule),
      reconnect_ms: on('reconnect') ? modules.reconnect.wait_time : 0,
      kick_reconnect: on('reconnect', 'allow_kick_reconnect'),
      halfway_watch: on('cloud_replay', 'enable_halfway_watch'),
      connect_limit: !on('test_mode', 'no_connect_count_limit'),
      lists: (this.host.lflists || []).slice(0, 200).map(({ date, tcg }) => ({ date: dated(date), tcg: Boolean(tcg) })),
    };
  }
}

/** Rooms: how they are made (10.b), and how they end (10.l). */
class Rooms {
  constructor(core) {
    Object.assign(this, { core, guard: core.guard, born: 0, beforeEnd: () => {} });
    core.adopt = (room) => { this.watch(room); this.processBorn(room, room.process); };
  }

  hook() {
    const { core: { host }, guard } = this;
    const rooms = this;
    host.extra_mode_list.push(function made() { // this = the room; a throw here would make a zombie of it (10.k)
      guard.run('room made', undefined, () => rooms.made(this));
    });
    const spawn = host.rawSpawn;
    host.rawSpawn = function spawned(...args) {
      const child = spawn.apply(this, args);
      guard.run('room process', undefined, () => rooms.processBorn(this, child));
      return child;
    };
    this.core.open(); // adopts the rooms that were made while srvpro was still loading (5)
  }

  made(room) {
    const watch = this.watch(room);
    const table = this.core.tableOf(watch);
    if (table) this.guard.run('room options', undefined, () => this.setOptions(room, table));
    if (!watch.isMatch) return;
    const { lflist, rule, time_limit } = room.hostinfo;
    this.core.record('room_opened', watch, { best_of: watch.bestOf, lflist, rule, time_limit, table: table !== null });
  }

  watch(room) {
    this.born += 1;
    const watch = new Watch(room, `${this.core.boot}-${this.born}`, this.core.host.ygopro.constants.DUEL_STAGE);
    this.core.watches.set(room, watch);
    this.wrapDelete(watch);
    this.wrapTerminate(watch);
    this.wrapDisconnect(watch);
    return watch;
  }

  setOptions(room, table) {
    const { best_of: bestOf, ...options } = table.options;
    room.hostinfo.mode = bestOf === 3 ? 1 : 0;
    for (const [key, value] of Object.entries(options)) if (value !== null) room.hostinfo[key] = value;
    if (table.welcome) room.welcome = chatLine(table.welcome);
    const lists = (this.core.host.lflists || []).length;
    if (options.lflist === null || options.lflist < lists) return;
    room.hostinfo.lflist = lists ? 0 : -1;
    this.guard.trouble('room options', `${table.code} wants list ${options.lflist}; this server has ${lists}`);
  }

  /** Note who kills it: srvpro does at a normal end, somebody else at a crash (10.l). */
  processBorn(room, child) {
    const watch = this.core.watches.get(room);
    if (!watch || !child) return;
    const { kill } = child;
    child.kill = function killed(signal = 'SIGTERM', ...rest) {
      watch.signals.add(signal);
      return kill.call(this, signal, ...rest);
    };
  }

  /**
   * The end of a room, told once, and not before the last win has been handled: in bursts the exit of the process
   * overtakes it, and srvpro would book a tie (10.0-1). delete is called more than once (5).
   */
  wrapDelete(watch) {
    const { room } = watch;
    const original = room.delete;
    const finish = () => {
      clearTimeout(watch.waiting);
      watch.waiting = null;
      this.guard.run('end: unheard', undefined, () => this.beforeEnd(watch));
      this.tellEnd(watch);
      this.guard.run('srvpro delete', undefined, () => original.call(room));
    };
    room.delete = () => {
      if (room.deleted) return;
      if (!this.guard.run('room delete', true, () => this.mustWait(watch))) finish();
      else if (!watch.waiting) this.waitForLastWin(watch, finish);
    };
  }

  /** A process that ended by itself, or has hung up on both, may have said more than was handled yet (10.l). */
  mustWait(watch) {
    const { room } = watch;
    if (watch.stage === 'begin' || room.kicked || watch.mark || watch.sure() || watch.crashed) return false;
    if (watch.waitedUntil) return Date.now() < watch.waitedUntil;
    return watch.exited || room.disconnector === 'server';
  }

  waitForLastWin(watch, finish) {
    watch.waitedUntil = Date.now() + this.core.settings.exit_wait_ms;
    const look = () => {
      const late = Date.now() >= watch.waitedUntil;
      if (late || !this.guard.run('room wait', true, () => this.mustWait(watch))) finish();
      else watch.waiting = setTimeout(look, this.core.timing.exitLook);
    };
    watch.waiting = setTimeout(look, this.core.timing.exitLook);
  }

  tellEnd(watch) {
    if (watch.reported) return;
    watch.reported = true;
    this.core.changed.delete(watch);
    this.guard.run('end: told', undefined, () => this.tellWord(watch, watch.lastWord(this.guard)));
  }

  tellWord(watch, word) {
    if (!watch.isMatch || (!watch.code && word.ending === 'unstarted')) return;
    const seq = this.core.record('room_closed', watch, word);
    const over = ['played', 'kicked', 'closed'].includes(word.ending);
    if (watch.code && over) this.core.book.end(watch.code, seq);
  }

  /** A kick by the admin API sets both scores to 0: keep what they were (0-4). */
  wrapTerminate(watch) {
    const { room } = watch;
    const original = room.terminate;
    room.terminate = (...args) => {
      this.guard.run('room terminate', undefined, () => {
        if (watch.duelists) watch.scoresBefore = watch.scores();
      });
      return original.apply(room, args);
    };
  }

  /** Somebody leaves for good (10.m); it is told once srvpro has booked it. */
  wrapDisconnect(watch) {
    const { room } = watch;
    const original = room.disconnect;
    room.disconnect = (client, ...rest) => {
      const note = this.guard.run('room disconnect', undefined, () => this.leaving(watch, client));
      const result = original.call(room, client, ...rest);
      if (note) this.guard.run('room disconnect', undefined, note);
      return result;
    };
  }

  leaving(watch, client) {
    if (client.had_new_reconnection || client.is_post_watcher) return undefined;
    if (watch.stage === 'begin') return watch.sat.has(client) ? () => this.gotUp(watch, client) : undefined;
    if (client.pos > 1) return undefined;
    this.cureDisconnector(watch);
    if (watch.room.disconnector === 'server' || watch.room.finished_by_death) return undefined;
    return () => {
      watch.away.add(client.pos);
      this.core.record('player_gone', watch, { player: watch.player(client) });
    };
  }

  /**
   * Once the game server has hung up on a viewer, srvpro takes every later leaving for a normal end and books no -9
   * (10.0-3). It is a lie while the process lives and holds the connections of both players.
   */
  cureDisconnector(watch) {
    const { room } = watch;
    if (room.disconnector !== 'server' || watch.exited || watch.duelEnd.size || !watch.duelists) return;
    if (watch.duelists.every((client) => client.server && !client.server.isClosed)) room.disconnector = undefined;
  }

  gotUp(watch, client) {
    const pos = watch.sat.get(client);
    watch.sat.delete(client);
    watch.ready.delete(pos);
    this.core.record('player_left', watch, { player: { ...watch.player(client), pos } });
    this.core.look(watch);
  }

  /** What no handler has ended: a room whose process is long gone, and ghosts that keep a room for ever (10.0-6). */
  sweep(watch) {
    const { room, swept } = watch;
    if (watch.exited && swept.exited && !watch.waiting) room.delete();
    swept.exited = watch.exited;
    const ghosts = watch.stage === 'begin' ? room.players.filter((client) => client.isClosed) : [];
    for (const client of ghosts) if ((swept.ghosts || []).includes(client)) room.disconnect(client);
    swept.ghosts = ghosts;
  }
}

/** Who comes in, and where to (10.a, 10.h). */
class Door {
  constructor(core) {
    Object.assign(this, { core, host: core.host, guard: core.guard });
  }

  hook() {
    this.host.import_datas.push('relayd'); // own fields are lost at a reconnect unless they are named here (5)
    this.before('EXTERNAL_ADDRESS', (buffer, client) => (buffer.length < 4 ? drop(client) : undefined));
    this.before('PLAYER_INFO', (buffer, client) => this.introduced(buffer, client));
    this.before('JOIN_GAME', (buffer, client) => this.joining(buffer, client));
    this.before('HS_KICK', (buffer, client) => this.kicking(buffer, client));
  }

  /** One _before handler for each message (10.0-4); a handler reads the payload itself, for info may be empty (5). */
  before(name, body) {
    const handler = this.guard.wrap(`ctos ${name}`, (buffer, client) => body(buffer, client));
    this.host.ygopro.ctos_follow_before(name, true, async (buffer, info, client) => handler(buffer, client));
  }

  /** Packets of another length end the whole process inside of srvpro (0-6): whoever sends one is cut off (10.a). */
  introduced(buffer, client) {
    if (buffer.length !== 40) return drop(client);
    client.relayd_nick = wideText(buffer, 0, 40).split('$', 1)[0].trim();
    return undefined;
  }

  async joining(buffer, client) {
    if (buffer.length !== 48 || client.name === undefined || client.name === null) return drop(client);
    if (client.rid !== undefined || client.pre_reconnecting) return true; // a second join would throw him out (10.a)
    client.on('close', this.guard.wrap('client close', () => this.dropped(client))); // runs after srvpro's own
    if (!this.leads()) return undefined;
    const way = await this.wayFor(client, wideText(buffer, 8, 48).trim());
    if (client.isClosed) return '_cancel'; // else a ghost sits in the room for ever (10.0-6)
    if (way.why) return this.refuse(client, way);
    return way.table ? leadTo(way.table.room, buffer) : undefined;
  }

  /** Challonge names the rooms itself; leading as well would make viewers of players (10.a). */
  leads() {
    return this.core.settings.lead && !this.host.settings.modules.challonge.enabled;
  }

  /** Where to: {table} to be led, {why, code, text} to be refused, {} to go where he typed. */
  async wayFor(client, typed) {
    const place = this.placeFor(client, typed);
    if (place.why) return place;
    if (place.table) return this.wayTo(client, place);
    return this.core.policy.ask_seat && !this.returns(client) ? this.wayByDaemon(client, typed) : {};
  }

  wayTo(client, { table, seat }) {
    return seat ? this.wayOfPlayer(client, table, seat) : this.wayOfGuest(client, table);
  }

  /** His open table, whatever he typed; what he typed decides only where he has several, or none. */
  placeFor(client, typed) {
    const { book } = this.core;
    const open = book.placesOf(this.core.nicks(client)).filter((place) => !book.isOver(place.table));
    const table = book.at(typed);
    const chosen = open.length > 1 && table ? open.filter((place) => place.table === table) : [];
    const places = chosen.length ? chosen : open;
    if (places.length === 1) return places[0];
    if (places.length > 1) return this.doubtful(client, places);
    if (!table || !book.isOver(table) || this.runs(table)) return { table, seat: null };
    return { why: 'finished', code: table.code, text: textFor(client, 'finished') }; // 10.0-5
  }

  doubtful(client, places) {
    const codes = [...new Set(places.map((place) => place.table.code))];
    const twins = codes.length === 1;
    const words = twins ? textFor(client, 'twins') : `${textFor(client, 'many')}${codes.join(' ')}`;
    return { why: 'ambiguous', code: twins ? codes[0] : null, text: words };
  }

  /** The room of a table, if it is there, and what is known of it. */
  roomAt(table) {
    const room = this.host.ROOM_find_by_name(table.room);
    return room ? this.core.watchFor(room) : null;
  }

  runs(table) {
    const watch = this.roomAt(table);
    return watch !== null && watch.stage !== 'begin';
  }

  returns(client) {
    return this.host.CLIENT_is_able_to_reconnect(client);
  }

  async wayOfPlayer(client, table, seat) {
    this.takeName(client, table, seat);
    if (this.returns(client)) return { table }; // before any question: his name with its key guards him (10.a, 10.h)
    const fault = await this.keyFault(client, table, seat);
    if (fault) return { why: fault === 'unheard' ? 'key' : fault, code: table.code, text: textFor(client, fault) };
    client.pass = table.room; // without it a second login is not known as one (10.a)
    if (!this.host.CLIENT_is_able_to_kick_reconnect(client)) await this.clearSeat(client, table, seat);
    client.relayd = { code: table.code, seat, siding: false };
    return { table };
  }

  /** Who comes back under the other form of his name would be made a viewer (3): give him the name he sits under. */
  takeName(client, table, seat) {
    const seated = this.runs(table) ? this.seated(table, seat) : undefined;
    if (!seated || (seated.vpass || '') !== (client.vpass || '')) return;
    Object.assign(client, { name: seated.name, name_vpass: seated.name_vpass });
  }

  seated(table, seat) {
    const watch = this.roomAt(table);
    return watch ? watch.room.players.find((player) => player.pos <= 1 && watch.seatOf(player) === seat) : undefined;
  }

  /** null, or why his key does not let him in. The key stays in his name, so that srvpro asks for it, too (10.h). */
  async keyFault(client, table, seat) {
    if (table.seat_key === 'off') return null;
    const seated = this.seated(table, seat);
    const needed = table.seat_key === 'required' || Boolean(seated && seated.vpass);
    if (!client.vpass) return needed ? 'key' : null;
    const { key } = table[seat];
    if (key !== null) return sameSecret(client.vpass, key) ? null : 'key';
    return this.askKey(client, { code: table.code, seat, key: named(client.vpass) });
  }

  async askKey(client, question) {
    client.setTimeout(IDLE_MS); // 2 s without a join would close him without a word (10.a)
    const answer = await this.core.link.ask({ type: 'ask_key', ...question }, this.core.settings.question_ms);
    if (answer && answer.type === 'key') return answer.ok ? null : 'key';
    return this.core.policy.silence === 'refuse' ? 'unheard' : null;
  }

  /** Whoever waits on this seat goes, or both would sit down; half-open connections make this a normal case (10.a). */
  async clearSeat(client, table, seat) {
    const watch = this.roomAt(table);
    if (!watch || watch.stage !== 'begin') return;
    const mine = (player) => player !== client && (watch.seatOf(player) === seat || player.name === client.name);
    for (const old of watch.room.players.filter(mine)) {
      const closed = old.isClosed ? null : new Promise((resolve) => { old.once('close', resolve); });
      this.host.CLIENT_kick(old);
      await within(this.core.timing.kick, closed);
    }
  }

  wayOfGuest(client, table) {
    if (this.returns(client)) return {};
    client.relayd = { code: table.code, seat: null, siding: false };
    const watching = table.strangers === 'watch';
    if (table.strangers === 'show' || (watching && this.runs(table))) return { table };
    return { why: 'stranger', code: table.code, text: textFor(client, watching ? 'not_yet' : 'stranger') };
  }

  async wayByDaemon(client, typed) {
    client.setTimeout(IDLE_MS);
    const question = { type: 'ask_seat', nickname: named(this.core.nicks(client)[0]), typed: named(typed) };
    const answer = await this.core.link.ask(question, this.core.settings.question_ms);
    if (!answer || answer.type !== 'seat' || client.isClosed) return {};
    if (answer.refuse !== null) return { why: 'daemon', code: answer.code, text: answer.refuse };
    const table = this.core.book.tables.get(answer.code);
    return table ? this.wayTo(client, { table, seat: answer.seat }) : {};
  }

  async refuse(client, { why, code, text: words }) {
    this.core.keep({ type: 'join_refused', at: Date.now(), nickname: named(this.core.nicks(client)[0]), code, why });
    await within(this.core.timing.send, this.host.ygopro.stoc_die(client, chatLine(words)));
    return '_cancel';
  }

  dropped(client) {
    const watch = this.core.watchOf(client);
    if (!watch || watch.stage === 'begin' || client.had_new_reconnection || client.is_post_watcher) return;
    if (client.pos > 1 || !watch.room.players.includes(client)) return;
    watch.away.add(client.pos);
    this.core.record('player_dropped', watch, { player: watch.player(client) });
    this.core.look(watch);
  }

  /** The host may not throw his opponent out; it would also blind srvpro to who leaves later (10.0-3). */
  kicking(buffer, client) {
    const watch = this.core.watchOf(client);
    if (!watch || !this.core.tableOf(watch) || buffer.length < 1) return undefined;
    const target = watch.room.players.find((player) => player.pos === buffer[0] && player !== client);
    if (!target || !watch.seatOf(target)) return undefined;
    this.core.tell(client, textFor(client, 'no_kick'), COLOURS.red);
    return true;
  }
}

/** Decks that are sent: judged, and refused with a reason (5, 10.g). */
class Decks {
  constructor(core) {
    Object.assign(this, { core, guard: core.guard });
  }

  hook(door) {
    door.before('UPDATE_DECK', (buffer, client) => this.sent(buffer, client));
  }

  async sent(buffer, client) {
    if (client.pre_reconnecting) return this.returning(client);
    const watch = this.core.watchOf(client);
    const table = watch ? this.core.tableOf(watch) : null;
    const seat = watch ? watch.seatOf(client) : null;
    if (!table || !seat || client.pos > 1) return undefined;
    const siding = client.relayd.siding || watch.stage === 'siding'; // either may come first (0-10)
    const player = watch.player(client);
    const verdict = await this.judge(client, readDeck(buffer), { table, seat, siding });
    if (verdict.word) this.tellVerdict(watch, player, siding, verdict);
    if (client.isClosed) return true; // 10.0-6
    return verdict.word === 'refused' ? this.refuse(client, siding, verdict) : undefined;
  }

  /** srvpro cancels the deck of who returns, so there is no _after: look once it has been handled (10.m). */
  returning(client) {
    setImmediate(this.guard.wrap('client return', () => {
      const watch = this.core.watchOf(client);
      if (!watch || client.pre_reconnecting || client.isClosed || !watch.room.players.includes(client)) return;
      watch.away.delete(client.pos);
      this.core.record('player_returned', watch, { player: watch.player(client) });
      this.core.look(watch);
    }));
  }

  /** {word, reason, card}; no word: nobody judges this deck but the game server. */
  async judge(client, deck, { table, seat, siding }) {
    const rule = table[seat].deck;
    if (!deck) return { word: 'refused', reason: textFor(client, 'deck_size'), card: 0 };
    if (rule.check === 'free') return {};
    if (rule.check === 'ask') return this.ask(client, { code: table.code, seat, siding, ...deck });
    const fault = deckFault(deck, rule, siding, client);
    if (!fault) return { word: 'accepted', reason: '' };
    return { word: 'refused', reason: `${textFor(client, 'deck')}${fault.reason}`, card: fault.card };
  }

  async ask(client, question) {
    const answer = await this.core.link.ask({ type: 'ask_deck', ...question }, this.core.settings.deck_question_ms);
    if (answer && answer.type === 'deck') return { ...answer, word: answer.ok ? 'accepted' : 'refused' };
    if (this.core.policy.silence === 'pass') return { word: 'unchecked', reason: '' };
    return { word: 'refused', reason: textFor(client, 'unheard'), card: 0 };
  }

  tellVerdict(watch, player, siding, { word, reason }) {
    const words = wellFormed(reason.slice(0, 250));
    this.core.record('deck_judged', watch, { player, siding, verdict: word, reason: words });
  }

  /** Chat in red and the client's dialog; before the start he becomes not ready again. */
  refuse(client, siding, { reason, card }) {
    const { ygopro } = this.core.host;
    this.core.tell(client, reason, COLOURS.red);
    const error = siding ? { msg: 3, code: 0 } : { msg: 2, code: (1 << 28) | card };
    const unready = { status: (client.pos << 4) | 0xa };
    if (!siding) this.core.send('HS_PLAYER_CHANGE', () => ygopro.stoc_send(client, 'HS_PLAYER_CHANGE', unready));
    this.core.send('ERROR_MSG', () => ygopro.stoc_send(client, 'ERROR_MSG', error));
    return true;
  }
}

/** The game server's messages. They run once for each receiver, and nothing slow may happen here (10.0-2). */
class Duels {
  constructor(core, rooms, death) {
    Object.assign(this, { core, rooms, death });
  }

  hook() {
    this.rooms.beforeEnd = (watch) => this.bookUnheard(watch);
    this.follow('after', 'TYPE_CHANGE', (watch, client) => this.seated(watch, client));
    this.follow('after', 'HS_PLAYER_CHANGE', (watch, client, buffer) => this.readiness(watch, client, buffer));
    this.follow('after', 'DUEL_START', (watch, client) => this.started(watch, client));
    this.follow('after', 'CHANGE_SIDE', (watch, client) => this.sideAsked(watch, client));
    this.follow('before', 'DUEL_END', (watch, client) => { if (client.pos <= 1) watch.duelEnd.add(client.pos); });
    this.follow('after', 'GAME_MSG', (watch, client, buffer) => this.gameMessage(watch, client, buffer));
  }

  follow(level, name, body) {
    const handler = this.core.guard.wrap(`stoc ${name}`, (buffer, client) => {
      const watch = this.core.watchOf(client);
      if (watch) body(watch, client, buffer);
    });
    this.core.host.ygopro[`stoc_follow_${level}`](name, true, async (buffer, info, client) => handler(buffer, client));
  }

  /** Comes again when the host changes, or when he gets up and sits down (10.m). */
  seated(watch, client) {
    if (watch.stage !== 'begin' || !watch.code) return;
    this.recognise(watch, client);
    const before = watch.sat.get(client);
    if (before === client.pos) return;
    if (before !== undefined) this.rooms.gotUp(watch, client);
    if (client.pos > 1) return;
    watch.sat.set(client, client.pos);
    watch.seats[client.pos] = client;
    this.core.record('player_seated', watch, { player: watch.player(client) });
    if (watch.seatOf(client) === null) this.showStranger(watch, client);
    this.core.look(watch);
  }

  /** Who was not led (by Challonge, before the table was known, leading is off) is found by his name. */
  recognise(watch, client) {
    const table = this.core.tableOf(watch);
    if (!table || watch.seatOf(client)) return;
    const siding = Boolean(client.relayd && client.relayd.siding);
    client.relayd = { code: watch.code, seat: this.core.book.seatAt(table, this.core.nicks(client)), siding };
  }

  /** A stranger who sits down in a room of ours is shown to everybody at once. */
  showStranger(watch, client) {
    if (!this.core.tableOf(watch) || watch.shown.has(client.name)) return;
    watch.shown.add(client.name);
    this.core.tellRoom(watch.room, (player) => `${client.name}${textFor(player, 'shown')}`, COLOURS.red);
  }

  readiness(watch, client, buffer) {
    const [pos, state] = [buffer[0] >> 4, buffer[0] & 0xf];
    if (pos !== client.pos) return;
    if (state === 0x9) watch.ready.add(pos);
    else watch.ready.delete(pos);
    this.core.look(watch);
  }

  started(watch, client) {
    if (client.relayd) client.relayd.siding = false; // his side deck was taken
    if (watch.room.duel_count === 0) this.matchBegun(watch);
    this.core.look(watch);
  }

  matchBegun(watch) {
    if (watch.startedAt !== null || watch.stage === 'begin') return;
    this.seatMissing(watch);
    if (!watch.duelists) return;
    watch.startedAt = Date.now();
    if (!watch.exited) watch.room.disconnector = undefined; // it sticks since the waiting room (10.0-3)
    this.bookDeserters(watch);
    this.core.record('match_started', watch, { players: watch.duelists.map((player) => watch.player(player)) });
    this.death.settle(watch);
  }

  /** Who is gone before he was ever seen on his seat: if one of a table's two is here, he is the other. */
  seatMissing(watch) {
    const table = this.core.tableOf(watch);
    const present = (watch.room.dueling_players || []).find(Boolean);
    const own = table && present ? watch.seatOf(present) : null;
    const pos = [0, 1].find((one) => !watch.room.dueling_players[one] && !watch.seats[one]);
    if (!own || pos === undefined) return;
    const seat = own === 'a' ? 'b' : 'a';
    const name = table[seat].nickname;
    watch.seats[pos] = { name, name_vpass: name, pos, relayd: { code: table.code, seat }, isClosed: true };
  }

  /**
   * Who left between the host's start and srvpro's hearing of it left the waiting room for srvpro, and a match for the
   * game server: book him as srvpro books whoever leaves a match (2, src).
   */
  bookDeserters(watch) {
    const { room } = watch;
    for (const client of watch.duelists.filter((player, pos) => !room.dueling_players[pos])) {
      room.finished = true;
      room.scores[client.name_vpass] = -9;
      watch.away.add(client.pos);
      this.core.record('player_gone', watch, { player: watch.player(client) });
    }
  }

  gameMessage(watch, client, buffer) {
    if (client.pos === 1 && buffer[0] === 5) this.wonBeside(watch, client, buffer);
    if (client.pos !== 0) return;
    if (buffer[0] === 4) this.gameBegun(watch, client, buffer);
    else if (buffer[0] === 40) this.turnBegun(watch, client);
    else if (buffer[0] === 5) this.gameWon(watch, client, buffer);
  }

  gameBegun(watch, client, buffer) {
    this.matchBegun(watch);
    const { room } = watch;
    const first = (buffer[1] & 0xf) === 0 ? 0 : 1;
    if (client.reconnecting) this.startMissed(watch, client, first);
    watch.games.set(room.duel_count, { first });
    Object.assign(watch, { turn: 0, deathSeen: 0 });
    this.core.record('game_started', watch, { game: room.duel_count, first });
    this.death.settle(watch);
    this.core.look(watch);
  }

  turnBegun(watch, client) {
    if (client.reconnecting) watch.room.turn += 1;
    Object.assign(watch, { turn: watch.room.turn, deathSeen: watch.room.death });
    this.core.look(watch);
  }

  /** The interim word: a kill of the server between here and the end of the room loses nothing (10.j). */
  gameWon(watch, client, buffer) {
    const { room } = watch;
    watch.won += 1;
    if (room.finished) return; // once somebody has left for good srvpro counts no more (10.l)
    if (client.reconnecting) this.winMissed(watch, client, buffer[1]);
    const counted = (room.wins || []).length;
    if (counted <= watch.said || !watch.duelists) return;
    watch.said = counted;
    const winner = room.winner === 0 || room.winner === 1 ? room.winner : 'draw';
    watch.games.set(counted, { ...watch.games.get(counted), winner, reason: buffer[2] });
    this.core.record('game_over', watch, this.interim(watch, winner, buffer[2]));
    this.death.gameEnded(watch);
    this.core.look(watch);
  }

  /** Position 1's copy of a win: what remains where that of position 0 never comes. */
  wonBeside(watch, client, buffer) {
    const game = watch.room.duel_count;
    const { first = client.is_first ? 1 : 0 } = watch.games.get(game) || {};
    if (watch.room.finished || game === 0) return;
    const winner = buffer[1] === 2 ? 2 : (buffer[1] + first) % 2;
    watch.otherWin = { game, winner, reason: buffer[2] };
  }

  /**
   * srvpro counts a win when it passes to position 0. A game server that ends while that player has just sent something
   * resets his connection, and its last words to him are lost (seen): then book what position 1 was told.
   */
  bookUnheard(watch) {
    const { room, otherWin } = watch;
    if (!otherWin || room.finished || otherWin.game !== room.duel_count) return;
    if ((room.wins || []).length >= room.duel_count || !watch.duelists) return;
    this.book(watch, otherWin.winner);
    const winner = otherWin.winner === 2 ? 'draw' : otherWin.winner;
    watch.games.set(otherWin.game, { ...watch.games.get(otherWin.game), winner, reason: otherWin.reason });
  }

  /*
   * srvpro does not look at the game messages of somebody who is just coming back, so a game that begins or ends in
   * that moment, or a turn, is not in its books (src). Book it as srvpro does (2, 5).
   */

  startMissed({ room, stages }, client, first) {
    Object.assign(client, { is_first: first === 0, lp: room.hostinfo.start_lp });
    Object.assign(room, { duel_stage: stages.DUELING, turn: 0, duel_count: room.duel_count + 1 });
    if (first === 0) room.first_list.push(client.name_vpass);
  }

  winMissed(watch, client, player) {
    this.book(watch, player === 2 || client.is_first ? player : 1 - player);
  }

  /** A game that srvpro has missed: the winner's position, or 2. */
  book({ room, stages }, winner) {
    Object.assign(room, { winner, turn: 0, duel_stage: stages.END, wins: [...(room.wins || []), ''] });
    if (winner !== 2) {
      const name = room.dueling_players[winner].name_vpass;
      room.wins[room.wins.length - 1] = name;
      room.scores[name] += 1;
    }
    if (room.death) room.death = this.death.rule % 2 ? -1 : 5;
  }

  interim(watch, winner, reason) {
    return {
      players: watch.duelists.map((player) => watch.player(player)),
      game: watch.room.duel_count,
      winner,
      reason,
      turn: watch.turn,
      death: watch.underDeath(),
      scores: watch.scores(),
      games: watch.gamesSoFar(),
      best_of: watch.bestOf,
    };
  }

  /** A dropped player's copy passes here as well (10.e). */
  sideAsked(watch, client) {
    if (client.relayd) client.relayd.siding = true;
    if (client.pos > 1 || !watch.duelists) return;
    const game = watch.room.duel_count;
    if (!watch.sides || watch.sides.game !== game) watch.sides = { game, asked: new Set() };
    watch.sides.asked.add(client.pos);
    if (!watch.bothAsked()) return;
    this.core.record('siding_began', watch, { game, scores: watch.scores() });
    this.death.settle(watch);
    this.core.look(watch);
  }
}

/** Death-three, sudden death, and the match that a lead decides (2, 10.c-10.e). */
class Death {
  constructor(core) {
    Object.assign(this, { core, guard: core.guard });
  }

  /** Rule 2 is the rule sheet's (2); srvpro reads it live. 0 leaves what is configured. */
  setRule() {
    const { host, settings } = this.core;
    if (settings.death_rule) host.settings.modules.http.quick_death_rule = settings.death_rule;
  }

  get rule() {
    return this.core.host.settings.modules.http.quick_death_rule;
  }

  /**
   * Make the room what its table wants; called whenever that can have changed, and by the sweep.
   * Returns what came of it: done, already, pending or ended.
   */
  settle(watch) {
    const table = this.core.tableOf(watch);
    const { room } = watch;
    if (!table || room.deleted || room.finished || room.finished_by_death) return 'already';
    if (watch.stage === 'begin') return table.death || table.sudden_death ? 'pending' : 'already';
    if (this.leadDecides(watch, table)) return this.endByLead(watch, table);
    if (this.evenedOut(watch, table)) return this.hold(watch);
    if (table.sudden_death) return this.setSudden(watch);
    if (table.death && !room.death) return this.call(watch);
    if (!table.death && room.death && watch.deathByUs) return this.cancel(watch);
    return 'already';
  }

  /** The first side deck may come before the second player is asked for his. */
  gameEnded(watch) {
    const table = this.core.tableOf(watch);
    if (table && watch.room.death && this.evenedOut(watch, table)) this.hold(watch);
  }

  /** Between two games, in death or about to be, somebody leads: the match is over, but not before both know (10.e). */
  leadDecides(watch, table) {
    if (!(watch.room.death || table.death) || watch.bestOf !== 3 || !watch.duelists || !watch.leads(table)) return false;
    if (watch.stage === 'siding') return watch.bothAsked() || watch.swept.siding > 1;
    return watch.stage === 'firstgo' || watch.stage === 'finger';
  }

  /** Under rules 0 and 1 srvpro would not end it and the room would sit in siding for ever (10.e). */
  endByLead(watch, table) {
    if (this.rule < 2) return 'already';
    if (watch.ending) return 'ended';
    watch.ending = true;
    setImmediate(async () => {
      const fate = await this.guard.run('end by lead', 'failed', () => this.endMatch(watch, table));
      if (fate === 'failed') watch.ending = false; // the sweep tries again
    });
    return 'ended';
  }

  /** srvpro ends a match with a lead in start_death; replays come first, or the winner would get none (10.e). */
  async endMatch(watch, table) {
    const { room } = watch;
    await within(this.core.timing.send, room.send_replays());
    if (room.deleted || room.finished || room.finished_by_death) return 'done';
    if (!watch.leads(table)) return 'failed';
    const [first, second] = watch.totals(table);
    const [loser, winner] = first < second ? watch.duelists : [...watch.duelists].reverse();
    room.death = 0;
    const ended = watch.hasLead() ? await within(this.core.timing.send, room.start_death()) : undefined;
    if (ended === undefined && !room.deleted) this.endByHand(room, loser);
    if (winner.pos === 1) this.core.send('DUEL_END', () => this.core.host.ygopro.stoc_send(winner, 'DUEL_END'));
    this.core.record('death_changed', watch, { state: 'ended' });
    return 'done';
  }

  /** The loser has stopped reading (10.0-7), or srvpro sees no lead in this room alone: it will not throw him out. */
  endByHand(room, loser) {
    Object.assign(room, { finished_by_death: true });
    room.scores[loser.name_vpass] = -1;
    this.core.host.CLIENT_kick(loser);
  }

  /** Who leads in this room does not lead in the match: srvpro would end it for him at the next side deck (2). */
  evenedOut(watch, table) {
    if (watch.stage === 'dueling' || watch.bestOf !== 3 || !watch.duelists || !watch.hasLead()) return false;
    const [one, other] = watch.totals(table);
    return one === other;
  }

  /** Until the next game has begun; then it is called again. */
  hold(watch) {
    watch.room.death = 0;
    return 'pending';
  }

  /** An extra game. srvpro puts death to 5 after each game, so it is set again (10.c). */
  setSudden(watch) {
    const { room } = watch;
    if (room.death === -1) return 'already';
    room.death = -1;
    if (!watch.deathByUs) this.core.tellRoom(room, (player) => textFor(player, 'sudden'), COLOURS.babyblue);
    watch.deathByUs = true;
    this.changed(watch, 'sudden');
    return 'done';
  }

  /** Right after a game the room ends, or both are about to be asked for their sides: wait for that. */
  call(watch) {
    const { room } = watch;
    if (watch.stage === 'end' || (watch.stage === 'siding' && watch.hasLead())) return 'pending';
    this.guard.run('start_death', undefined, () => room.start_death());
    if (!room.death) return 'pending';
    watch.deathByUs = true;
    this.changed(watch, room.death > 0 ? 'three' : 'sudden');
    return 'done';
  }

  cancel(watch) {
    watch.deathByUs = false;
    if (!watch.room.cancel_death()) return 'already';
    this.changed(watch, 'off');
    return 'done';
  }

  /** The room looks different from now on, not from its next turn on. */
  changed(watch, state) {
    this.core.record('death_changed', watch, { state });
    this.core.look(watch);
  }

  /** What a handler that failed has missed is made good here. */
  sweep(watch) {
    watch.swept.siding = watch.stage === 'siding' ? (watch.swept.siding || 0) + 1 : 0;
    this.settle(watch);
  }
}

/** What the daemon tells and orders. */
class Orders {
  constructor(core, duels, death) {
    Object.assign(this, { core, duels, death, guard: core.guard, answers: new Map() });
    core.link.heard = (message) => this.heard(message);
  }

  heard(message) {
    if (ORDERS.includes(message.type)) return this.once(message);
    if (message.type === 'welcome') this.core.policy = message.policy;
    if (message.type === 'table') this.core.book.set(message.table);
    else if (message.type === 'table_gone') this.core.book.drop(message.code);
    else this.core.book.replace(message.tables);
    for (const watch of this.core.open()) this.guard.run('tables', undefined, () => this.apply(watch));
    return undefined;
  }

  apply(watch) {
    for (const client of watch.duelists || watch.room.players) this.duels.recognise(watch, client);
    this.death.settle(watch);
  }

  /** The same order again is not carried out again, and gets the same answer. */
  once(message) {
    if (!this.answers.has(message.id)) this.answers.set(message.id, this.answerTo(message));
    if (this.answers.size > 1000) this.answers.delete(this.answers.keys().next().value);
    this.core.link.say(this.answers.get(message.id));
  }

  answerTo(message) {
    const outcome = this.guard.run(`order ${message.type}`, 'failed', () => this.obey(message));
    return { type: 'done', id: message.id, ok: ['done', 'already', 'pending', 'ended'].includes(outcome), outcome };
  }

  obey(message) {
    const watch = this.core.roomOf(message.code);
    if (message.type === 'death') return this.callDeath(message.code, watch);
    if (!watch) return 'no_room';
    if (message.type === 'death_cancel') return this.cancelDeath(watch);
    if (message.type === 'say') return this.say(watch, message);
    return message.type === 'kick' ? this.kick(watch, message) : this.close(watch, message);
  }

  callDeath(code, watch) {
    const table = this.core.book.tables.get(code);
    if (!table) return 'no_table';
    table.death = true; // kept for the room that is not there yet
    return watch ? this.death.settle(watch) : 'pending';
  }

  cancelDeath(watch) {
    const table = this.core.tableOf(watch);
    if (table) table.death = false;
    return this.death.cancel(watch);
  }

  say(watch, { seat, text: words, colour }) {
    if (seat === null) return this.core.tellRoom(watch.room, () => words, COLOURS[colour]);
    const player = this.present(watch, (client) => watch.seatOf(client) === seat);
    if (!player) return 'no_player';
    this.core.tell(player, words, COLOURS[colour]);
    return 'done';
  }

  /** Found anew each time: after a reconnect he is another object (10.f). */
  present(watch, wanted) {
    return [...watch.room.players, ...(watch.room.watchers || [])].find((client) => client && wanted(client));
  }

  kick(watch, { seat, nickname, text: words }) {
    const wanted = seat === null ? (client) => client.name === nickname : (client) => watch.seatOf(client) === seat;
    const player = this.present(watch, wanted);
    if (!player) return 'no_player';
    this.guard.run('kick', undefined, () => this.sayAndKick(player, words));
    return 'done';
  }

  async sayAndKick(client, words) {
    await within(this.core.timing.send, this.core.host.ygopro.stoc_send_chat(client, chatLine(words), COLOURS.red));
    this.core.host.CLIENT_kick(client);
  }

  close(watch, { text: words, a, b }) {
    this.guard.run('close', undefined, () => this.closeRoom(watch, words, a === null || b === null ? null : { a, b }));
    return 'done';
  }

  /** End a room with its scores: replays, DUEL_END, then the process; room.delete() alone sends nonsense (10.f). */
  async closeRoom(watch, words, scores) {
    const { room } = watch;
    watch.mark = 'closed';
    this.core.tellRoom(room, () => words, COLOURS.red);
    if (watch.stage === 'begin') { this.sendAway(room); return; }
    for (const client of scores ? watch.duelists : []) {
      if (watch.seatOf(client)) room.scores[client.name_vpass] = scores[watch.seatOf(client)];
    }
    await within(this.core.timing.send, room.send_replays());
    if (room.deleted) return;
    const { ygopro } = this.core.host;
    for (const client of room.players) this.core.send('DUEL_END', () => ygopro.stoc_send(client, 'DUEL_END'));
    this.endProcess(watch);
  }

  sendAway(room) {
    for (const client of [...room.players]) this.core.host.CLIENT_kick(client);
  }

  endProcess(watch) {
    if (!watch.process) return;
    watch.process.kill();
    const force = () => { if (!watch.exited) watch.process.kill('SIGKILL'); };
    setTimeout(this.guard.wrap('close by force', force), this.core.timing.send).unref();
  }
}

/** The parts put together. */
class Plugin {
  constructor(host, settings, options) {
    this.core = new Core(host, settings, options);
    this.rooms = new Rooms(this.core);
    this.door = new Door(this.core);
    this.decks = new Decks(this.core);
    this.death = new Death(this.core);
    this.duels = new Duels(this.core, this.rooms, this.death);
    this.orders = new Orders(this.core, this.duels, this.death);
  }

  start() {
    const { core: { guard, link, timing } } = this;
    const steps = {
      rooms: () => this.rooms.hook(),
      door: () => this.door.hook(),
      decks: () => this.decks.hook(this.door),
      duels: () => this.duels.hook(),
      death: () => this.death.setRule(),
      link: () => link.start(),
    };
    for (const [name, step] of Object.entries(steps)) guard.run(`start ${name}`, undefined, step);
    this.sweeper = setInterval(guard.wrap('sweep', () => this.sweep()), timing.sweep);
    this.sweeper.unref();
    return this;
  }

  sweep() {
    for (const watch of this.core.open()) {
      this.core.guard.run('sweep death', undefined, () => this.death.sweep(watch));
      this.core.guard.run('sweep room', undefined, () => this.rooms.sweep(watch));
    }
  }

  stop() {
    clearInterval(this.sweeper);
    clearTimeout(this.core.sightTimer);
    this.core.link.stop();
    this.core.spool.close();
  }
}

/** Cut off whoever sends what no client sends. */
function drop(client) {
  client.destroy();
  return '_cancel';
}

/** The payload of JOIN_GAME with another password: version u16, pad 2, game id u32, 20 UTF-16 units (10.a). */
function leadTo(room, buffer) {
  const led = Buffer.from(buffer);
  led.fill(0, 8, 48);
  led.write(room, 8, 40, 'utf16le');
  return led;
}

// 10 start ---------------------------------------------------------------------------------------------------------

/** Hook into *host*; the returned plugin has stop(). */
function install(host, settings, options = {}) {
  return new Plugin(host, settings, options).start();
}

/** The last net: what no try-catch holds, such as the packets of (0-6), must not end all rooms. */
function guardProcess(plugin) {
  const { guard } = plugin.core;
  process.on('uncaughtException', (error) => guard.caught('uncaught exception', error));
  process.on('unhandledRejection', (error) => guard.caught('unhandled rejection', error));
}

/** What srvpro's require() does. A throw here would end srvpro, so there is none (5). */
function load(host, file) {
  const log = host.log || console;
  try {
    const { settings, problems } = parseConfig(fs.readFileSync(file, 'utf8'));
    for (const problem of problems) log.error(`relayd: ${file}: ${problem}`);
    if (problems.length) { log.error('relayd: the plugin stays off until this is put right'); return null; }
    const plugin = install(host, settings, { WebSocket: require('ws') });
    if (settings.guards) guardProcess(plugin);
    log.info(`relayd: plugin ${VERSION} at work for ${settings.url} as ${settings.server}`);
    return plugin;
  } catch (error) {
    log.error(`relayd: the plugin stays off: ${error.message}`);
    return null;
  }
}

module.exports = { install, load, parseConfig, readFrame, Spool, Guard, TIMING, DEFAULTS };

if (global.ygopro && global.ROOM_all) module.exports.plugin = load(global, path.join(__dirname, 'relayd.conf'));
