'use strict';

/* The daemon, as far as a plugin can tell: a WebSocket server that welcomes, acknowledges, answers, and goes away. */

const { once } = require('node:events');
const { WebSocketServer } = require('ws');

const POLICY = { report: 'all', ask_seat: false, silence: 'pass' };

/** A table as the daemon tells it, with what a test changes. */
function table(code, change = {}) {
  const { a = {}, b = {}, options = {}, ...rest } = change;
  return {
    code,
    room: code,
    finished: false,
    a: { player: 1, nickname: 'Alice', key: null, deck: { check: 'free' }, ...a },
    b: { player: 2, nickname: 'Bob', key: null, deck: { check: 'free' }, ...b },
    options: {
      best_of: 3, lflist: null, rule: null, time_limit: null, no_watch: null, no_check_deck: null, start_lp: null,
      start_hand: null, draw_count: null, duel_rule: null, ...options,
    },
    strangers: 'refuse',
    seat_key: 'off',
    death: false,
    sudden_death: false,
    carried: [0, 0],
    welcome: null,
    ...rest,
  };
}

class Daemon {
  constructor({ token = 'secret' } = {}) {
    Object.assign(this, { token, heard: [], records: new Map(), acked: 0, spool: null, sockets: new Set() });
    Object.assign(this, { tables: [], policy: { ...POLICY }, answers: {}, connections: 0, port: 0 });
    Object.assign(this, { acks: true, silent: false });
  }

  /** Listen on the same port as before. */
  async open() {
    this.server = new WebSocketServer({
      host: '127.0.0.1',
      port: this.port,
      perMessageDeflate: false,
      verifyClient: ({ req }) => req.headers.authorization === `Bearer ${this.token}`,
    });
    this.server.on('connection', (socket) => this.connected(socket));
    await once(this.server, 'listening');
    this.port = this.server.address().port;
    return this;
  }

  /** Gone, and every connection with it. */
  async leave() {
    if (!this.server) return;
    for (const socket of this.sockets) socket.terminate();
    const closed = new Promise((resolve) => { this.server.close(resolve); });
    this.server = null;
    await closed;
  }

  connected(socket) {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('message', (data) => this.receive(socket, JSON.parse(String(data))));
  }

  receive(socket, message) {
    this.heard.push(message);
    if (this.silent) return;
    if (message.type === 'hello') this.welcome(socket, message);
    else if (message.seq !== undefined) this.take(socket, message);
    else if (this.answers[message.type]) this.answer(socket, message);
  }

  welcome(socket, { spool }) {
    if (spool !== this.spool) Object.assign(this, { spool, acked: 0 });
    const { acked: ack, policy, tables } = this;
    socket.send(JSON.stringify({ type: 'welcome', version: 1, ack, policy, tables }));
  }

  /** A record counts once, however often it comes. */
  take(socket, message) {
    const key = `${this.spool}/${message.seq}`;
    if (!this.records.has(key)) this.records.set(key, message);
    if (!this.acks) return;
    this.acked = Math.max(this.acked, message.seq);
    socket.send(JSON.stringify({ type: 'ack', seq: message.seq }));
  }

  answer(socket, message) {
    const answer = this.answers[message.type](message);
    if (answer) this.say({ ...answer, id: message.id });
  }

  say(message) {
    for (const socket of this.sockets) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  all(type) {
    return this.heard.filter((message) => message.type === type);
  }

  /** The records of one kind, each once. */
  facts(type, code) {
    const wanted = (fact) => fact.type === type && (code === undefined || fact.code === code);
    return [...this.records.values()].filter(wanted);
  }

  fact(type, code) {
    return this.facts(type, code)[0];
  }
}

module.exports = { Daemon, table, POLICY };
