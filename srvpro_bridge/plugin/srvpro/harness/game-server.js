'use strict';

/*
 * The process of one room, as srvpro sees it: a child process with which each player has a connection of his own
 * (duel-server.md 2, 6, 10). It plays a small game: a RESPONSE ends the turn or deals damage. `truth` is what was
 * really played, for comparison with what the plugin tells.
 */

const { EventEmitter } = require('node:events');
const { message, game } = require('./wire');

const DECK_MIN = 40;
const DECK_MAX = 75;
const POT_OF_GREED = 55144522;
let pids = 1000;

/** srvpro's end of the connection to the game server. */
class Pipe extends EventEmitter {
  constructor(network, client) {
    super();
    Object.assign(this, { network, client, game: null, up: network.lane(), down: network.lane(), isClosed: false });
  }

  /** srvpro → game server. */
  send(sent) {
    this.network.post(this.up, () => { if (this.game && !this.gone) this.game.handle(this, sent); });
  }

  /** srvpro hangs up. */
  destroy() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.network.post(this.up, () => { if (this.game && !this.gone) this.game.left(this); });
  }
}

class GameServer extends EventEmitter {
  constructor(network, [, lflist, rule, mode, , noCheck], { onChunk }) {
    super();
    Object.assign(this, { network, lflist, rule, mode, noCheck: noCheck === 'T', onChunk, pid: pids += 1 });
    Object.assign(this, { exitCode: null, signalCode: null, stdout: new EventEmitter(), own: network.lane() });
    Object.assign(this, { seats: [null, null], pipes: new Set(), host: null });
    Object.assign(this, { decks: [null, null], ready: [false, false] });
    Object.assign(this, { phase: 'lobby', hands: [0, 0], sided: [false, false], wins: [0, 0], played: 0, truth: [] });
    Object.assign(this, { over: false, exitFirst: false, first: null, turn: 0, lp: [0, 0], fate: null });
    network.post(this.own, () => this.stdout.emit('data', '7911\n'));
  }

  // speaking

  /** One chunk to one connection. */
  tell(pipe, ...messages) {
    if (!pipe || pipe.gone) return;
    this.network.post(pipe.down, () => this.onChunk(pipe, messages), () => !pipe.isClosed);
  }

  /** A chunk for each player and viewer; viewers' copies do not run through the handlers of a player. */
  tellAll(...messages) {
    for (const pipe of this.seats) this.tell(pipe, ...messages);
  }

  hangUp(pipe) {
    if (pipe.gone) return;
    pipe.gone = true;
    this.network.emit(pipe.down, () => { pipe.isClosed = true; pipe.emit('close'); });
  }

  // listening

  accept(pipe) {
    pipe.game = this;
    this.pipes.add(pipe);
    if (this.exitCode !== null || this.signalCode !== null) this.hangUp(pipe);
  }

  handle(pipe, { name, payload }) {
    const pos = this.seats.indexOf(pipe);
    const act = {
      JOIN_GAME: () => this.join(pipe),
      UPDATE_DECK: () => this.deck(pos, payload),
      HS_NOTREADY: () => this.unready(pos),
      HS_TOOBSERVER: () => this.stand(pipe, pos),
      HS_TODUELIST: () => this.join(pipe),
      HS_KICK: () => this.kick(pipe, payload[0]),
      HS_START: () => this.start(pipe),
      HAND_RESULT: () => this.hand(pos, payload[0]),
      TP_RESULT: () => this.begin(payload[0] === 1 ? pos : 1 - pos),
      RESPONSE: () => this.respond(pos, payload),
      SURRENDER: () => this.surrender(pos),
      LEAVE_GAME: () => this.leave(pipe, pos),
      REQUEST_FIELD: () => this.tell(pipe, message('STOC', 'FIELD_FINISH')),
    }[name];
    if (act && !this.over) act();
  }

  join(pipe) {
    const free = this.phase === 'lobby' ? this.seats.indexOf(null) : -1;
    if (!this.host) this.host = pipe;
    this.tell(pipe, message('STOC', 'JOIN_GAME', Buffer.alloc(20)));
    if (free >= 0) this.seats[free] = pipe;
    this.tellType(pipe);
  }

  tellType(pipe) {
    const pos = this.seats.indexOf(pipe);
    const type = (pos < 0 ? 7 : pos) | (pipe === this.host ? 0x10 : 0);
    this.tell(pipe, message('STOC', 'TYPE_CHANGE', { type }));
  }

  tellReady(pos, state) {
    this.tellAll(message('STOC', 'HS_PLAYER_CHANGE', { status: (pos << 4) | state }));
  }

