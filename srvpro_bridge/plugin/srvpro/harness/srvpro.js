'use strict';

/*
 * A duel server by the rules of srvpro (duel-server.md 0-6, 10), with the same names in `host` as srvpro has in its
 * global object, for the plugin to hook into. What would end the node process of srvpro sets `dead`.
 */

const { EventEmitter } = require('node:events');
const { GameServer, Pipe } = require('./game-server');
const { Network } = require('./network');
const { Pipeline } = require('./pipeline');
const { Reconnects } = require('./reconnects');
const { Room, STAGE } = require('./room');
const { message, game } = require('./wire');

/** srvpro's end of a player's connection. */
class Socket extends EventEmitter {
  constructor(network, ip) {
    super();
    Object.assign(this, { network, ip, lang: 'en-us', is_local: ip === '127.0.0.1', isClosed: false });
    Object.assign(this, { lane: network.lane(), shut: network.lane(), pre_establish_buffers: [], established: false });
    Object.assign(this, { deliver: () => {}, stuck: false, gone: false });
  }

  setTimeout(ms) {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.emit('timeout'), ms);
    this.idle.unref();
  }

  /** Resolves when written; at once on a closed socket, never where the other side has stopped reading (10.0-7). */
  write(sent) {
    if (this.isClosed || this.gone) return Promise.resolve();
    if (this.stuck) return new Promise(() => {});
    this.deliver(sent);
    return Promise.resolve();
  }

  /** Closed by either side: 'close' comes a moment later. */
  destroy() {
    if (this.gone) return;
    this.gone = true;
    clearTimeout(this.idle);
    this.network.post(this.shut, () => this.emit('close'));
  }
}

const SETTINGS = () => ({
  version: 4962,
  hostinfo: {
    lflist: 0, rule: 0, mode: 0, duel_rule: 5, no_check_deck: false, start_lp: 8000, start_hand: 5, draw_count: 1,
    time_limit: 180, no_watch: false, auto_death: false,
  },
  modules: {
    challonge: { enabled: false },
    cloud_replay: { enable_halfway_watch: true },
    http: { quick_death_rule: 2 },
    reconnect: { enabled: true, allow_kick_reconnect: true, wait_time: 90000 },
    test_mode: { no_connect_count_limit: true },
    tournament_mode: { enabled: false },
    stop: false,
  },
});

