'use strict';

/*
 * Payloads of YGOPro messages, as far as the plugin, srvpro's rules and the scripted players look into them
 * (duel-server.md 5, 6, 10). A message is {name, payload}; a chunk, what comes in one TCP segment, is a list of them.
 */

function wide(text, units) {
  const field = Buffer.alloc(2 * units);
  field.write(text, 0, 2 * units, 'utf16le');
  return field;
}

function narrow(payload, start, end) {
  return payload.toString('utf16le', start, end).split('\0', 1)[0];
}

function u32(...numbers) {
  const field = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => field.writeUInt32LE(number >>> 0, 4 * index));
  return field;
}

function exactly(length, payload) {
  if (payload.length !== length) throw new RangeError(`${payload.length} bytes instead of ${length}`);
}

/** info → payload, for what is sent as an object. */
const write = {
  CTOS_PLAYER_INFO: ({ name }) => wide(name, 20),
  CTOS_JOIN_GAME: ({ version = 4962, pass }) => Buffer.concat([u32(version, 0), wide(pass, 20)]),
  CTOS_EXTERNAL_ADDRESS: ({ address = 0 }) => Buffer.concat([u32(address), wide('host', 8)]),
  CTOS_UPDATE_DECK: ({ main, side }) => u32(main.length, side.length, ...main, ...side),
  CTOS_CHAT: ({ msg }) => wide(msg, msg.length + 1),
  CTOS_HS_KICK: ({ pos }) => Buffer.from([pos]),
  CTOS_HAND_RESULT: ({ res }) => Buffer.from([res]),
  CTOS_TP_RESULT: ({ res }) => Buffer.from([res]),
  STOC_CHAT: ({ player, msg }) => Buffer.concat([Buffer.from([player, 0]), wide(msg, msg.length + 1)]),
  STOC_ERROR_MSG: ({ msg, code }) => Buffer.concat([Buffer.from([msg, 0, 0, 0]), u32(code)]),
  STOC_TYPE_CHANGE: ({ type }) => Buffer.from([type]),
  STOC_HS_PLAYER_CHANGE: ({ status }) => Buffer.from([status]),
  STOC_HS_PLAYER_ENTER: ({ name, pos }) => Buffer.concat([wide(name, 20), Buffer.from([pos, 0])]),
};

/** payload → info; throws where the payload is too short, and srvpro then hands {} to the handlers. */
const read = {
  CTOS_PLAYER_INFO: (payload) => { exactly(40, payload); return { name: narrow(payload, 0, 40) }; },
  CTOS_JOIN_GAME: (payload) => {
    exactly(48, payload);
    return { version: payload.readUInt16LE(0), pass: narrow(payload, 8, 48) };
  },
  CTOS_UPDATE_DECK: (payload) => {
    const [mainc, sidec] = [payload.readUInt32LE(0), payload.readUInt32LE(4)];
    const deckbuf = Array.from({ length: mainc + sidec }, (_, index) => payload.readUInt32LE(8 + 4 * index));
    return { mainc, sidec, deckbuf };
  },
  CTOS_CHAT: (payload) => ({ msg: narrow(payload) }),
  CTOS_HS_KICK: (payload) => ({ pos: payload.readUInt8(0) }),
  CTOS_HAND_RESULT: (payload) => ({ res: payload.readUInt8(0) }),
  CTOS_TP_RESULT: (payload) => ({ res: payload.readUInt8(0) }),
  STOC_CHAT: (payload) => ({ player: payload.readUInt16LE(0), msg: narrow(payload, 2) }),
  STOC_ERROR_MSG: (payload) => ({ msg: payload.readUInt8(0), code: payload.readUInt32LE(4) }),
  STOC_TYPE_CHANGE: (payload) => ({ type: payload.readUInt8(0) }),
  STOC_HS_PLAYER_CHANGE: (payload) => ({ status: payload.readUInt8(0) }),
  STOC_GAME_MSG: (payload) => ({ msg: { identifier: payload.readUInt8(0), player: payload[1], type: payload[2] } }),
};

function message(direction, name, info) {
  if (info === undefined) return { name, payload: Buffer.alloc(0) };
  return { name, payload: Buffer.isBuffer(info) ? info : write[`${direction}_${name}`](info) };
}

function infoOf(direction, name, payload) {
  const reader = read[`${direction}_${name}`];
  return reader ? reader(payload) : null;
}

/** Messages of the game (payload of GAME_MSG). */
const game = {
  START: 4, WIN: 5, NEW_TURN: 40, NEW_PHASE: 41, DAMAGE: 91, MATCH_KILL: 170,
  start: (type) => Buffer.from([4, type]),
  win: (player, reason) => Buffer.from([5, player, reason]),
  newTurn: (player) => Buffer.from([40, player]),
  damage: (player, value) => Buffer.concat([Buffer.from([91, player]), u32(value)]),
  matchKill: () => Buffer.from([170, 0]),
};

module.exports = { message, infoOf, game, wide };
