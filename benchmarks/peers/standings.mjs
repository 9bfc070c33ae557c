// Computes standings with tournament-organizer, and prints its time as JSON. Arguments: the peer, where it is installed.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { default: Manager } = await import(
  pathToFileURL(`${process.argv[3]}/node_modules/tournament-organizer/dist/index.js`)
);
const { size, rounds } = JSON.parse(readFileSync(0, 'utf8'));
const players = Array.from({ length: size }, (_, n) => ({ id: `${n + 1}`, name: `${n + 1}`, active: true, value: 0, matches: [], meta: {} }));
const matches = [];
rounds.forEach((tables, index) => {
  tables.forEach(([a, b, won, lost], number) => {
    const id = `R${index + 1}T${number + 1}`;
    const draw = 0;
    const sides = b === null ? [[a, null, 2, 0]] : [[a, b, won, lost], [b, a, lost, won]];
    for (const [own, other, win, loss] of sides) {
      const opponent = other === null ? null : `${other}`;
      players[own - 1].matches.push({ id, opponent, pairUpDown: false, seating: null, bye: other === null, win, loss, draw });
    }
    matches.push({
      id, round: index + 1, match: number + 1, active: false, bye: b === null, path: { win: null, loss: null }, meta: {},
      player1: { id: `${a}`, win: b === null ? 2 : won, loss: lost, draw },
      player2: { id: b === null ? null : `${b}`, win: lost, loss: won, draw },
    });
  });
});
const sorting = 'descending';
const tiebreaks = ['opponent match win percentage', 'game win percentage', 'opponent game win percentage'];
const tournament = new Manager().loadTournament({
  id: 'x', name: 'x', round: rounds.length, sorting, seating: false, status: 'stage-one', players, matches, meta: {},
  scoring: { bestOf: 3, win: 3, draw: 1, loss: 0, bye: 3, tiebreaks },
  stageOne: { format: 'swiss', initialRound: 1, maxPlayers: 0, rounds: rounds.length, consolation: false },
  stageTwo: { format: null, consolation: false, advance: { value: 0, method: 'all' } },
});
const start = process.cpuUsage();
const rows = tournament.getStandings();
const { user, system } = process.cpuUsage(start);
const ms = (user + system) / 1e3;
console.log(JSON.stringify({ ms, first: Number(rows[0].player.getId()) }));
