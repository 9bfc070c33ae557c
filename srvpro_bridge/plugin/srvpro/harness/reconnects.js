'use strict';

/*
 * Dropped players and their return by the rules of srvpro (duel-server.md 0-7, 6): a seat is kept for a while, and it
 * is given back for the first deck that was sent, whatever password is typed. The new connection is a new client object
 * to which only the fields named in import_datas are carried over (5).
 */

const { message } = require('./wire');

const BEGIN = 0;
const SIDING = 4;

class Reconnects {
  constructor(srvpro) {
    Object.assign(this, { srvpro, kept: new Map() });
  }

  get settings() {
    return this.srvpro.modules.reconnect;
  }

  /** Nick with its password; the nick alone for local clients and in tournament mode; else with the address (6). */
  keyOf(client) {
    if (client.vpass) return client.name_vpass;
    const { tournament_mode: tournament, challonge } = this.srvpro.modules;
    return client.is_local || tournament.enabled || challonge.enabled ? client.name : `${client.ip}:${client.name}`;
  }

  /** A connection broke: keep the seat. false: it is not kept, he has left. */
  register(client, room) {
    const key = this.keyOf(client);
    const plays = room.players.includes(client) && client.pos <= 3 && room.duel_stage !== BEGIN;
    if (client.had_new_reconnection || client.system_kicked) return false;
    if (!this.settings.enabled || !plays || this.kept.has(key)) return false;
    const timer = setTimeout(() => room.disconnect(client), this.settings.wait_time);
    timer.unref();
    this.kept.set(key, { room, client, deck: client.start_deckbuf, timer });
    room.say(`${client.name} disconnected from the game`);
    return true;
  }

  forgetClient(client) {
    const key = this.keyOf(client);
    const entry = this.kept.get(key);
    if (!entry || entry.client !== client) return false;
    this.forget(key);
    this.srvpro.hangUp(client.server);
    return true;
  }

  forgetRoom(index) {
    for (const [key, entry] of this.kept) if (entry.client.rid === index) this.forget(key);
  }

  forget(key) {
    clearTimeout(this.kept.get(key).timer);
    this.kept.delete(key);
  }

  isAble(client, deck) {
    const entry = this.settings.enabled && !client.system_kicked ? this.kept.get(this.keyOf(client)) : undefined;
    if (!entry || !entry.deck || entry.room.deleted) return false;
    return !deck || deck.equals(entry.deck);
  }

  /** A second login of a seated nick, with the same room as password and the same first deck (6). */
  isAbleToKick(client, deck) {
    return Boolean(this.target(client, deck));
  }

  target(client, deck) {
    if (!this.settings.enabled || !this.settings.allow_kick_reconnect) return undefined;
    const { challonge, tournament_mode: tournament } = this.srvpro.modules;
    const fits = (player) => !player.isClosed && player !== client && player.name === client.name
      && (challonge.enabled || player.pass === client.pass)
      && (tournament.enabled || player.ip === client.ip || (client.vpass && client.vpass === player.vpass))
      && (!deck || deck.equals(player.start_deckbuf));
    const running = this.srvpro.rooms().filter((room) => room.duel_stage !== BEGIN);
    return running.flatMap((room) => room.playing).find(fits);
  }

  /** JOIN_GAME of somebody who can return: he is asked for his deck. */
  begin(client) {
    const old = this.isAble(client) ? this.kept.get(this.keyOf(client)).client : this.target(client);
    if (!old) return false;
    Object.assign(client, { pre_reconnecting: true, pos: old.pos });
    client.setTimeout(300000);
    const { ygopro } = this.srvpro.host;
    ygopro.stoc_send_chat(client, 'You will be reconnected to your previous game. Please pick your previous deck.', 14);
    ygopro.stoc_send(client, 'JOIN_GAME', Buffer.alloc(20));
    ygopro.stoc_send(client, 'TYPE_CHANGE', { type: old.pos | (old.is_host ? 0x10 : 0) });
    return true;
  }

  /** UPDATE_DECK of somebody who returns. */
  finish(client, deck) {
    if (this.isAble(client, deck)) this.takeOver(client, this.kept.get(this.keyOf(client)).client);
    else if (this.target(client, deck)) this.replace(client, this.target(client, deck));
    else this.wrongDeck(client);
  }

  wrongDeck(client) {
    const { ygopro, CLIENT_kick: kick } = this.srvpro.host;
    if (!this.isAble(client) && !this.target(client)) {
      ygopro.stoc_send_chat(client, 'Reconnecting failed.', 11);
      kick(client);
      return;
    }
    ygopro.stoc_send_chat(client, 'Please pick your previous deck.', 11);
    ygopro.stoc_send(client, 'HS_PLAYER_CHANGE', { status: (client.pos << 4) | 0xa });
    ygopro.stoc_send(client, 'ERROR_MSG', { msg: 2, code: 0 });
  }

  /** He is on another device: the old connection goes. */
  replace(client, old) {
    this.srvpro.chat(old, 'You are kicked out because you\'re logged in on other devices.', 11);
    this.takeOver(client, old);
    this.srvpro.kick(old);
  }

  takeOver(client, old) {
    const { host } = this.srvpro;
    const room = host.ROOM_all[old.rid];
    const pipe = old.server;
    for (const [key, entry] of this.kept) if (entry.client === old) this.forget(key);
    this.srvpro.hangUp(Object.assign(client.server, { client: null, had_new_reconnection: true }));
    Object.assign(old, { server: null, had_new_reconnection: true });
    pipe.client = client;
    Object.assign(client, { pre_reconnecting: false, server: pipe, established: true, pre_establish_buffers: [] });
    for (const field of host.import_datas) client[field] = old[field];
    room.players[room.players.indexOf(old)] = client;
    room.dueling_players[old.pos] = client;
    this.show(client, room);
    room.say(`${client.name} reconnected to the game`);
  }

  /** What he sees again. These sends do not pass the handlers: not even CHANGE_SIDE (10.g). */
  show(client, room) {
    const { ygopro } = this.srvpro.host;
    if (room.duel_stage === SIDING) ygopro.stoc_send(client, 'CHANGE_SIDE');
    else if (room.duel_stage < 3) ygopro.stoc_send(client, 'DUEL_START');
    else this.askField(client);
  }

  askField(client) {
    client.reconnecting = true;
    client.server.send(message('CTOS', 'REQUEST_FIELD'));
  }
}

Reconnects.FIELDS = [
  'vpass', 'rid', 'is_post_watcher', 'name', 'pass', 'name_vpass', 'is_first', 'lp', 'is_host', 'pos', 'main', 'side',
  'start_deckbuf', 'replays_sent',
];

module.exports = { Reconnects };