  deck(pos, payload) {
    if (pos < 0 || payload.length < 8 || payload.length !== 8 + 4 * cardCount(payload)) return;
    if (this.phase === 'siding') this.side(pos, payload);
    else if (this.phase === 'lobby' && !this.ready[pos]) this.firstDeck(pos, payload);
  }

  firstDeck(pos, payload) {
    const fault = this.noCheck ? 0 : this.illegal(cardsOf(payload));
    if (fault) {
      this.tell(this.seats[pos], message('STOC', 'ERROR_MSG', { msg: 2, code: fault }));
      this.tellReady(pos, 0xa);
      return;
    }
    this.decks[pos] = cardsOf(payload);
    this.ready[pos] = true;
    this.tellReady(pos, 0x9);
  }

  /** 0, or the code of ERROR_MSG: kind << 28 | card or count (6). */
  illegal({ main, side }) {
    const cards = [...main, ...side];
    const fourth = cards.find((card) => cards.filter((other) => other === card).length > 3);
    if (main.length < DECK_MIN || main.length > DECK_MAX) return (0x6 << 28) | main.length;
    if (fourth) return (0x5 << 28) | fourth;
    return this.lflist !== -1 && cards.includes(POT_OF_GREED) ? (0x1 << 28) | POT_OF_GREED : 0;
  }

  side(pos, payload) {
    if (this.sided[pos]) return;
    const all = ({ main, side }) => [...main, ...side].sort().join();
    if (all(cardsOf(payload)) !== all(this.decks[pos])) {
      this.tell(this.seats[pos], message('STOC', 'ERROR_MSG', { msg: 3, code: 0 }));
      return;
    }
    this.sided[pos] = true;
    this.tell(this.seats[pos], message('STOC', 'DUEL_START'));
    if (this.sided.every(Boolean)) this.coin();
  }

  unready(pos) {
    if (pos < 0 || this.phase !== 'lobby') return;
    this.ready[pos] = false;
    this.tellReady(pos, 0xa);
  }

  stand(pipe, pos) {
    if (pos < 0 || this.phase !== 'lobby') return;
    this.seats[pos] = null;
    this.ready[pos] = false;
    this.tellType(pipe);
  }

  kick(pipe, pos) {
    const target = this.seats[pos];
    if (pipe !== this.host || this.phase !== 'lobby' || !target || target === pipe) return;
    this.vacate(target);
    this.hangUp(target);
  }

  start(pipe) {
    if (pipe !== this.host || this.phase !== 'lobby' || !this.ready.every(Boolean)) return;
    this.phase = 'coin';
    this.tellAll(message('STOC', 'DUEL_START'));
    this.askHands();
  }

  askHands() {
    this.phase = 'coin';
    this.hands = [0, 0];
    this.tellAll(message('STOC', 'SELECT_HAND'));
  }

  hand(pos, sign) {
    if (this.phase !== 'coin' || pos < 0) return;
    this.hands[pos] = sign;
    if (!this.hands.every(Boolean)) return;
    const [one, other] = this.hands;
    if (one === other) this.askHands();
    else this.askFirst((one - other + 3) % 3 === 1 ? 0 : 1);
  }

  /** After a game its loser chooses who begins; after a draw, or at the start, the hands decide. */
  coin() {
    const last = this.truth.at(-1);
    if (last.winner === 'draw') this.askHands();
    else this.askFirst(1 - last.winner);
  }

  askFirst(pos) {
    this.phase = 'firstgo';
    this.tell(this.seats[pos], message('STOC', 'SELECT_TP'));
  }

  begin(first) {
    if (this.phase !== 'firstgo') return;
    Object.assign(this, { phase: 'duel', first, turn: 0, lp: [8000, 8000] });
    this.seats.forEach((pipe, pos) => this.gameMessage(pipe, game.start(pos === first ? 0 : 1)));
    this.newTurn();
  }

  gameMessage(pipe, payload) {
    this.tell(pipe, message('STOC', 'GAME_MSG', payload));
  }

  newTurn() {
    this.turn += 1;
    const player = (this.turn - 1) % 2;
    for (const pipe of this.seats) this.gameMessage(pipe, game.newTurn(player));
  }

  /** Players are 0 (who began) and 1 in the messages of the game. */
  playerAt(pos) {
    return pos === this.first ? 0 : 1;
  }

  respond(pos, payload) {
    if (this.phase !== 'duel' || pos < 0) return;
    if (payload[0] === 0) this.newTurn();
    else this.hit(payload[1] === 2 ? [0, 1] : [payload[1] === 1 ? pos : 1 - pos], payload.readUInt32LE(2));
  }

