CREATE TABLE migrations (
  id integer primary key,
  name text not null,
  applied_at integer not null,
  breaking integer not null,
  digest text not null
) strict;

CREATE TABLE settings (
  name text primary key,
  value text not null
) strict, without rowid;

CREATE TABLE accounts (
  account_id text primary key,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  password_hash text,
  created_at integer not null,
  disabled_at integer
) strict, without rowid;

CREATE TABLE login_links (
  token_hash text primary key,
  account_id text not null references accounts (account_id),
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict, without rowid;

CREATE TABLE sessions (
  token_hash text primary key,
  account_id text not null references accounts (account_id),
  created_at integer not null,
  expires_at integer not null,
  seen_at integer not null
, opened_by text not null default 'link' check (opened_by in ('link', 'password')), browser text) strict, without rowid;

CREATE TABLE api_keys (
  key_id text primary key,
  key_hash text not null unique,
  name text not null,
  scopes text not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer
, last_used_at integer) strict, without rowid;

CREATE TABLE bots (
  bot_uuid text primary key,
  workspace_uuid text not null,
  name text not null,
  platform text not null,
  settings text not null,          -- JSON; secrets sealed by identity/
  admins text not null default '[]',
  enabled integer not null default 1,
  created_at integer not null,
  updated_at integer not null
) strict, without rowid;

CREATE UNIQUE INDEX bots_by_name on bots (workspace_uuid, name);

CREATE TABLE bot_notes (
  bot_uuid text not null references bots (bot_uuid) on delete cascade,
  name text not null,
  value text not null,
  primary key (bot_uuid, name)
) strict, without rowid;

CREATE TABLE installations (
  installation_uuid text primary key,
  workspace_uuid text not null,
  plugin_id text not null,          -- author/name
  version text not null,
  source text not null check (source in ('package', 'dev', 'debug', 'inline')),
  folder text,                      -- where the files are; null for inline and debug
  manifest text not null,           -- JSON: plugin manifest and its components
  manifest_digest text not null,
  package_digest text not null,
  approved_manifest_digest text,    -- what the operator approved; null: not approved
  approved_package_digest text,
  approved_at integer,
  installation_grant text not null default '{}',
  settings text not null default '{}',
  isolation text not null default 'required' check (isolation in ('required', 'accepted_none')),
  enabled integer not null default 1,
  priority integer not null default 0,
  revision integer not null default 1,
  created_at integer not null,
  updated_at integer not null
) strict, without rowid;

CREATE UNIQUE INDEX installations_by_plugin on installations (workspace_uuid, plugin_id, source);

CREATE TABLE debug_keys (
  key_hash text primary key,
  workspace_uuid text not null,
  created_at integer not null,
  expires_at integer not null,
  revoked_at integer
) strict, without rowid;

CREATE TABLE processors (
  processor_id text primary key,
  workspace_uuid text not null,
  kind text not null check (kind in ('agent', 'plugin_processor', 'pipeline')),
  name text not null,
  runner_id text not null,          -- plugin:author/name/runner
  config text not null default '{}',
  grants text not null default '{}',   -- JSON: what the operator allows (gateway/grants)
  options text not null default '{}',  -- JSON: sentence, after_crash, deadline_seconds, max_age_seconds, prompt, ...
  enabled integer not null default 1,
  created_at integer not null,
  updated_at integer not null
) strict, without rowid;

CREATE UNIQUE INDEX processors_by_name on processors (workspace_uuid, kind, name);

CREATE TABLE routes (
  route_id text primary key,
  workspace_uuid text not null,
  bot_uuid text not null references bots (bot_uuid) on delete cascade,
  event_pattern text not null,
  filters text not null default '[]',
  target_type text not null check (target_type in ('agent', 'pipeline', 'discard')),
  processor_id text references processors (processor_id),
  priority integer not null default 0,
  position integer not null,
  scope text not null default 'chat' check (scope in ('chat', 'member')),
  enabled integer not null default 1,
  description text not null default ''
) strict, without rowid;

CREATE INDEX routes_by_bot on routes (bot_uuid, priority desc, position);

CREATE TABLE subscriptions (
  bot_uuid text not null references bots (bot_uuid) on delete cascade,
  processor_id text not null references processors (processor_id) on delete cascade,
  workspace_uuid text not null,
  scope text not null default 'chat' check (scope in ('chat', 'member')),
  enabled integer not null default 1,
  primary key (bot_uuid, processor_id)
) strict, without rowid;

CREATE TABLE events (
  seq integer primary key autoincrement,
  event_id text not null unique,
  workspace_uuid text not null,
  bot_uuid text,
  event_type text not null,
  event_time integer,
  source text not null,             -- platform, webui, api, scheduler, system
  conversation_id text,
  conversation_key text,            -- workspace, bot, chat and thread, without member
  thread_id text,
  actor_type text,
  actor_id text,
  actor_name text,
  subject_type text,
  subject_id text,
  message_id text,
  input_summary text,
  envelope text not null,           -- JSON EventEnvelope
  raw_ref text,
  created_at integer not null
) strict;

CREATE INDEX events_by_conversation on events (conversation_key, seq);

CREATE INDEX events_by_message on events (bot_uuid, message_id);

CREATE INDEX events_by_age on events (created_at);

CREATE TABLE event_keys (
  bot_uuid text not null,
  dedupe_key text not null,
  event_id text not null,
  created_at integer not null,
  primary key (bot_uuid, dedupe_key)
) strict, without rowid;

CREATE INDEX event_keys_by_age on event_keys (created_at);

CREATE TABLE trail (
  id integer primary key autoincrement,
  workspace_uuid text not null,
  event_id text not null,
  processor_id text,
  at integer not null,
  step text not null,               -- intake, route, admission, run, delivery
  code text not null,               -- reason code, see host/src/events/codes.ts
  message text not null,
  details text
) strict;

CREATE INDEX trail_by_event on trail (event_id, id);

CREATE TABLE conversations (
  conversation_key text primary key,
  workspace_uuid text not null,
  bot_uuid text,
  conversation_id text not null,
  thread_id text,
  chat_type text,
  chat_id text,
  member_id text,
  title text,
  last_seq integer not null default 0,   -- newest history position
  reset_after_seq integer not null default 0,
  created_at integer not null,
  last_event_at integer not null
) strict, without rowid;

CREATE INDEX conversations_by_recency on conversations (workspace_uuid, last_event_at);

CREATE TABLE mailbox (
  position integer primary key autoincrement,
  row_id text not null unique,
  workspace_uuid text not null,
  event_id text not null,
  bot_uuid text,
  processor_id text not null,
  lane text not null,               -- what runs one after another: conversation (or subject, actor) and processor
  conversation_key text,            -- of the processor's scope: with member where the route says so
  scope text not null default 'chat' check (scope in ('chat', 'member')),
  gives_position integer not null default 0,   -- its turn gives the inbound message its history position
  state text not null check (state in ('accepted', 'admitted', 'active', 'done')),
  kind text check (kind in ('run', 'command', 'steer', 'cancel', 'drop')),
  reason text,
  due_at integer,                   -- parked until
  attempt integer not null default 1,
  run_id text,
  owner text,
  epoch integer not null default 0,
  accepted_at integer not null,
  admitted_at integer,
  done_at integer
) strict;

CREATE INDEX mailbox_open on mailbox (position) where state <> 'done';

CREATE INDEX mailbox_steering on mailbox (run_id) where kind = 'steer' and state = 'admitted';

CREATE INDEX mailbox_by_event on mailbox (event_id);

CREATE TABLE transcript (
  id integer primary key autoincrement,
  transcript_id text not null unique,
  workspace_uuid text not null,
  conversation_key text not null,
  seq integer not null,             -- history position, from 1, without holes
  bot_uuid text,
  conversation_id text,
  thread_id text,
  role text not null,
  item_type text not null default 'message',
  content text,
  content_json text,
  attachment_refs text not null default '[]',
  event_id text not null,
  run_id text,
  processor_id text,
  delivery_id text,
  message_id text,
  actor_id text,
  created_at integer not null,
  metadata text not null default '{}',
  unique (conversation_key, seq)
) strict;

CREATE INDEX transcript_by_event on transcript (event_id);

CREATE VIRTUAL TABLE transcript_text using fts5 (grams, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");

CREATE TABLE runs (
  id integer primary key autoincrement,
  run_id text not null unique,
  workspace_uuid text not null,
  event_id text,
  event_type text,
  row_id text,
  processor_id text not null,
  processor_kind text not null,
  binding_id text,
  runner_id text not null,
  installation_uuid text not null,
  bot_uuid text,
  conversation_id text,
  conversation_key text,
  thread_id text,
  actor_id text,
  status text not null
    check (status in ('created', 'queued', 'claimed', 'running', 'completed', 'failed', 'cancelled', 'timeout')),
  status_reason text,
  reason_code text,
  effect integer not null default 0,
  attempt integer not null default 1,
  owner text not null,
  epoch integer not null,
  debug integer not null default 0,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  updated_at integer not null,
  deadline_at integer,
  cancel_requested_at integer,
  last_sequence integer not null default 0,
  usage text,
  cost text,
  run_grant text not null,          -- JSON: the grant with the reason of each line
  metadata text not null default '{}'
) strict;

CREATE INDEX runs_by_conversation on runs (conversation_key, id);

CREATE INDEX runs_by_status on runs (status) where status in ('created', 'queued', 'claimed', 'running');

CREATE INDEX runs_by_processor on runs (processor_id, id);

CREATE INDEX runs_by_event on runs (event_id);

CREATE TABLE run_events (
  run_id text not null,
  sequence integer not null,
  type text not null,
  data text not null,
  usage text,
  source text not null,             -- runner, host, delivery, admin
  created_at integer not null,
  metadata text not null default '{}',
  primary key (run_id, sequence)
) strict, without rowid;

CREATE TABLE run_trace (
  id integer primary key autoincrement,
  run_id text not null,
  at integer not null,
  method text not null,
  target text,
  outcome text not null,            -- ok, denied, failed, cancelled
  reason text,
  micros integer not null,
  details text
) strict;

CREATE INDEX run_trace_by_run on run_trace (run_id, id);

CREATE TABLE state (
  scope_key text not null,          -- hash of scope, processor, bot and object
  key text not null,
  workspace_uuid text not null,
  scope text not null check (scope in ('conversation', 'actor', 'subject', 'runner')),
  processor_id text not null,
  object_id text,                   -- conversation key, actor or subject id: for erasing a person
  value text not null,
  bytes integer not null,
  version integer not null default 1,
  expires_at integer,
  updated_at integer not null,
  primary key (scope_key, key)
) strict, without rowid;

CREATE TABLE binary_storage (
  id integer primary key,
  owner_key text not null,          -- 'plugin:<installation_uuid>' or 'workspace:<workspace_uuid>'
  key text not null,
  workspace_uuid text not null,
  value blob not null,
  bytes integer not null,
  updated_at integer not null,
  unique (owner_key, key)
) strict;

CREATE INDEX binary_storage_by_owner on binary_storage (owner_key, key, bytes);

CREATE TABLE outbox (
  position integer primary key autoincrement,
  part_id text not null unique,     -- also the delivery_key given to the adapter
  delivery_id text not null,        -- one answer: all its parts
  workspace_uuid text not null,
  bot_uuid text not null,
  run_id text,
  event_id text,
  processor_id text,
  conversation_id text,
  conversation_key text,
  target text not null,             -- JSON ReplyTarget
  target_key text not null,         -- what keeps its order: bot and chat
  part integer not null,
  parts integer not null,
  chain text not null,              -- JSON MessageChain of this part; for a stream its last checkpoint
  quote_message_id text,
  stream_id text,
  state text not null check (state in ('streaming', 'queued', 'sending', 'sent', 'unknown', 'failed', 'held', 'discarded')),
  message_id text,                  -- the platform's
  attempts integer not null default 0,
  due_at integer not null,
  reason text,
  error text,
  owner text,
  created_at integer not null,
  updated_at integer not null,
  sent_at integer
) strict;

CREATE INDEX outbox_open on outbox (position) where state in ('streaming', 'queued', 'sending', 'unknown', 'held');

CREATE INDEX outbox_by_delivery on outbox (delivery_id, part);

CREATE INDEX outbox_by_run on outbox (run_id);

CREATE INDEX events_listed on events (workspace_uuid, seq, bot_uuid, event_type, created_at);

CREATE INDEX runs_listed on runs (workspace_uuid, id, status, created_at, processor_id, installation_uuid, bot_uuid, actor_id, debug);
