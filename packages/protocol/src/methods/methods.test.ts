/** The table of methods: names and forms are pinned, every form asks its grant, and the answers of the grant are what counts. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Denial, FormName, InstallationGrant, MethodRecord, QueryGrant, RunGrant } from '../method.ts'
import { formOf, HOST_METHODS, issuesText, METHODS } from '../schemas.ts'
import { HOST_CALL_WAITS, PLUGIN_CALL_WAITS } from '../waits.ts'

/** Name to forms. Removing or renaming one breaks plugins; adding is fine. */
const PINNED: Readonly<Record<string, string>> = {
  register_plugin: 'installation',
  reply_message: 'query',
  get_bot_uuid: 'query',
  set_query_var: 'query',
  get_query_var: 'query',
  get_query_vars: 'query',
  create_new_conversation: 'query',
  list_pipeline_knowledge_bases: 'query',
  retrieve_knowledge_base: 'run query',
  get_langbot_version: 'installation',
  get_bots: 'installation',
  get_bot_info: 'installation',
  get_llm_models: 'installation',
  list_plugins_manifest: 'installation',
  list_commands: 'installation',
  list_tools: 'installation',
  list_knowledge_bases: 'installation',
  list_parsers: 'installation',
  get_config_file: 'installation',
  invoke_llm: 'run installation',
  invoke_llm_stream: 'run installation',
  count_tokens: 'run',
  invoke_embedding: 'run installation',
  invoke_rerank: 'run installation',
  get_tool_detail: 'run installation',
  call_tool: 'run query',
  send_message: 'installation',
  call_platform_api: 'run installation',
  reply_stream: 'run',
  set_plugin_storage: 'run installation',
  get_plugin_storage: 'run installation',
  get_plugin_storage_keys: 'run installation',
  delete_plugin_storage: 'run installation',
  set_workspace_storage: 'run installation',
  get_workspace_storage: 'run installation',
  get_workspace_storage_keys: 'run installation',
  delete_workspace_storage: 'run installation',
  retrieve_knowledge: 'installation',
  vector_upsert: 'installation',
  vector_search: 'installation',
  vector_delete: 'installation',
  vector_list: 'installation',
  get_knowledge_file_stream: 'installation',
  invoke_parser: 'installation',
  get_box_status: 'run installation',
  list_boxes: 'run installation',
  acquire_box: 'run installation',
  bind_box: 'run',
  import_box_attachments: 'run',
  export_box_files: 'run',
  get_prompt: 'run',
  history_page: 'run',
  history_search: 'run',
  event_get: 'run',
  event_page: 'run',
  steering_pull: 'run',
  state_get: 'run',
  state_set: 'run',
  state_delete: 'run',
  state_list: 'run',
  run_get: 'run installation',
  run_list: 'run installation',
  run_events_page: 'run installation',
  run_cancel: 'run installation',
  run_append_result: 'run installation',
  run_finalize: 'run installation',
  runner_list: 'installation',
  runtime_register: 'installation',
  runtime_heartbeat: 'installation',
  runtime_list: 'installation',
  runtime_reconcile: 'installation',
  run_claim: 'installation',
  run_renew_claim: 'installation',
  run_release_claim: 'installation',
  run_stats: 'installation',
  runtime_stats: 'installation',
  runner_stats: 'installation',
}

const PINNED_HOST_CALLS = [
  'call_tool',
  'delete_document',
  'emit_event',
  'execute_command',
  'get_plugin_assets_file',
  'get_plugin_container',
  'get_plugin_icon',
  'get_plugin_readme',
  'get_rag_capabilities',
  'ingest_document',
  'initialize_plugin',
  'on_kb_create',
  'on_kb_delete',
  'page_api',
  'parse_document',
  'plugin_diagnostic',
  'retrieve_knowledge',
  'run_runner',
  'shutdown',
]

const records: readonly MethodRecord[] = Object.values(METHODS)
const hostRecords: readonly MethodRecord[] = Object.values(HOST_METHODS)
const FORMS: readonly FormName[] = ['run', 'query', 'installation']

/** Grants that answer everything the same way and note what they were asked. */
function grants(answer: Denial | null) {
  const asked: string[] = []
  const note = (what: string) => {
    asked.push(what)
    return answer
  }
  const grant: RunGrant = {
    flag: (name) => note(`flag ${name}`),
    tool: (name, operation) => note(`tool ${name} ${operation}`),
    model: (id, operation) => note(`model ${id} ${operation}`),
    knowledgeBase: (id, operation) => note(`base ${id} ${operation}`),
    storage: (area) => note(`storage ${area}`),
    stateScope: (scope) => note(`scope ${scope}`),
    platform: ({ action, bot_uuid, context_tool }) => note(`platform ${action} ${bot_uuid} ${context_tool}`),
    interaction: () => note('interaction'),
  }
  const installation: InstallationGrant = {
    api: (name) => note(`api ${name}`),
    tool: (name) => note(`installed tool ${name}`),
    storage: (area) => note(`installed storage ${area}`),
    admin: (permission) => note(`admin ${permission}`),
  }
  const query: QueryGrant = { query: (id, uuid) => note(`query ${id} ${uuid}`) }
  return { asked, input: { grant, installation, query } }
}

