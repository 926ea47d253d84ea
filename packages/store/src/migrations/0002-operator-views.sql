-- What the operator's views ask: lists that are filtered by one look at an index, who is signed in and how, keys in use.

-- identity/ ---------------------------------------------------------------------------------------------------------
alter table sessions add column opened_by text not null default 'link' check (opened_by in ('link', 'password'));
alter table sessions add column browser text;
alter table api_keys add column last_used_at integer;

-- events/ -----------------------------------------------------------------------------------------------------------
-- Everything that the list of events filters by: the wide rows are read for the page alone.
drop index events_by_bot;
create index events_listed on events (workspace_uuid, seq, bot_uuid, event_type, created_at);

-- runs/ -------------------------------------------------------------------------------------------------------------
-- The same for runs; its beginning serves what runs_by_workspace did.
drop index runs_by_workspace;
create index runs_listed on runs (workspace_uuid, id, status, created_at, processor_id, installation_uuid, bot_uuid, actor_id, debug);
