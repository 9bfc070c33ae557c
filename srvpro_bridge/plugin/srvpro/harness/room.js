'use strict';

/*
 * A room by the rules of srvpro (duel-server.md 2, 5, 6, 10): how it is made, scored, put into death and deleted.
 * Written from those rows. `srvpro` is the server that it belongs to.
 */

const { Pipe } = require('./game-server');

const STAGE = { BEGIN: 0, FINGER: 1, FIRSTGO: 2, DUELING: 3, SIDING: 4, END: 5 };

class Room {
  constructor(srvpro, name) {
    Object.assign(this, { srvpro, name, players: [], watchers: [], scores: {}, replays: [], first_list: [] });
    Object.assign(this, { duel_stage: STAGE.BEGIN, duel_count: 0, death: 0, turn: 0, established: false, welcome: '' });
    const { host } = srvpro;
    host.ROOM_all.push(this);
    srvpro.made.push(this);
    this.hostinfo = { ...host.settings.hostinfo };
    const prefix = /(.+)#/.exec(name);
    this.readPrefix(prefix ? prefix[1].toUpperCase().split(',') : []);
    for (const extra of host.extra_mode_list) extra.call(this, prefix ? prefix[1].toUpperCase() : '', name);
    this.spawn();
  }

  readPrefix(words) {
    if (words.includes('M') || words.includes('MATCH')) this.hostinfo.mode = 1;
    if (words.includes('T')) this.hostinfo.mode = 2;
    if (words.includes('NF')) this.hostinfo.lflist = -1;
    if (words.includes('NW')) this.hostinfo.no_watch = true;
  }

  spawn() {
    const info = this.hostinfo;
    const start = [info.start_lp, info.start_hand, info.draw_count, info.time_limit, 2];
    const param = [0, info.lflist, info.rule, info.mode, info.duel_rule, info.no_check_deck ? 'T' : 'F', 'F', ...start];
    try {
      this.process = this.srvpro.host.rawSpawn.call(this, param);
    } catch (error) {
      this.error = 'create room failed';
      return;
    }
    this.process.on('exit', () => {
      this.disconnector = this.disconnector || 'server';
      this.delete();
    });
    this.process.stdout.once('data', () => this.establish());
  }

  establish() {
    this.established = true;
    for (const client of this.players) this.dial(client);
  }

  /** Connect a player with the game server and send what he has said so far; one who has a connection is thrown out. */
  dial(client) {
    if (client.server.game) { this.srvpro.gameHungUp(client.server); return; }
    this.process.accept(client.server);
    client.pre_establish_buffers.forEach((sent) => client.server.send(sent));
    Object.assign(client, { established: true, pre_establish_buffers: [] });
  }

  get playing() {
    return this.players.filter((player) => player.pos < 4);
  }

  get_host() {
    return this.players.find((player) => player.is_host) || null;
  }

  // who comes and goes

  join_player(client) {
    if (this.error) return this.srvpro.die(client, this.error);
    if (this.duel_stage !== STAGE.BEGIN) return this.joinAsWatcher(client);
    const full = this.hostinfo.no_watch && this.players.length >= 2;
    if (full) return this.srvpro.die(client, 'Spectating is unallowed in this room');
    client.setTimeout(300000);
    client.rid = this.srvpro.host.ROOM_all.indexOf(this);
    this.players.push(client);
    if (this.established) this.dial(client);
    return true;
  }

  joinAsWatcher(client) {
    const allowed = this.srvpro.modules.cloud_replay.enable_halfway_watch && !this.hostinfo.no_watch;
    if (!allowed) return this.srvpro.die(client, 'Duel has begun, spectating is unallowed');
    client.setTimeout(300000);
    Object.assign(client, { rid: this.srvpro.host.ROOM_all.indexOf(this), is_post_watcher: true });
    this.watchers.push(client);
    return true;
  }

  /** Somebody leaves for good. Once the server itself hung up (disconnector), nobody is booked as having left. */
  async disconnect(client) {
    if (client.had_new_reconnection) return;
    if (client.is_post_watcher) {
      this.watchers = this.watchers.filter((watcher) => watcher !== client);
      this.srvpro.hangUp(client.server);
      return;
    }
    this.players = this.players.filter((player) => player !== client);
    const deserts = this.duel_stage !== STAGE.BEGIN && this.disconnector !== 'server' && client.pos < 4;
    if (deserts) this.finished = true;
    if (deserts && !this.finished_by_death) this.scores[client.name_vpass] = -9;
    if (this.players.length) this.say(`${client.name} quited game`);
    else await this.close();
    if (!this.srvpro.reconnects.forgetClient(client)) this.srvpro.hangUp(client.server);
  }

  async close() {
    await this.send_replays();
    this.process.kill();
    this.delete();
  }

  say(words) {
    this.srvpro.host.ygopro.stoc_send_chat_to_room(this, words);
  }

  async send_replays() {
    if (!this.replays.length || this.hostinfo.mode !== 1) return false;
    await Promise.all([...this.players, ...this.watchers].map((client) => this.sendReplaysTo(client)));
    return true;
  }

