'use strict';

/*
 * A duel server in a process of its own, which loads the plugin as srvpro does: from its plugins folder, by require.
 * Arguments: the folder of that server, and what to do. What players see goes to stdout, line by line.
 */

const path = require('node:path');
const { Player } = require('./player');
const { Srvpro } = require('./srvpro');
const { until } = require('./network');

const [, , folder, task, count] = process.argv;
const srvpro = new Srvpro();
srvpro.network.died = (error) => setImmediate(() => { throw error; }); // what ends srvpro ends this process
Object.assign(global, srvpro.host, { log: { info: console.error, warn: console.error, error: console.error } });
process.chdir(folder);
require(path.join(folder, 'plugins', 'relayd.js'));
srvpro.host.rawSpawn = global.rawSpawn; // wrapped by the plugin, as srvpro looks it up in its global object

async function match(code, index) {
  const players = ['a', 'b'].map((side) => new Player(srvpro, `${side}${index}`));
  players[0].hand = 2;
  for (const player of players) {
    player.join(code);
    await until(() => player.has('TYPE_CHANGE'));
    player.sendDeck();
  }
  await until(() => players[0].all('HS_PLAYER_CHANGE').filter(({ info }) => (info.status & 0xf) === 9).length >= 2);
  players[0].start();
  await until(() => players[0].has('GAME_MSG'));
  return players;
}

const tasks = {
  /** Matches that all end at once; each win that a player sees is said. */
  async play() {
    const codes = Array.from({ length: Number(count) }, (_, index) => `X1R1T${index + 1}`);
    const pairs = await Promise.all(codes.map(match));
    console.log('ready');
    pairs.forEach((pair, index) => {
      const hear = pair[0].client.deliver;
      pair[0].client.deliver = (sent) => {
        hear(sent);
        if (sent.name === 'GAME_MSG' && sent.payload[0] === 5) console.log(`won ${codes[index]}`);
      };
      pair[1].surrender();
    });
  },

  async idle() {
    console.log('ready');
  },

  /** Packets and throws that end a plain srvpro, then a match. */
  async suffer() {
    setTimeout(() => { throw new Error('a timer of somebody else'); }, 1);
    Promise.reject(new Error('a promise of somebody else'));
    srvpro.host.ygopro.ctos_follow_after('CHAT', true, async () => { throw new Error('a handler of somebody else'); });
    const [one] = await match('X1R1T1', 0);
    one.say('hello');
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    console.log('alive');
  },
};

setInterval(() => {}, 1000);
tasks[task]();
