'use strict';

/*
 * How srvpro hands messages to handlers (duel-server.md 5): _before, normal, _after, inside a level in the order of
 * registration; a sync handler may cancel a message or the whole chunk, shorten or replace the payload.
 */

const { infoOf } = require('./wire');

const LEVELS = ['before', 'normal', 'after'];

class Pipeline {
  /** *died* is called with what a handler throws that nobody waits for. */
  constructor(died) {
    Object.assign(this, { died, handlers: new Map() });
  }

  follow(direction, level, name, sync, body) {
    const key = `${direction}_${name} ${level}`;
    this.handlers.set(key, [...(this.handlers.get(key) || []), { sync, body }]);
  }

  /** Run a chunk through the handlers; returns the messages that are passed on. A throw of a sync handler comes out. */
  async run(direction, chunk, client, server) {
    const passed = [];
    for (const sent of chunk) {
      const result = await this.runOne(direction, sent, client, server, passed);
      if (result === '_cancel') return []; // this whole TCP chunk
      if (result) passed.push(result);
    }
    return passed;
  }

  async runOne(direction, { name, payload }, client, server, passed) {
    let buffer = payload;
    for (const level of LEVELS) {
      for (const handler of this.handlers.get(`${direction}_${name} ${level}`) || []) {
        const verdict = await this.call(handler, { direction, name, buffer, client, server, passed });
        if (verdict === '_cancel') return verdict;
        if (Buffer.isBuffer(verdict)) buffer = verdict;
        else if (/^_shrink_\d+$/.test(verdict)) buffer = buffer.subarray(0, buffer.length - Number(verdict.slice(8)));
        else if (verdict) return null;
        if (verdict) break; // a replaced payload skips the rest of this level (10.0-4)
      }
    }
    return { name, payload: buffer };
  }

  /** Each handler gets an info of its own, {} where the payload is malformed; one that is not sync gets copies. */
  async call({ sync, body }, { direction, name, buffer, client, server, passed }) {
    if (sync) return body(buffer, parsed(direction, name, buffer), client, server, passed);
    const copy = Buffer.from(buffer);
    body(copy, parsed(direction, name, copy), client, server, [...passed]).catch(this.died);
    return undefined;
  }
}

function parsed(direction, name, buffer) {
  try {
    return infoOf(direction, name, buffer);
  } catch (error) {
    return {};
  }
}

module.exports = { Pipeline };