  hit(positions, value) {
    for (const pos of positions) {
      this.lp[pos] = Math.max(0, this.lp[pos] - value);
      for (const pipe of this.seats) this.gameMessage(pipe, game.damage(this.playerAt(pos), value));
    }
    if (this.lp.every((lp) => lp === 0)) this.won('draw', 1);
    else if (this.lp.includes(0)) this.won(this.lp[0] === 0 ? 1 : 0, 1);
  }

  surrender(pos) {
    if (this.phase === 'duel' && pos >= 0) this.won(1 - pos, 0);
  }

  timeout(pos) {
    if (this.phase === 'duel') this.won(1 - pos, 3);
  }

  matchKill() {
    for (const pipe of this.seats) this.gameMessage(pipe, game.matchKill());
  }

  /** A game ends: WIN, replay, then the side decks or the end. */
  won(winner, reason) {
    this.truth.push({ winner, reason, first: this.first });
    this.played += 1;
    if (winner !== 'draw') this.wins[winner] += 1;
    const last = this.decided;
    const player = winner === 'draw' ? 2 : this.playerAt(winner);
    const said = [message('STOC', 'GAME_MSG', game.win(player, reason)), replay()];
    if (last) this.end(said, 'match');
    else this.askSides(said);
  }

  /** The match is won, or as many games were played as there are. */
  get decided() {
    return this.played > 0 && (this.mode !== 1 || this.wins.includes(2) || this.played === 3);
  }

  askSides(said) {
    Object.assign(this, { phase: 'siding', sided: [false, false] });
    for (const pipe of this.seats) for (const one of [...said, message('STOC', 'CHANGE_SIDE')]) this.tell(pipe, one);
  }

  /**
   * The match is over: everybody is told, then the process ends; its exit may be known before (10.0-1). A connection
   * that it `resets` loses what was not read yet: so TCP does where the other side has sent something unread.
   */
  end(said, fate) {
    Object.assign(this, { over: true, fate });
    if (this.exitFirst) this.exit(0, null);
    this.seats.forEach((pipe, pos) => {
      if (this.resets !== pos) for (const one of [...said, message('STOC', 'DUEL_END')]) this.tell(pipe, one);
    });
    for (const pipe of this.pipes) this.hangUp(pipe);
    if (!this.exitFirst) this.exit(0, null);
  }

  /** A player of a running match leaves it: without a word, or with it where nothing ends by that (6). */
  leave(pipe, pos) {
    if (this.phase === 'lobby') this.vacate(pipe);
    if (this.phase === 'lobby' || pos < 0) this.hangUp(pipe);
  }

  left(pipe) {
    const pos = this.seats.indexOf(pipe);
    pipe.gone = true;
    this.pipes.delete(pipe);
    if (this.over) return;
    if (this.phase === 'lobby') this.vacate(pipe);
    else if (pos >= 0) this.forfeit(pos);
  }

  vacate(pipe) {
    const pos = this.seats.indexOf(pipe);
    if (pos >= 0) [this.seats[pos], this.ready[pos]] = [null, false];
    if (pipe !== this.host) return;
    this.host = this.seats.find(Boolean) || null;
    if (this.host) this.tellType(this.host);
  }

  /** He is gone for good: the other has won, reason 4 (6). */
  forfeit(pos) {
    this.seats[pos] = null;
    const player = this.first === null ? 1 - pos : this.playerAt(1 - pos);
    this.end([message('STOC', 'GAME_MSG', game.win(player, 4)), replay()], 'forfeit');
  }

  // a child process

  kill(signal = 'SIGTERM') {
    if (this.dead || (this.deaf && signal !== 'SIGKILL')) return false; // a process that hangs does not heed SIGTERM
    this.over = true;
    this.fate = this.fate || 'killed';
    this.exit(null, signal);
    for (const pipe of this.pipes) this.hangUp(pipe);
    return true;
  }

  /** A crash, as srvpro sees it: not killed by anything in node. */
  crash(signal = 'SIGSEGV') {
    this.fate = this.fate || 'crash';
    GameServer.prototype.kill.call(this, signal);
  }

  exit(code, signal) {
    if (this.dead) return;
    this.dead = true;
    this.network.post(this.own, () => {
      Object.assign(this, { exitCode: code, signalCode: signal }); // node sets both before it emits
      this.emit('exit', code, signal);
    });
  }
}

function replay() {
  return message('STOC', 'REPLAY', Buffer.alloc(64, 7));
}

function cardCount(payload) {
  return payload.readUInt32LE(0) + payload.readUInt32LE(4);
}

function cardsOf(payload) {
  const [main, side] = [payload.readUInt32LE(0), payload.readUInt32LE(4)];
  const cards = Array.from({ length: main + side }, (_, index) => payload.readUInt32LE(8 + 4 * index));
  return { main: cards.slice(0, main), side: cards.slice(main) };
}

module.exports = { GameServer, Pipe, POT_OF_GREED };