/** What srvpro reads out of a password before it looks for a room (10.a). */
const SPECIAL = /^(R|R#.*|W|IP|RC.*|S|M|T|AI|AI#.*|Marshtomp|the Big Brother)$/i;

class Srvpro {
  constructor({ random = null, joinTimeout = 2000 } = {}) {
    this.joinTimeout = joinTimeout;
    this.dead = null;
    const died = (error) => { this.dead = this.dead || error || new Error('died'); };
    this.network = new Network({ random, died });
    this.pipeline = new Pipeline(died);
    Object.assign(this, { reports: [], games: [], spoken: [], made: [] });
    this.reconnects = new Reconnects(this);
    this.host = this.globals();
    this.ownHandlers();
  }

  get modules() {
    return this.host.settings.modules;
  }

  globals() {
    const follow = (direction, level) => (name, sync, body) => this.pipeline.follow(direction, level, name, sync, body);
    const ygopro = {
      constants: { DUEL_STAGE: STAGE, COLORS: { LIGHTBLUE: 8, RED: 11, BABYBLUE: 14 } },
      ctos_follow: follow('CTOS', 'normal'),
      ctos_follow_before: follow('CTOS', 'before'),
      ctos_follow_after: follow('CTOS', 'after'),
      stoc_follow: follow('STOC', 'normal'),
      stoc_follow_before: follow('STOC', 'before'),
      stoc_follow_after: follow('STOC', 'after'),
      stoc_send: (client, name, info) => client.write(message('STOC', name, info)),
      ctos_send: (pipe, name, info) => pipe.send(message('CTOS', name, info)),
      stoc_send_chat: (client, words, colour = 8) => this.chat(client, words, colour),
      stoc_send_chat_to_room: (room, words, colour = 8) => {
        for (const client of [...room.players, ...room.watchers]) this.chat(client, words, colour);
      },
      stoc_die: (client, words) => this.die(client, words),
    };
    return {
      ygopro,
      settings: SETTINGS(),
      ROOM_all: [],
      extra_mode_list: [],
      import_datas: [...Reconnects.FIELDS],
      lflists: [{ date: '2026-07-01', tcg: false }, { date: '2026-02-02', tcg: true }],
      log: { info: () => {}, warn: () => {}, error: (text) => this.spoken.push(text) },
      rawSpawn: (param) => this.spawn(param),
      ROOM_find_by_name: (name) => this.rooms().find((room) => room.name === name),
      CLIENT_kick: (client) => this.kick(client),
      CLIENT_is_able_to_reconnect: (client) => this.reconnects.isAble(client),
      CLIENT_is_able_to_kick_reconnect: (client) => this.reconnects.isAbleToKick(client),
    };
  }

  rooms() {
    return this.host.ROOM_all.filter(Boolean);
  }

  spawn(param) {
    const server = new GameServer(this.network, param, { onChunk: (pipe, chunk) => this.fromGame(pipe, chunk) });
    this.games.push(server);
    return server;
  }

  // sending

  async chat(client, words, colour) {
    if (!client) return;
    for (const line of words.split('\n')) {
      const text = `${colour >= 10 ? '[Server]: ' : ''}${line}`.slice(0, 256);
      await client.write(message('STOC', 'CHAT', { player: colour, msg: text }));
    }
  }

  async die(client, words) {
    await this.chat(client, words, 11);
    await client.write(message('STOC', 'ERROR_MSG', { msg: 1, code: 9 }));
    client.system_kicked = true;
    client.destroy();
    return '_cancel';
  }

  /** Throw a player out, also one whose connection is already gone. */
  kick(client) {
    if (!client) return false;
    client.system_kicked = true;
    const room = this.host.ROOM_all[client.rid];
    if (!client.isClosed) client.destroy();
    else if (client.server && !client.had_new_reconnection && room) room.disconnect(client);
    return true;
  }

  hangUp(pipe) {
    if (!pipe) return;
    pipe.system_kicked = true;
    pipe.destroy();
  }

  // connections

  /** A player connects; *deliver* gets what he is sent. Returns the server's end of his connection. */
  connect(deliver, ip = '127.0.0.1') {
    const client = new Socket(this.network, ip);
    client.deliver = deliver;
    const pipe = new Pipe(this.network, client);
    client.server = pipe;
    pipe.on('close', () => this.gameHungUp(pipe));
    client.on('close', () => this.clientClosed(client));
    client.on('timeout', () => client.destroy());
    client.setTimeout(this.joinTimeout);
    return client;
  }

  clientClosed(client) {
    if (client.isClosed) return;
    client.isClosed = true;
    const room = this.host.ROOM_all[client.rid];
    if (room && !this.reconnects.register(client, room)) room.disconnect(client);
    else if (!room && !client.had_new_reconnection) this.hangUp(client.server);
  }

  /** The game server hangs up: whoever leaves from now on is not booked as having left (10.0-3). */
  gameHungUp(pipe) {
    const { client } = pipe;
    if (!client) return;
    const room = this.host.ROOM_all[client.rid];
    if (room && !pipe.system_kicked && !pipe.had_new_reconnection) room.disconnector = 'server';
    if (client.isClosed) return;
    this.chat(client, 'Connection terminated.', 11);
    this.kick(client);
  }

  /** One TCP segment of a player arrives. */
  fromPlayer(client, chunk) {
    this.network.post(client.lane, async () => {
      const passed = await this.pipeline.run('CTOS', chunk, client, client.server);
      if (client.isClosed || !client.server) return;
      if (client.established) passed.forEach((sent) => client.server.send(sent));
      else client.pre_establish_buffers.push(...passed);
    }, () => !client.isClosed && !client.gone && !client.system_kicked);
  }

  /** One chunk of the game server arrives for one player. */
  async fromGame(pipe, chunk) {
    const passed = await this.pipeline.run('STOC', chunk, pipe.client, pipe);
    const { client } = pipe;
    if (client && !client.isClosed) for (const sent of passed) await client.write(sent);
  }

  // srvpro's own handlers

  ownHandlers() {
    const { ygopro } = this.host;
    const room = (client) => this.host.ROOM_all[client.rid];
    const inRoom = (body) => async (buffer, info, client) => {
      const at = room(client);
      return at ? body(at, client, buffer) : undefined;
    };
    const settled = (body) => inRoom((at, client, buffer) => (
      client.reconnecting ? undefined : body(at, client, buffer)));
    ygopro.ctos_follow('EXTERNAL_ADDRESS', true, async (buffer) => { buffer.readUInt32BE(0); });
    ygopro.ctos_follow('PLAYER_INFO', true, async (buffer, info, client) => this.introduce(client, info.name));
    ygopro.ctos_follow('JOIN_GAME', true, async (buffer, info, client) => this.join(client, info));
    ygopro.ctos_follow('UPDATE_DECK', true, async (buffer, info, client) => this.deck(client, buffer, info));
    ygopro.stoc_follow('TYPE_CHANGE', true, async (buffer, info, client) => {
      Object.assign(client, { pos: info.type & 0xf, is_host: info.type >> 4 !== 0 });
    });
    const stage = (value) => inRoom((at, client) => { if (client.pos === 0) at.duel_stage = value; });
    ygopro.stoc_follow('DUEL_START', true, settled((at) => { if (at.duel_stage === STAGE.BEGIN) at.begin(); }));
    ygopro.stoc_follow('SELECT_HAND', true, stage(STAGE.FINGER));
    ygopro.stoc_follow('SELECT_TP', true, inRoom((at) => { at.duel_stage = STAGE.FIRSTGO; }));
    ygopro.stoc_follow('GAME_MSG', true, settled((at, client, buffer) => this.gameMessage(at, client, buffer)));
    ygopro.stoc_follow('CHANGE_SIDE', false, stage(STAGE.SIDING));
    ygopro.stoc_follow('REPLAY', true, inRoom((at, client, buffer) => this.replay(at, client, buffer)));
    ygopro.stoc_follow('DUEL_END', true, inRoom((at, client) => this.duelEnd(at, client)));
    ygopro.stoc_follow('FIELD_FINISH', true, async (buffer, info, client) => {
      client.reconnecting = false;
      return true;
    });
  }

  /** A nick loses backslashes and titles; what stands behind `$` is its password (6, 10.h). */
  introduce(client, full) {
    if (client.name) { this.kick(client); return '_cancel'; }
    const [nick, vpass] = full.replaceAll('\\', '').split('$');
    client.name = nick.replace(/^(Lv|VIP)\.\d+\s*/i, '');
    client.vpass = vpass;
    client.name_vpass = vpass ? `${client.name}$${vpass}` : client.name;
    return undefined;
  }

  /** Reconnects come first, then words with a meaning, then rooms (0-7, 10.a). */
  join(client, info) {
    client.pass = info.pass.trim();
    if (this.reconnects.begin(client)) return undefined;
    if (this.modules.stop) return void this.die(client, this.modules.stop);
    if (SPECIAL.test(client.pass)) return void this.die(client, `a word with a meaning: ${client.pass}`);
    if (info.version !== this.host.settings.version) return void this.badVersion(client);
    if (this.modules.challonge.enabled) client.pass = this.modules.challonge.room;
    if (!client.name) return void this.die(client, 'Please enter the correct ID');
    if (!client.pass) return void this.die(client, 'Blank room name is unallowed, please fill in something.');
    (this.host.ROOM_find_by_name(client.pass) || new Room(this, client.pass)).join_player(client);
    return undefined;
  }

  badVersion(client) {
    client.write(message('STOC', 'ERROR_MSG', { msg: 4, code: this.host.settings.version }));
    this.kick(client);
  }

  deck(client, buffer, info) {
    if (client.pre_reconnecting) { this.reconnects.finish(client, buffer); return true; }
    const room = this.host.ROOM_all[client.rid];
    if (!room) return false;
    const { mainc = 0, deckbuf = [] } = info;
    Object.assign(client, { main: deckbuf.slice(0, mainc), side: deckbuf.slice(mainc) });
    if (room.duel_stage === STAGE.BEGIN) client.start_deckbuf = Buffer.from(buffer);
    return room.endsAtDeck();
  }

  gameMessage(room, client, buffer) {
    const first = client.pos === 0;
    if (buffer[0] === game.START) room.gameBegan(client, (buffer[1] & 0xf) !== 0);
    else if (buffer[0] === game.NEW_TURN && first) room.turnBegan();
    else if (buffer[0] === game.NEW_PHASE && first) room.phaseBegan();
    else if (buffer[0] === game.MATCH_KILL && first) room.match_kill = true;
    else if (buffer[0] === game.DAMAGE && first) this.damage(room, client, buffer);
    else if (buffer[0] === game.WIN && first) room.gameEnded(this.winnerOf(room, client, buffer[1]));
  }

  /** Players in the game's messages are 0 for who began; a draw is 2. */
  positionOf(client, player) {
    if (player === 2 || client.is_first === undefined) return player;
    return client.is_first ? player : 1 - player;
  }

  /** Outside of a game the message names the position itself. */
  winnerOf(room, client, player) {
    return room.duel_stage === STAGE.DUELING ? this.positionOf(client, player) : player;
  }

  damage(room, client, buffer) {
    const hurt = room.dueling_players[this.positionOf(client, buffer[1])];
    if (hurt) hurt.lp = Math.max(0, hurt.lp - buffer.readUInt32LE(2));
  }

  /** In a match the replays are held back until its end. */
  replay(room, client, buffer) {
    if (client.pos === 0) room.replays[Math.max(0, room.duel_count - 1)] = buffer;
    return room.hostinfo.mode === 1;
  }

  /** Position 1 waits for position 0, at most 5 s (6). */
  async duelEnd(room, client) {
    if (room.hostinfo.mode !== 1) return;
    room.sealed = room.sealed || new Promise((resolve) => { room.seal = resolve; });
    if (client.pos === 0) room.seal();
    else await Promise.race([room.sealed, new Promise((resolve) => { setTimeout(resolve, 5000).unref(); })]);
    await room.sendReplaysTo(client);
  }

  // the admin API (1)

  api(key, name) {
    const found = this.rooms().filter((room) => name === 'all' || room.name === name);
    for (const room of found) {
      if (key === 'death') room.start_death();
      else if (key === 'deathcancel') room.cancel_death();
      else room.terminate();
    }
    return found.length ? `['${key} ok', '${name}']` : `['room not found', '${name}']`;
  }
}

module.exports = { Srvpro, STAGE };
