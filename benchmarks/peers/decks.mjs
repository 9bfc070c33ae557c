// Decodes deck buffers and ydk texts with ygopro-deck-encode. Arguments: the peer, where it is installed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const { default: YGOProDeck } = createRequire(`${process.argv[3]}/`)('ygopro-deck-encode');
const { buffers, texts, repeats } = JSON.parse(readFileSync(0, 'utf8'));
const payloads = buffers.map((buffer) => new Uint8Array(Buffer.from(buffer, 'base64')));

function perItem(items, decode) {
  let cards = 0;
  const times = [];
  for (let n = 0; n < repeats; n += 1) {
    const start = performance.now();
    for (const item of items) cards += decode(item).main.length;
    times.push((1e3 * (performance.now() - start)) / items.length);
  }
  return cards && Math.min(...times);
}

const buffer = perItem(payloads, (payload) => YGOProDeck.fromUpdateDeckPayload(payload));
const text = perItem(texts, (ydk) => YGOProDeck.fromYdkString(ydk));
console.log(JSON.stringify({ buffer, text }));
