'use strict';

/*
 * When things arrive. A lane is one queue of srvpro: what is posted to it is handled in order and one at a time, and it
 * does not wait for other lanes (0-10: the messages of two players run through separate queues). With a random source
 * the lanes overtake each other as they do between processes; without one everything arrives in the order of posting.
 */

/** A small seeded generator (mulberry32), so that a failing run can be played again. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const tick = () => new Promise((resolve) => { setImmediate(resolve); });

/** How many of the oldest posts a random source chooses from. */
const WINDOW = 20;

class Network {
  /** *died* is called with what a handler throws: it would end the process. */
  constructor({ random = null, died }) {
    Object.assign(this, { random, died, waiting: [], running: 0, pumping: false });
  }

  lane() {
    return { tail: Promise.resolve() };
  }

  /**
   * Let *action* arrive on *lane*, after everything that was posted there before; it waits for what that started.
   * What arrives where *open* is false is lost.
   */
  post(lane, action, open = () => true) {
    this.waiting.push({ lane, action, open });
    if (!this.pumping) this.pump();
  }

  /** The same for an event that node emits as it arrives: it does not wait for handlers that are still at work. */
  emit(lane, action) {
    this.waiting.push({ lane, action, open: () => true, event: true });
    if (!this.pumping) this.pump();
  }

  async pump() {
    this.pumping = true;
    await tick();
    while (this.waiting.length) {
      this.deliver(this.next());
      await tick(); // node runs what one event has started before it takes the next
    }
    this.pumping = false;
  }

  /** The oldest post of some lane; at random, but nothing is overtaken for ever. */
  next() {
    const near = Math.min(this.waiting.length, WINDOW);
    const picked = this.waiting[this.random ? Math.floor(this.random() * near) : 0];
    const index = this.waiting.findIndex(({ lane }) => lane === picked.lane);
    return this.waiting.splice(index, 1)[0];
  }

  deliver({ lane, action, open, event }) {
    if (!open()) return;
    this.running += 1;
    const handled = (event ? Promise.resolve() : lane.tail).then(action).catch(this.died);
    lane.tail = event ? lane.tail : handled;
    handled.finally(() => { this.running -= 1; });
  }

  /** Wait until nothing is under way; handlers that wait for a timer of their own keep it from being quiet. */
  async quiet() {
    for (let calm = 0; calm < 3; calm += 1) {
      await tick();
      if (this.waiting.length || this.running || this.pumping) calm = 0;
    }
  }
}

/** Wait for a condition; fails after *ms* and says which. */
async function until(condition, ms = 5000) {
  const end = Date.now() + ms;
  for (let wait = 0; ; wait = Math.min(wait + 1, 5)) {
    const value = condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`never came true: ${condition}`);
    await (wait < 3 ? tick() : new Promise((resolve) => { setTimeout(resolve, wait); }));
  }
}

module.exports = { Network, seeded, tick, until };