/** Values for every parameter that a grant is asked about. */
const PARAMS = {
  run_id: 'run-1',
  query_id: 7,
  query_uuid: 'q-7',
  llm_model_uuid: 'm',
  embedding_model_uuid: 'm',
  rerank_model_uuid: 'm',
  kb_id: 'kb',
  tool_name: 't',
  scope: 'actor',
  bot_uuid: 'b',
  action: 'mute_member',
  context_tool: null,
  params: {},
}

/** What each form asks when everything is granted. */
function askedBy(name: keyof typeof METHODS, form: FormName, answer: Denial | null = null, params: object = {}) {
  const record: MethodRecord = METHODS[name]
  const found = record.forms[form]
  if (found === undefined) throw new Error(`${name} has no form ${form}`)
  const { asked, input } = grants(answer)
  const verdict: Denial | null = Reflect.apply(found.authorize, found, [{ ...input, params: { ...PARAMS, ...params } }])
  return { asked, verdict }
}

describe('the table', () => {
  test('names and forms are the documented ones', () => {
    const table = Object.fromEntries(
      records.map(({ name, forms }) => [name, FORMS.filter((form) => forms[form]).join(' ')]),
    )
    expect(table).toEqual(PINNED)
    expect(Object.keys(HOST_METHODS).toSorted()).toEqual(PINNED_HOST_CALLS)
  })
  test('each record stands under its own name and has a sentence and a source', () => {
    for (const [key, record] of Object.entries({ ...HOST_METHODS, ...METHODS })) {
      expect(record.name).toBe(key)
      expect(record.summary).toMatch(/^[A-Z].*\.$/)
      expect(record.source).toMatch(/§/)
    }
  })
  test('each form waits as long as the table of waits says', () => {
    const waits: Readonly<Record<string, Readonly<Record<string, number>>>> = PLUGIN_CALL_WAITS
    for (const { name, forms } of records) {
      const own = Object.fromEntries(FORMS.flatMap((form) => (forms[form] ? [[form, forms[form].waits]] : [])))
      expect({ name, own }).toEqual({ name, own: waits[name] })
    }
    for (const [name, record] of Object.entries(HOST_METHODS)) {
      expect({ name, waits: record.forms.installation.waits }).toEqual({
        name,
        waits: Object.entries(HOST_CALL_WAITS).find(([key]) => key === name)?.[1],
      })
    }
  })
  test('the calls that stream are the documented ones', () => {
    const streams = [...records, ...Object.values(HOST_METHODS)].flatMap((record: MethodRecord) =>
      FORMS.filter((form) => record.forms[form]?.stream).map((form) => `${record.name} ${form}`),
    )
    expect(streams.toSorted()).toEqual([
      'execute_command installation',
      'invoke_llm_stream installation',
      'invoke_llm_stream run',
      'run_runner installation',
    ])
  })
})

describe('printing', () => {
  test('parameters and answers of every form can be printed as JSON Schema, for the generated docs', () => {
    for (const { name, forms } of [...records, ...hostRecords]) {
      for (const form of FORMS) {
        const record = forms[form]
        if (record === undefined) continue
        for (const schema of [record.params, record.result]) {
          const printed = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
          expect({ name, form, type: printed.type }).toEqual({ name, form, type: 'object' })
        }
      }
    }
    const page = z.toJSONSchema(METHODS.history_page.forms.run.params, { io: 'input', unrepresentable: 'any' })
    expect(page.required).toEqual(['run_id'])
    expect(page.properties?.limit).toMatchObject({ 'x-default': 50 })
  })
})

describe('forms', () => {
  test('run_id makes it the run, query_id the query; null means not given', () => {
    expect(formOf({ run_id: 'r', query_id: 1 })).toBe('run')
    expect(formOf({ run_id: null, query_id: 1 })).toBe('query')
    expect(formOf({ run_id: null, query_id: null })).toBe('installation')
    expect(formOf({ query_id: 0 })).toBe('query')
    expect(formOf({})).toBe('installation')
  })
  test('a form of a run or query demands the id that makes it one', () => {
    for (const { name, forms } of records) {
      for (const form of ['run', 'query'] as const) {
        const issues = forms[form]?.params.safeParse({}).error?.issues
        if (issues !== undefined)
          expect({ name, text: issues.map(({ path }) => path[0]) }).toMatchObject({
            text: expect.arrayContaining([`${form}_id`]),
          })
      }
    }
  })
  test('null is "not given" for every option', () => {
    const read = METHODS.history_page.forms.run.params.parse({
      run_id: 'r',
      conversation_id: null,
      before_cursor: null,
      after_cursor: null,
      limit: null,
      direction: null,
      include_attachments: null,
    })
    expect(read).toEqual(METHODS.history_page.forms.run.params.parse({ run_id: 'r' }))
    expect(read).toMatchObject({ limit: 50, direction: 'backward', include_attachments: false, before_cursor: null })
  })
  test('a page has at least one item and at most the cap', () => {
    const limit = (given: unknown) => METHODS.history_page.forms.run.params.safeParse({ run_id: 'r', limit: given })
    expect(limit(500).data?.limit).toBe(100)
    for (const bad of [0, -2, 1.5, 'many']) expect(limit(bad).success).toBe(false)
  })
  test('[runner.steering-pull.modes] the documented modes are read, others are not', () => {
    const pull = (mode: unknown) => METHODS.steering_pull.forms.run.params.safeParse({ run_id: 'r', mode })
    for (const mode of ['all', 'one', 'one-at-a-time']) expect(pull(mode).data?.mode).toBe(mode)
    expect(pull(undefined).data).toMatchObject({ mode: 'all', limit: null })
    expect(pull('some').success).toBe(false)
  })
  test('a fault is told with its place', () => {
    const read = METHODS.reply_stream.forms.run.params.safeParse({
      run_id: 'r',
      stream_id: 's',
      operation: 'append',
      text: 1,
    })
    expect(read.success ? '' : issuesText(read.error)).toMatch(/^operation: .*; text: /)
  })
})

