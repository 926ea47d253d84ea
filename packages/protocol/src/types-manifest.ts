/** Types of manifests, pipeline contexts and knowledge, inferred from their schemas. Only types. */
import type { z } from 'zod'
import type * as items from './schemas/config-items.ts'
import type * as envelope from './schemas/envelope.ts'
import type * as knowledge from './schemas/knowledge.ts'
import type * as parts from './schemas/manifest-parts.ts'
import type * as manifests from './schemas/manifests.ts'
import type * as pipeline from './schemas/pipeline-events.ts'
import type * as session from './schemas/session.ts'

export type I18nString = z.infer<typeof parts.I18nStringSchema>
export type ManifestMetadata = z.infer<typeof parts.MetadataSchema>
export type RunnerCapabilities = z.infer<typeof parts.RunnerCapabilitiesSchema>
export type RunnerPermissions = z.infer<typeof parts.RunnerPermissionsSchema>
export type Condition = z.infer<typeof items.ConditionSchema>
export type ConfigItem = z.infer<typeof items.ConfigItemSchema>
export type ConfigItemInput = z.input<typeof items.ConfigItemSchema>

export type PluginManifest = z.infer<typeof manifests.PluginManifestSchema>
export type PluginManifestInput = z.input<typeof manifests.PluginManifestSchema>
export type PageEntry = z.infer<typeof manifests.PageEntrySchema>
/** A component's manifest; `kind` picks the shape. */
export type ComponentManifest = z.infer<typeof manifests.ComponentManifestSchema>
/** A component's manifest as code derives it: only what is required, the rest by default. */
export type ComponentManifestInput = z.input<typeof manifests.ComponentManifestSchema>
export type OwnedManifest = z.infer<typeof manifests.OwnedManifestSchema>
export type ToolListEntry = z.infer<typeof manifests.ToolListEntrySchema>
export type RunnerManifest = z.infer<typeof manifests.RunnerManifestSchema>
export type RunnerManifestInput = z.input<typeof manifests.RunnerManifestSchema>
export type PluginContainer = z.infer<typeof manifests.PluginContainerSchema>
export type PluginContainerInput = z.input<typeof manifests.PluginContainerSchema>

export type Session = z.infer<typeof session.SessionSchema>
export type Conversation = z.infer<typeof session.ConversationSchema>
export type ExecuteContext = z.infer<typeof session.ExecuteContextSchema>
export type CommandReturn = z.infer<typeof session.CommandReturnSchema>
export type FriendMessage = z.infer<typeof pipeline.FriendMessageSchema>
export type GroupMessage = z.infer<typeof pipeline.GroupMessageSchema>
export type PipelineEvent = z.infer<typeof pipeline.PipelineEventSchema>
export type EventContext = z.infer<typeof pipeline.EventContextSchema>
export type EventContextAnswer = z.infer<typeof pipeline.EventContextAnswerSchema>

export type FileObject = z.infer<typeof knowledge.FileObjectSchema>
export type ParseResult = z.infer<typeof knowledge.ParseResultSchema>
export type ParseRequest = z.infer<typeof knowledge.ParseRequestSchema>
export type IngestionContext = z.infer<typeof knowledge.IngestionContextSchema>
export type IngestionResult = z.infer<typeof knowledge.IngestionResultSchema>
export type TextChunk = z.infer<typeof knowledge.TextChunkSchema>
export type RetrievalContext = z.infer<typeof knowledge.RetrievalContextSchema>
export type RetrievalResultEntry = z.infer<typeof knowledge.RetrievalResultEntrySchema>
export type RetrievalResponse = z.infer<typeof knowledge.RetrievalResponseSchema>
export type PageRequest = z.infer<typeof knowledge.PageRequestSchema>
export type PageResponse = z.infer<typeof knowledge.PageResponseSchema>

export type ActionContext = z.infer<typeof envelope.ActionContextSchema>
export type InstallationBinding = z.infer<typeof envelope.InstallationBindingSchema>