  async sendReplaysTo(client) {
    if (!this.replays.length || this.hostinfo.mode !== 1 || client.replays_sent || client.isClosed) return;
    client.replays_sent = true;
    for (const replay of this.replays) await this.srvpro.host.ygopro.stoc_send(client, 'REPLAY', replay);
  }

  // the match

  /** The first DUEL_START: the scores begin at 0, and who plays is fixed. */
  begin() {
    this.duel_stage = STAGE.FINGER;
    this.turn = 0;
    this.dueling_players = [];
    for (const player of this.playing) {
      this.dueling_players[player.pos] = player;
      this.scores[player.name_vpass] = 0;
    }
  }

  get rule() {
    return this.srvpro.modules.http.quick_death_rule;
  }

  /** Returns the positions of winner and loser so far, or null where the scores are equal. */
  lead() {
    const [one, other] = [0, 1].map((pos) => this.scores[this.dueling_players[pos].name_vpass]);
    if (one === other) return null;
    return one > other ? [0, 1] : [1, 0];
  }

  /** The table of section 2: what death means depends on the stage and on the rule. */
  async start_death() {
    if (this.duel_stage === STAGE.BEGIN || this.death) return false;
    if (this.duel_stage === STAGE.DUELING) this.death = this.rule === 3 ? -2 : (this.turn ? this.turn + 4 : 5);
    else if (this.rule >= 2 && this.lead()) await this.endByLead(this.lead());
    else this.death = this.rule === 1 || this.rule === 3 ? -1 : 5;
    if (this.death) this.say(`death ${this.death}`);
    return true;
  }

  async endByLead([winner, loser]) {
    const out = this.dueling_players[loser];
    this.finished_by_death = true;
    this.say(`Extra time match ends, congratulations. ${this.dueling_players[winner].name}, You win the Match.`);
    await this.sendReplaysTo(out);
    await this.srvpro.host.ygopro.stoc_send(out, 'DUEL_END');
    this.scores[out.name_vpass] = -1;
    this.srvpro.host.CLIENT_kick(out);
  }

  cancel_death() {
    if (this.duel_stage === STAGE.BEGIN || !this.death) return false;
    this.death = 0;
    this.say('Over-match has been canceled from this game.');
    return true;
  }

  gameBegan(client, second) {
    client.is_first = !second;
    client.lp = this.hostinfo.start_lp;
    this.duel_stage = STAGE.DUELING;
    if (!second) this.first_list.push(client.name_vpass);
    if (client.pos !== 0) return;
    this.turn = 0;
    this.duel_count += 1;
  }

  /** Seen by position 0 only. In death the life points are compared when a turn begins. */
  turnBegan() {
    this.turn += 1;
    if (!this.death || this.death === -2 || this.turn < this.death) return;
    this.compare(this.turn > 1);
  }

  /** Rule 3: compared at each phase, not before the second turn's first. */
  phaseBegan() {
    if (this.death === -2 && this.turn >= 2) this.compare(true);
  }

  compare(ripe) {
    const [one, other] = this.dueling_players.map((player) => player.lp);
    const loser = this.dueling_players[one > other ? 1 : 0];
    if (one !== other && ripe) this.srvpro.host.ygopro.ctos_send(loser.server, 'SURRENDER');
    else this.death = -1;
  }

  /** Seen by position 0 only: who left already gets no more wins, and neither does the other. */
  gameEnded(pos) {
    Object.assign(this, { winner: pos, turn: 0, duel_stage: STAGE.END });
    const winner = this.dueling_players[pos];
    if (!this.finished && (winner || pos === 2)) this.wins = [...(this.wins || []), winner ? winner.name_vpass : ''];
    if (!this.finished && winner) this.scores[winner.name_vpass] += 1;
    if (!this.finished && winner && this.match_kill) this.scores[winner.name_vpass] = 99;
    if (this.death) this.death = this.rule === 1 || this.rule === 3 ? -1 : 5;
  }

  /** Under rules 2 and 3 any deck that is sent while death is on and somebody leads ends the match (0-3). */
  endsAtDeck() {
    if (this.rule < 2 || this.duel_stage === STAGE.BEGIN || !this.death || !this.lead()) return false;
    const [winner, loser] = this.lead();
    const out = this.dueling_players[loser];
    this.finished_by_death = true;
    this.say(`Extra time match ends, congratulations. ${this.dueling_players[winner].name}, You win the Match.`);
    this.scores[out.name_vpass] = -1;
    this.srvpro.host.CLIENT_kick(out);
    return true;
  }

  // the end

  async terminate() {
    if (this.dueling_players) for (const player of this.dueling_players) this.scores[player.name_vpass] = 0;
    this.kicked = true;
    await this.send_replays();
    if (this.process) this.process.kill();
    this.delete();
  }

  /** Called more than once. What srvpro would report is kept here: nobody can change it afterwards. */
  delete() {
    if (this.deleted) return;
    const { name, duel_stage: stage, scores, kicked = false } = this;
    this.srvpro.reports.push({ name, stage, scores: { ...scores }, kicked });
    this.players = [];
    this.deleted = true;
    const index = this.srvpro.host.ROOM_all.indexOf(this);
    this.srvpro.reconnects.forgetRoom(index);
    this.srvpro.host.ROOM_all[index] = null;
  }
}

module.exports = { Room, Pipe, STAGE };
