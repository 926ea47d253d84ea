/** Limits by name: value, unit and where it comes from. Used by host and SDK, printed in the docs. */

/** One named limit. */
export interface LimitFacts {
  readonly value: number
  readonly unit: 'bytes' | 'characters' | 'items' | 'seconds' | 'levels'
  /** Section of the specification, or `own` for a limit of ours. */
  readonly source: string
  readonly says: string
}

/** Every limit that an author can run into. `too_large` and `limit_reached` errors name one of these keys. */
export const LIMITS = {
  frame: { value: 16_777_216, unit: 'bytes', source: 'wire.md §1.1', says: 'one message of the link' },
  stream_frame: { value: 1_048_576, unit: 'bytes', source: 'wire.md §1.8', says: 'one numbered frame of a stream' },
  transfer_file: { value: 67_108_864, unit: 'bytes', source: 'own', says: 'one file sent over the link' },
  transfer_open_files: {
    value: 128,
    unit: 'items',
    source: 'wire.md §2.1',
    says: 'received and not yet deleted files of one link',
  },
  asset_file: {
    value: 4_194_304,
    unit: 'bytes',
    source: 'entities.md §1.3',
    says: 'icon, readme, asset or page file of a plugin',
  },
  reply_stream_text: {
    value: 200_000,
    unit: 'characters',
    source: 'wire.md §6.6',
    says: 'whole text of a reply stream',
  },
  reply_streams: { value: 16, unit: 'items', source: 'entities.md §4.6', says: 'reply streams of one run' },
  log_text: { value: 65_536, unit: 'characters', source: 'entities.md §4.5', says: 'one log entry' },
  result: { value: 1_048_576, unit: 'bytes', source: 'entities.md §4.5', says: 'one result of a run as JSON' },
  result_queue: { value: 256, unit: 'items', source: 'entities.md §4.5', says: 'results waiting inside the plugin' },
  file_ids: { value: 100, unit: 'items', source: 'entities.md §4.5', says: 'exported files of one message' },
  state_value: { value: 262_144, unit: 'bytes', source: 'wire.md §5.4', says: 'one state value as JSON' },
  state_key: { value: 255, unit: 'characters', source: 'host-behaviour.md §4.6', says: 'one state key' },
  state_keys: { value: 10_000, unit: 'items', source: 'own', says: 'keys of one state scope' },
  state_list: { value: 100, unit: 'items', source: 'wire.md §5.4', says: 'keys of one state_list answer' },
  storage_value: { value: 10_485_760, unit: 'bytes', source: 'wire.md §5.3', says: 'one storage value, decoded' },
  storage_key: { value: 1_024, unit: 'characters', source: 'own', says: 'one storage key' },
  storage_keys: { value: 10_000, unit: 'items', source: 'own', says: 'storage keys of one plugin or workspace' },
  storage_total: {
    value: 268_435_456,
    unit: 'bytes',
    source: 'own',
    says: 'all storage values of one plugin or workspace',
  },
  state_snapshot: {
    value: 1_048_576,
    unit: 'bytes',
    source: 'own',
    says: 'state values in one context; larger state is read with state_get',
  },
  config_file: {
    value: 10_485_760,
    unit: 'bytes',
    source: 'entities.md §1.6',
    says: 'one uploaded configuration file',
  },
  page_items: {
    value: 100,
    unit: 'items',
    source: 'wire.md §5.4',
    says: 'one page of history, events, runs or run events',
  },
  page_items_default: { value: 50, unit: 'items', source: 'wire.md §5.4', says: 'the same, unless asked for' },
  search_items: { value: 100, unit: 'items', source: 'own', says: 'hits of one history search' },
  search_items_default: { value: 10, unit: 'items', source: 'wire.md §5.4', says: 'the same, unless asked for' },
  search_query: { value: 1_000, unit: 'characters', source: 'own', says: 'text of one history search' },
  steering_queue: { value: 100, unit: 'items', source: 'entities.md §4.7', says: 'inputs waiting for one run' },
  steering_pull: { value: 100, unit: 'items', source: 'wire.md §5.4', says: 'inputs of one pull' },
  transcript_text: { value: 4_000, unit: 'characters', source: 'entities.md §4.7', says: 'text of one history item' },
  event_summary: { value: 1_000, unit: 'characters', source: 'entities.md §4.7', says: 'summary of one event record' },
  event_data_value: {
    value: 512,
    unit: 'bytes',
    source: 'entities.md §4.4',
    says: 'one value of event.data for Agents',
  },
  interaction: { value: 262_144, unit: 'bytes', source: 'entities.md §4.8', says: 'one interaction request as JSON' },
  interaction_id: { value: 255, unit: 'characters', source: 'entities.md §4.8', says: 'id of an interaction' },
  interaction_title: { value: 1_000, unit: 'characters', source: 'entities.md §4.8', says: 'title of an interaction' },
  interaction_description: {
    value: 10_000,
    unit: 'characters',
    source: 'entities.md §4.8',
    says: 'description of an interaction',
  },
  interaction_fallback_text: { value: 20_000, unit: 'characters', source: 'entities.md §4.8', says: 'fallback text' },
  interaction_fields: { value: 50, unit: 'items', source: 'entities.md §4.8', says: 'fields of an interaction' },
  interaction_actions: { value: 20, unit: 'items', source: 'entities.md §4.8', says: 'buttons of an interaction' },
  interaction_options: { value: 100, unit: 'items', source: 'entities.md §4.8', says: 'options of one field' },
  interaction_element_id: {
    value: 128,
    unit: 'characters',
    source: 'entities.md §4.8',
    says: 'id of a field or button',
  },
  interaction_label: { value: 512, unit: 'characters', source: 'entities.md §4.8', says: 'label of a field or button' },
  interaction_option_text: {
    value: 512,
    unit: 'characters',
    source: 'entities.md §4.8',
    says: 'value or label of an option',
  },
  interaction_option_description: {
    value: 2_000,
    unit: 'characters',
    source: 'entities.md §4.8',
    says: 'description of an option',
  },
  interaction_placeholder: {
    value: 1_000,
    unit: 'characters',
    source: 'entities.md §4.8',
    says: 'placeholder of a field',
  },
  interaction_lifetime: {
    value: 86_400,
    unit: 'seconds',
    source: 'entities.md §4.8',
    says: 'longest life of an interaction',
  },
  interaction_lifetime_default: {
    value: 1_800,
    unit: 'seconds',
    source: 'entities.md §4.8',
    says: 'the same, unless asked for',
  },
  run_time_default: { value: 300, unit: 'seconds', source: 'entities.md §1.6', says: 'time of a run, unless set' },
  box_reuse_key: { value: 1_024, unit: 'characters', source: 'entities.md §4.7', says: 'reuse key of a box' },
  box_export_paths: { value: 20, unit: 'items', source: 'host-behaviour.md §4.10', says: 'files of one export' },
  box_export_file: { value: 10_485_760, unit: 'bytes', source: 'host-behaviour.md §4.10', says: 'one exported file' },
  box_export_run_files: {
    value: 100,
    unit: 'items',
    source: 'host-behaviour.md §4.10',
    says: 'exported files of one run',
  },
  box_export_run_bytes: {
    value: 52_428_800,
    unit: 'bytes',
    source: 'host-behaviour.md §4.10',
    says: 'exported bytes of one run',
  },
  rerank_documents: { value: 64, unit: 'items', source: 'wire.md §5.3', says: 'documents of one rerank call' },
  error_text: { value: 4_096, unit: 'characters', source: 'wire.md §1.13', says: 'text of an error answer' },
} as const satisfies Record<string, LimitFacts>
export type LimitName = keyof typeof LIMITS
