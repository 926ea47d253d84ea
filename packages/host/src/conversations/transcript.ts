/** Writes the transcript: inbound messages once, delivered messages as they go out. History is what was really said. */
import { type Json, type JsonObject, LIMITS, type TranscriptItem } from '@runbound/protocol'
import { grams, type Statement } from '@runbound/store'
import { type Clock, seconds } from '../clock.ts'
import type { EventEnvelope } from '../events/types.ts'
import { timeId } from '../time-id.ts'
import type { Cursors } from './cursors.ts'
import { cutText } from './cut.ts'
import { memberOf } from './keys.ts'
import { redactBinary } from './redact.ts'
import { conversationToken } from './search-token.ts'
import { readJson, writeJson } from './stored-json.ts'
import {
  type EntryValues,
  indexEntry,
  insertEntry,
  insertEntryOnce,
  type SearchRow,
  takePosition,
  takePositionOnce,
} from './transcript-statements.ts'
import type { SaidMessage } from './types.ts'

/** Statements for one delivered message: its position, its entry, its words. */
export function saidStatements(message: SaidMessage, clock: Clock): readonly Statement[] {
  const now = clock.now()
  const chat = chatOf(message.conversation_id)
  return write(
    {
      transcript_id: message.transcript_id,
      workspace_uuid: message.workspace_uuid,
      conversation_key: message.conversation_key,
      bot_uuid: message.bot_uuid,
      conversation_id: message.conversation_id,
      thread_id: message.thread_id,
      role: message.role,
      content: cutText(message.content, LIMITS.transcript_text.value),
      content_json: contentJson(message.content_json),
      attachment_refs: writeJson(message.attachment_refs.map(withoutBytes)),
      event_id: message.event_id,
      run_id: message.run_id,
      processor_id: message.processor_id,
      delivery_id: message.delivery_id,
      message_id: message.message_id,
      actor_id: message.actor_id,
      created_at: now,
      metadata: writeJson(message.metadata ?? {}),
    },
    chat,
    message.content,
    false,
  )
}

/**
 * Statements for the message of an event: written once per conversation key, whoever comes first. Nothing for events that
 * are no message, or belong to no conversation.
 */
export function inboundStatements(
  envelope: EventEnvelope,
  conversationKey: string | null,
  by: { readonly run_id: string | null; readonly processor_id: string | null },
  clock: Clock,
): readonly Statement[] {
  const { conversation, input, actor } = envelope
  if (envelope.event_type !== 'message.received' || conversation === null || conversationKey === null) return []
  const text = spokenOrShown(envelope)
  const now = clock.now()
  return write(
    {
      transcript_id: timeId(now),
      workspace_uuid: envelope.workspace_uuid,
      conversation_key: conversationKey,
      bot_uuid: envelope.bot_uuid,
      conversation_id: conversation.conversation_id,
      thread_id: conversation.thread_id,
      role: 'user',
      content: cutText(text, LIMITS.transcript_text.value),
      content_json: contentJson({ role: 'user', content: input.contents }),
      attachment_refs: writeJson(input.attachments.map(withoutBytes)),
      event_id: envelope.event_id,
      run_id: by.run_id,
      processor_id: by.processor_id,
      delivery_id: null,
      message_id: envelope.message_id,
      actor_id: actor?.actor_id ?? null,
      created_at: now,
      metadata: writeJson({
        ...(actor === null
          ? {}
          : { actor_type: actor.actor_type, actor_id: actor.actor_id, actor_name: actor.actor_name }),
        event_time: envelope.event_time,
      }),
    },
    { chat_type: conversation.chat_type, chat_id: conversation.chat_id },
    text,
    true,
  )
}

function write(
  entry: EntryValues,
  chat: { readonly chat_type: string | null; readonly chat_id: string | null },
  text: string,
  once: boolean,
): readonly Statement[] {
  const { conversation_key, conversation_id, created_at: now } = entry
  const position = {
    ...entry,
    ...chat,
    conversation_id: conversation_id ?? conversation_key,
    member_id: memberOf(conversation_key),
    now,
  }
  const words = { transcript_id: entry.transcript_id, grams: `${conversationToken(conversation_key)} ${grams(text)}` }
  return once
    ? [takePositionOnce(position), insertEntryOnce(entry), indexEntry(words)]
    : [takePosition(position), insertEntry(entry), indexEntry(words)]
}

/** A picture alone says nothing, but it was sent: history shows what stood there. */
function spokenOrShown(envelope: EventEnvelope): string {
  const { text, attachments } = envelope.input
  const shown = attachments.map(({ type, name }) => (name ? `[${type}: ${name}]` : `[${type}]`)).join(' ')
  return [text ?? '', shown].filter((part) => part !== '').join(' ')
}

function contentJson(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  // The record's field is an object: a bare chain gets its name.
  return writeJson(redactBinary(Array.isArray(value) ? { message_chain: value } : value))
}

function withoutBytes(attachment: unknown): unknown {
  return typeof attachment === 'object' && attachment !== null ? redactBinary(attachment) : attachment
}

/** `person_1` or `group_9` as chat type and id. */
function chatOf(conversationId: string | null): { readonly chat_type: string | null; readonly chat_id: string | null } {
  const parts = /^(person|group)_(.*)$/su.exec(conversationId ?? '')
  return { chat_type: parts?.[1] ?? null, chat_id: parts?.[2] ?? null }
}

/** An entry as plugins read it; `attachment_refs` only where asked for. */
export function itemOf(row: SearchRow, cursors: Cursors, attachments: boolean): TranscriptItem {
  const metadata = objectFrom(row.metadata)
  return {
    transcript_id: row.transcript_id,
    event_id: row.event_id,
    conversation_id: row.conversation_id,
    bot_id: row.bot_uuid,
    workspace_id: row.workspace_uuid,
    thread_id: row.thread_id,
    role: row.role,
    item_type: row.item_type,
    content: row.content,
    content_json: row.content_json === null ? null : objectFrom(row.content_json),
    attachment_refs: attachments ? objectsFrom(row.attachment_refs) : [],
    seq: row.seq,
    cursor: cursors.write({ low: row.seq, high: row.seq }),
    created_at: seconds(row.created_at),
    metadata: {
      ...metadata,
      run_id: row.run_id,
      processor_id: row.processor_id,
      message_id: row.message_id,
    },
  }
}

function objectFrom(text: string): JsonObject {
  const value = readJson(text)
  return isObject(value) ? value : {}
}

function objectsFrom(text: string): JsonObject[] {
  const value = readJson(text)
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
