'use strict';

/* A scripted player: what a YGOPro client sends, and everything it was sent. */

const { message, infoOf, wide } = require('./wire');

/** 40 cards and 3 for the side, of which no card is in it more than three times. */
function deck(first = 1) {
  const cards = Array.from({ length: 43 }, (_, index) => 10000000 + first * 1000 + Math.floor(index / 3));
  return { main: cards.slice(0, 40), side: cards.slice(40) };
}

class Player {
  /** *eager*: sends his deck as soon as he has a seat; *sides*: and his side deck when asked. */
  constructor(srvpro, nick, { ip, cards = deck(), sides = true, eager = false } = {}) {
    Object.assign(this, { srvpro, nick, ip, cards, sides, eager, heard: [], closed: false, hand: 1, goesFirst: true });
    this.connect();
  }

  connect() {
    this.client = this.srvpro.connect((sent) => this.hear(sent), this.ip);
    const { client } = this;
    client.on('close', () => { if (client === this.client) this.closed = true; });
    this.closed = false;
  }

  // what he hears

  hear({ name, payload }) {
    const info = infoOf('STOC', name, payload);
    this.heard.push({ name, payload, info });
    if (this.quiet) return;
    if (name === 'TYPE_CHANGE' && this.eager) this.sendDeck();
    if (name === 'SELECT_HAND') this.send('HAND_RESULT', { res: this.hand });
    if (name === 'SELECT_TP') this.send('TP_RESULT', { res: this.goesFirst ? 1 : 0 });
    if (name === 'CHANGE_SIDE' && this.sides) this.sendDeck();
  }

  all(name) {
    return this.heard.filter((one) => one.name === name);
  }

  has(name, test = () => true) {
    return this.all(name).some(({ info, payload }) => test(info, payload));
  }

  /** Every line of chat that he was sent. */
  get chat() {
    return this.all('CHAT').map(({ info }) => info.msg);
  }

  read(words) {
    return this.chat.some((line) => line.includes(words));
  }

  get pos() {
    return this.client.pos;
  }

  // what he sends

  send(...messages) {
    const chunk = typeof messages[0] === 'string' ? [message('CTOS', ...messages)] : messages;
    this.srvpro.fromPlayer(this.client, chunk);
  }

  /** Nick and join, in two segments as the client sends them. */
  join(pass, { nick = this.nick, version } = {}) {
    this.send('PLAYER_INFO', { name: nick });
    this.send('JOIN_GAME', { pass, version });
    return this;
  }

  sendDeck(cards = this.cards) {
    this.send('UPDATE_DECK', cards);
    return this;
  }

  start() {
    this.send('HS_START');
    return this;
  }

  surrender() {
    this.send('SURRENDER');
    return this;
  }

  endTurn() {
    this.send('RESPONSE', Buffer.from([0]));
    return this;
  }

  /** Deal damage: to the other (0), to himself (1), to both (2). */
  hit(value, whom = 0) {
    const payload = Buffer.alloc(6);
    payload.writeUInt8(1, 0);
    payload.writeUInt8(whom, 1);
    payload.writeUInt32LE(value, 2);
    this.send('RESPONSE', payload);
    return this;
  }

  say(words) {
    this.send('CHAT', wide(words, words.length + 1));
    return this;
  }

  /** The connection breaks. */
  drop() {
    this.client.destroy();
    return this;
  }

  /** He comes again, on a new connection, and sends his first deck when asked. */
  comeBack(pass = '', { nick = this.nick, cards = this.cards, ip } = {}) {
    if (ip) this.ip = ip;
    this.heard = [];
    this.connect();
    this.join(pass, { nick });
    if (!this.eager) this.sendDeck(cards);
    return this;
  }
}

module.exports = { Player, deck };
