'use strict';

/*
 * Players at random: matches whose messages overtake each other, with drops, returns, second logins, crashes, kicks,
 * orders and death at any moment, handlers of the plugin that throw, and a daemon that comes and goes. In the end every
 * room must be gone and told once, and what is told must be what was played. One seed plays the same script again
 * (real timers keep it from being the same to the last step).
 */

const { World } = require('./world');
const { table } = require('./daemon');
const { deck } = require('./player');
const { seeded, tick, until } = require('./network');

const ROOMS = 20;
const STEPS = 24;
const THROWS = 0.02;
/** The places at which srvpro or a timer calls into the plugin. */
const HOOKS = /^(ctos|stoc|client|room|sweep|tables|settle|send|start_death|end by lead|order|kick|close|sights)/;
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

class Chaos {
  constructor(seed) {
    this.random = seeded(seed);
    this.world = new World({ random: seeded(seed + 1) });
    this.players = [];
    this.over = false;
  }

  chance(part) {
    return this.random() < part;
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** Play, wait until everything has come to rest, and return what is wrong. */
  async run() {
    const { world } = this;
    this.codes = Array.from({ length: ROOMS }, (_, index) => `X1R1T${index + 1}`);
    await world.open(this.codes.map((code, index) => this.table(code, index)), {
      probe: (place) => this.maybeThrow(place),
      timing: { sweep: 10, ack: 200, ping: 40, send: 40, kick: 40 },
      settings: { exit_wait_ms: 400, question_ms: 30, deck_question_ms: 30 },
    });
    world.host.settings.modules.reconnect.wait_time = 120;
    const daemon = this.comeAndGo();
    await Promise.all(this.codes.map((code, index) => this.match(code, index)));
    await this.rest(daemon);
    const wrong = this.judge();
    await world.close();
    return wrong;
  }

  maybeThrow(place) {
    if (place === 'stoc GAME_MSG' && this.needed()) return;
    if (HOOKS.test(place) && !this.over && this.chance(THROWS)) throw new Error(`chaos in ${place}`);
  }

  /**
   * srvpro itself looks away while somebody comes back, and the last words to position 0 may be lost (src, seen): then
   * it takes the plugin to see a win, and a second fault at once is more than is asked of it.
   */
  needed() {
    const blind = (room) => room.process.resets !== undefined || room.players.some((player) => player.reconnecting);
    return this.world.srvpro.rooms().some(blind);
  }

  table(code, index, change = {}) {
    return table(code, {
      a: { player: 2 * index + 1, nickname: `a${index}`, deck: { check: this.chance(0.3) ? 'ask' : 'free' } },
      b: { player: 2 * index + 2, nickname: `b${index}`, deck: { check: 'frozen', ...deck(2) } },
      options: { best_of: index % 3 ? 3 : 1 },
      death: this.chance(0.2),
      ...change,
    });
  }

  async comeAndGo() {
    const { daemon } = this.world;
    while (!this.over) {
      await pause(5 + 40 * this.random());
      if (daemon.server) await daemon.leave();
      else await daemon.open();
    }
    if (!daemon.server) await daemon.open();
  }

  async match(code, index) {
    const pair = [0, 1].map((side) => (
      this.world.player(`${'ab'[side]}${index}`, { cards: deck(side + 1), eager: true })));
    this.players.push(...pair);
    for (const player of pair) Object.assign(player, { goesFirst: this.chance(0.5) });
    for (const player of pair) player.join('hello');
    await this.sitDown(pair);
    for (let step = 0; step < STEPS; step += 1) {
      this.step(pair, code, index);
      for (let wait = Math.floor(60 * this.random() ** 2); wait > 0; wait -= 1) await tick();
    }
  }

  /** Both send their decks and somebody starts, as far as the disturbances let them. */
  async sitDown(pair) {
    pair[0].hand = 2;
    for (let tries = 0; tries < 200 && !pair.every((player) => player.closed || player.has('GAME_MSG')); tries += 1) {
      await pause(3);
      if (!pair[0].has('DUEL_START')) this.pick(pair).start();
    }
  }

  step(pair, code, index) {
    const player = this.pick(pair);
    const game = this.world.room(code) && this.world.room(code).process;
    if (game && this.chance(0.3)) game.exitFirst = true;
    if (game && this.chance(0.05)) game.resets = this.pick([0, 1]);
    const other = () => this.world.player(player.nick, { cards: player.cards, eager: true });
    const again = () => this.players.push(other().join('x'));
    const close = { type: 'close', id: `${code}-${this.random()}`, code, text: 'over', a: null, b: null };
    player.hand = 1 + Math.floor(3 * this.random());
    this.weighted([
      [12, () => player.endTurn()],
      [12, () => player.hit(4000, this.pick([0, 0, 0, 1, 2]))],
      [16, () => player.surrender()],
      [6, () => player.drop().comeBack('x')],
      [1, () => player.drop()],
      [2, () => { player.drop(); again(); }],
      [2, () => again()],
      [2, () => player.say('hello')],
      [1, () => player.send({ name: 'UPDATE_DECK', payload: Buffer.alloc(3) })],
      [2, () => player.sendDeck(deck(9))],
      [1, () => player.send('HS_KICK', { pos: 1 })],
      [0.3, () => game && game.crash(this.pick(['SIGSEGV', 'SIGKILL']))],
      [0.2, () => this.world.srvpro.api('kick', code)],
      [0.2, () => this.world.daemon.say(close)],
      [2, () => this.world.daemon.say({ type: 'table', table: this.table(code, index, { death: this.chance(0.7) }) })],
    ]);
  }

  weighted(actions) {
    let left = this.random() * actions.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, action] of actions) {
      left -= weight;
      if (left <= 0) return action();
    }
    return undefined;
  }

  /** Everybody leaves; then nothing may be left hanging, here or in the spool. */
  async rest(daemon) {
    this.over = true;
    await daemon;
    for (const player of this.players) player.drop();
    await until(() => {
      for (const player of this.players) if (!player.closed) player.drop();
      return this.world.srvpro.rooms().length === 0;
    }, 20000).catch(() => {});
    await until(() => this.world.plugin.core.spool.lines.size === 0, 20000).catch(() => {});
  }

  judge() {
    const { srvpro, plugin } = this.world;
    const wrong = srvpro.rooms().map((room) => `${room.name} hangs in stage ${room.duel_stage}`);
    if (plugin.core.spool.lines.size) wrong.push(`${plugin.core.spool.lines.size} records never came`);
    if (srvpro.dead) wrong.push(`the server died: ${srvpro.dead.stack}`);
    return [...wrong, ...srvpro.made.flatMap((room) => this.judgeRoom(room))];
  }

  judgeRoom(room) {
    const watch = this.world.plugin.core.watches.get(room);
    const told = watch ? this.world.daemon.facts('room_closed').filter((fact) => fact.room === watch.id) : [];
    if (room.duel_stage === 0 && told.length === 0) return []; // nothing was played, so nothing is lost
    if (told.length !== 1) return [`${room.name} was told ${told.length} times`];
    const complaint = this.complaint(room, told[0]);
    const seen = { fate: room.process.fate, truth: room.process.truth, scores: room.scores, told: told[0] };
    return complaint ? [`${room.name}: ${complaint}: ${JSON.stringify(seen)}`] : [];
  }

  /** What was told beside what was played. */
  complaint(room, { ending, games, stage }) {
    const { fate, truth, decided } = room.process;
    const played = truth.map(({ winner }) => winner);
    const winners = games.map(({ winner }) => winner);
    if (winners.some((winner, index) => winner !== played[index])) return 'games that were not played so';
    if (stage === 'begin' || room.kicked || ending === 'closed') return null;
    if (ending === 'crashed' && room.process.resets !== undefined) return null; // nobody was told, so nobody can know
    if (fate === 'match' && !room.finished && winners.length !== played.length) return 'a game is missing';
    if (fate === 'match' && ending !== 'played') return 'a match that was played to its end is told otherwise';
    if (fate === 'crash' && !room.finished && !decided && ending !== 'crashed') return 'a crash is told otherwise';
    if (room.finished && ending !== 'played') return 'somebody has left, and it is told otherwise';
    return null;
  }
}

module.exports = { Chaos, ROOMS };