describe('authorisation', () => {
  const free = ['register_plugin installation']
  const denial: Denial = { reason: 'permission_denied', message: 'no' }
  const forms = records.flatMap(({ name, forms: has }) =>
    FORMS.filter((form) => has[form]).map((form) => ({ name: name as keyof typeof METHODS, form })),
  )

  test.each(forms)('$name as $form is allowed by a grant and refused without', ({ name, form }) => {
    const allowed = askedBy(name, form)
    expect(allowed.verdict).toBeNull()
    const refused = askedBy(name, form, denial)
    if (free.includes(`${name} ${form}`)) expect(allowed.asked).toEqual([])
    else expect(refused.verdict).toBe(denial)
  })

  test('a run asks its own grant, a query its query first, an installation its own', () => {
    for (const { name, form } of forms) {
      const [first] = askedBy(name, form).asked
      if (first === undefined) continue
      const byInstallation = /^(?:api|admin|installed) /.test(first)
      expect({ name, form, byInstallation }).toEqual({ name, form, byInstallation: form === 'installation' })
      expect({ name, form, byQuery: first === 'query 7 q-7' }).toEqual({ name, form, byQuery: form === 'query' })
    }
  })

  test.each([
    ['call_tool', 'run', ['tool t call']],
    ['call_tool', 'query', ['query 7 q-7', 'installed tool t']],
    ['get_tool_detail', 'run', ['tool t detail']],
    ['invoke_llm', 'run', ['model m invoke']],
    ['invoke_llm_stream', 'run', ['model m stream']],
    ['count_tokens', 'run', ['model m count_tokens']],
    ['invoke_embedding', 'run', ['model m invoke']],
    ['invoke_rerank', 'run', ['model m rerank']],
    ['retrieve_knowledge_base', 'run', ['base kb retrieve']],
    ['reply_stream', 'run', ['flag reply_stream', 'tool event_reply call']],
    ['state_set', 'run', ['flag state', 'scope actor']],
    ['set_plugin_storage', 'run', ['storage plugin']],
    ['set_workspace_storage', 'installation', ['installed storage workspace']],
    ['call_platform_api', 'run', ['platform mute_member b null']],
    ['call_platform_api', 'installation', ['api platform:mute_member']],
    ['run_claim', 'installation', ['admin runtime:admin']],
    ['run_cancel', 'installation', ['admin agent_run:admin']],
    ['run_cancel', 'run', ['flag run_cancel']],
  ] as const)('%s as %s asks for %j', (name, form, asked) => {
    expect(askedBy(name, form).asked).toEqual(asked)
  })

  test('sending has one entry, whichever way it is called', () => {
    expect(askedBy('call_platform_api', 'installation', null, { action: 'send_message' }).asked).toEqual([
      'api send_message',
    ])
    expect(askedBy('send_message', 'installation').asked).toEqual(['api send_message'])
  })

  test('what reads, writes and leaves the host', () => {
    const effects = Object.fromEntries(
      records.flatMap(({ name, forms: has }) =>
        FORMS.flatMap((form) => (has[form] ? [[`${name} ${form}`, has[form].effect]] : [])),
      ),
    )
    const of = (effect: string) => Object.keys(effects).filter((key) => effects[key] === effect)
    expect(of('outside')).toEqual(['reply_message query', 'send_message installation', 'reply_stream run'])
    expect(of('by-tool')).toEqual([
      'call_tool run',
      'call_tool query',
      'call_platform_api run',
      'call_platform_api installation',
    ])
    expect(
      of('host')
        .filter((key) => key.endsWith(' run'))
        .map((key) => key.replace(' run', '')),
    ).toEqual([
      'set_plugin_storage',
      'delete_plugin_storage',
      'set_workspace_storage',
      'delete_workspace_storage',
      'acquire_box',
      'bind_box',
      'import_box_attachments',
      'export_box_files',
      'steering_pull',
      'state_set',
      'state_delete',
      'run_cancel',
      'run_append_result',
      'run_finalize',
    ])
  })
})
