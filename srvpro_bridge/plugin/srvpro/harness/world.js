'use strict';

/* A duel server with the plugin in it, a daemon beside it, and players. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const WebSocket = require('ws');
const { install } = require('../relayd');
const { Daemon } = require('./daemon');
const { Player, deck } = require('./player');
const { Srvpro } = require('./srvpro');
const { until } = require('./network');

/** The plugin's own waits, short enough for tests and long enough for a slow machine. */
const TIMING = { retryFirst: 5, retryLast: 20, sight: 2, sweep: 50, exitLook: 2, send: 200, kick: 200 };

class World {
  constructor({ random, joinTimeout } = {}) {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'relayd-plugin-'));
    this.daemon = new Daemon();
    this.srvpro = new Srvpro({ random, joinTimeout });
    this.settings = {
      server: 'main',
      token_file: path.join(this.folder, 'token'),
      spool: path.join(this.folder, 'spool'),
      question_ms: 500,
      deck_question_ms: 500,
    };
    fs.writeFileSync(this.settings.token_file, 'secret\n');
  }

  get host() {
    return this.srvpro.host;
  }

  /** The daemon listens, the plugin starts and is welcomed with these tables. */
  async open(tables = [], { settings = {}, timing = {}, probe, linked = true } = {}) {
    this.daemon.tables = tables;
    await this.daemon.open();
    Object.assign(this.settings, { url: `ws://127.0.0.1:${this.daemon.port}/plugin` }, settings);
    this.start({ timing, probe });
    if (linked) await until(() => this.daemon.all('rooms').length);
    return this;
  }

  start({ timing = {}, probe } = {}) {
    this.plugin = install(this.host, this.settings, { WebSocket, timing: { ...TIMING, ...timing }, probe });
  }

  async close() {
    if (this.plugin) this.plugin.stop();
    await this.daemon.leave();
    fs.rmSync(this.folder, { recursive: true, force: true });
    if (this.srvpro.dead) throw this.srvpro.dead;
  }

  player(nick, options) {
    return new Player(this.srvpro, nick, options);
  }

  room(name) {
    return this.host.ROOM_find_by_name(name);
  }

  game(name) {
    return this.room(name).process;
  }

  quiet() {
    return this.srvpro.network.quiet();
  }

  /** Two players sit down; the first has position 0. */
  async seat(pass, nicks = ['Alice', 'Bob'], options = [{}, {}]) {
    const players = nicks.map((nick, index) => this.player(nick, { cards: deck(index + 1), ...options[index] }));
    for (const player of players) {
      player.join(pass);
      await until(() => player.closed || player.has('TYPE_CHANGE'));
    }
    return players;
  }

  /** … send their decks and start; the first wins the coin toss and goes first. */
  async play(pass, nicks, options) {
    const players = await this.seat(pass, nicks, options);
    players[0].hand = 2;
    for (const player of players) player.sendDeck();
    await until(() => players[0].all('HS_PLAYER_CHANGE').filter(({ info }) => (info.status & 0xf) === 9).length >= 2);
    players[0].start();
    await this.gameOn(players);
    return players;
  }

  /** Both have seen the first turn of one more game. */
  async gameOn(players, count = 1) {
    const begun = (player) => player.has('GAME_MSG', (info) => info.msg.identifier === 40);
    await until(() => players.every((player) => begun(player)) && this.games(players[0]) >= count);
    await this.quiet();
  }

  games(player) {
    return player.all('GAME_MSG').filter(({ info }) => info.msg.identifier === 4).length;
  }

  /** A fact that has come to the daemon, or will. */
  fact(type, code) {
    return until(() => this.daemon.fact(type, code));
  }
}

/** Run a test in a world of its own. */
function inWorld(options, body) {
  return async () => {
    const world = new World(options);
    try {
      await body(world);
    } finally {
      await world.close();
    }
  };
}

module.exports = { World, inWorld, TIMING };
