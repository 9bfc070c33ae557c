'use strict';

/*
 * Step 2: 1,000 random interleavings of two players' messages, with handlers made to throw at random and the daemon gone
 * at random: no result is lost, none told twice, no room left hanging. CHAOS_SEED=n plays one world again,
 * CHAOS_MATCHES=n more of them.
 */

const test = require('node:test');
const assert = require('node:assert/strict');
const { Chaos, ROOMS } = require('../harness/chaos');

const MATCHES = Number(process.env.CHAOS_MATCHES || 1000);
const only = process.env.CHAOS_SEED;
const seeds = only ? [Number(only)] : Array.from({ length: MATCHES / ROOMS }, (_, index) => 1000 + 10 * index);

for (const seed of seeds) {
  test(`10.k, F31, F32: ${ROOMS} matches at random, seed ${seed}`, async () => {
    assert.deepEqual(await new Chaos(seed).run(), []);
  });
}
