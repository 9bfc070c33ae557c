// Pairs one round with tournament-pairings, and prints its answer as JSON. Arguments: the peer, where it is installed.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { Swiss } = await import(pathToFileURL(`${process.argv[3]}/node_modules/tournament-pairings/dist/index.js`));
const { size, rounds } = JSON.parse(readFileSync(0, 'utf8'));
const players = Array.from({ length: size }, (_, n) => ({ id: n + 1, score: 0, avoid: [], receivedBye: false }));
for (const [a, b, won, lost] of rounds.flat()) {
  const own = players[a - 1];
  if (b === null) {
    own.score += 3;
    own.receivedBye = true;
    continue;
  }
  const other = players[b - 1];
  own.avoid.push(b);
  other.avoid.push(a);
  own.score += won > lost ? 3 : won === lost ? 1 : 0;
  other.score += lost > won ? 3 : won === lost ? 1 : 0;
}
const start = process.cpuUsage();
const found = Swiss(players, rounds.length + 1);
const { user, system } = process.cpuUsage(start);
const ms = (user + system) / 1e3;
const tables = found.filter((m) => m.player1 !== null && m.player2 !== null).map((m) => [m.player1, m.player2]);
const spared = found.find((m) => m.player1 === null || m.player2 === null);
console.log(JSON.stringify({ ms, tables, bye: spared === undefined ? null : (spared.player1 ?? spared.player2) }));
