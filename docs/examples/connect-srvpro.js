// Connects a srvpro to relayd by its Challonge module:
//   node connect-srvpro.js SRVPRO_FOLDER KEY_FILE PASSWORD_FILE CHALLONGE_URL
// Writes config/config.json and config/admin_user.json (the old ones stay beside them with the ending .before-relayd)
// and prints every setting that it changed. Run it again at will. Restart srvpro afterwards.
'use strict';
const fs = require('fs');
const path = require('path');

const [folder, keyFile, passwordFile, url] = process.argv.slice(2);
if (!url) {
  console.error('usage: node connect-srvpro.js SRVPRO_FOLDER KEY_FILE PASSWORD_FILE CHALLONGE_URL');
  process.exit(2);
}
const secret = (file) => fs.readFileSync(file, 'utf8').trim();
const changes = [];

/** Reads a JSON file of srvpro's config folder; where it is not there yet, what srvpro ships in its place. */
function read(name, shipped) {
  const file = path.join(folder, 'config', name);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : shipped();
}

/** Reads what srvpro ships. */
function data(name) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'data', name), 'utf8'));
}

/** Writes it back, and keeps the first version that was there. */
function write(name, content) {
  const file = path.join(folder, 'config', name);
  if (fs.existsSync(file) && !fs.existsSync(`${file}.before-relayd`)) {
    fs.copyFileSync(file, `${file}.before-relayd`);
  }
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** Sets one key, and notes it. */
function set(object, where, key, value, shown = JSON.stringify(value)) {
  if (JSON.stringify(object[key]) !== JSON.stringify(value)) {
    changes.push(`${where}.${key} = ${shown}`);
  }
  object[key] = value;
}

const config = read('config.json', () => data('default_config.json'));
config.modules = config.modules || {};
const challonge = (config.modules.challonge = config.modules.challonge || {});
set(challonge, 'modules.challonge', 'enabled', true);
set(challonge, 'modules.challonge', 'api_key', secret(keyFile), '(from the key file)');
set(challonge, 'modules.challonge', 'tournament_id', 'relayd');
set(challonge, 'modules.challonge', 'challonge_url', url);
set(challonge, 'modules.challonge', 'cache_ttl', 1000);
const mode = (config.modules.tournament_mode = config.modules.tournament_mode || {});
set(mode, 'modules.tournament_mode', 'enabled', true);
set(mode, 'modules.tournament_mode', 'deck_check', true);
write('config.json', config);

const users = read('admin_user.json', () => data('default_data.json').users);
users.users = users.users || {};
const account = { password: secret(passwordFile), enabled: true, permissions: 'judge' };
set(users.users, 'admin_user.json users', 'relayd', account, '(an account with the permissions of a judge)');
write('admin_user.json', users);

console.log(changes.length ? `changed:\n  ${changes.join('\n  ')}\nNow restart srvpro.` : 'nothing to change');
