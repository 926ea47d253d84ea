/** Types of manifests, pipeline contexts and knowledge, inferred from their schemas. Only types. */
import type { z } from 'zod'
import type * as items from './schemas/config-items.ts'
import type * as envelope from './schemas/envelope.ts'
import type * as knowledge from './schemas/knowledge.ts'
import type * as parts from './schemas/manifest-parts.ts'
import type * as manifests from './schemas/manifests.ts'
import type * as pipeline from './schemas/pipeline-events.ts'
import type * as session from './schemas/session.ts'

/** Localised text of a manifest; `en_US` is required. */
export type I18nString = z.infer<typeof parts.I18nStringSchema>
/** Name, texts and origin of a plugin or component. */
export type ManifestMetadata = z.infer<typeof parts.MetadataSchema>
/** What a Runner says that it can do. */
export type RunnerCapabilities = z.infer<typeof parts.RunnerCapabilitiesSchema>
/** What a Runner asks for: an upper bound. */
export type RunnerPermissions = z.infer<typeof parts.RunnerPermissionsSchema>
/** When a field is shown or disabled. */
export type Condition = z.infer<typeof items.ConditionSchema>
/** One field of a settings form. */
export type ConfigItem = z.infer<typeof items.ConfigItemSchema>
/** A field as a manifest may give it. */
export type ConfigItemInput = z.input<typeof items.ConfigItemSchema>

/** The manifest of a plugin. */
export type PluginManifest = z.infer<typeof manifests.PluginManifestSchema>
/** A plugin manifest as a writer may give it. */
export type PluginManifestInput = z.input<typeof manifests.PluginManifestSchema>
/** One page of a plugin; `path` is relative to the plugin. */
export type PageEntry = z.infer<typeof manifests.PageEntrySchema>
/** A component's manifest; `kind` picks the shape. */
export type ComponentManifest = z.infer<typeof manifests.ComponentManifestSchema>
/** A component's manifest as code derives it: only what is required, the rest by default. */
export type ComponentManifestInput = z.input<typeof manifests.ComponentManifestSchema>
/** A raw manifest with its owner and its path. */
export type OwnedManifest = z.infer<typeof manifests.OwnedManifestSchema>
/** A tool as lists show it. */
export type ToolListEntry = z.infer<typeof manifests.ToolListEntrySchema>
/** A Runner as it is listed; `id` is `plugin:<author>/<plugin>/<runner>`. */
export type RunnerManifest = z.infer<typeof manifests.RunnerManifestSchema>
/** A listing entry as a writer may give it. */
export type RunnerManifestInput = z.input<typeof manifests.RunnerManifestSchema>
/** What a plugin process registers. */
export type PluginContainer = z.infer<typeof manifests.PluginContainerSchema>
/** A registration as a writer may give it. */
export type PluginContainerInput = z.input<typeof manifests.PluginContainerSchema>

/** The session of a pipeline request; times in epoch seconds. */
export type Session = z.infer<typeof session.SessionSchema>
/** A pipeline's conversation with a model. */
export type Conversation = z.infer<typeof session.ConversationSchema>
/** What a command is handed. */
export type ExecuteContext = z.infer<typeof session.ExecuteContextSchema>
/** One value of a command. */
export type CommandReturn = z.infer<typeof session.CommandReturnSchema>
/** A private message, in its older form. */
export type FriendMessage = z.infer<typeof pipeline.FriendMessageSchema>
/** A group message, in its older form. */
export type GroupMessage = z.infer<typeof pipeline.GroupMessageSchema>
/** A pipeline event; `event_name` picks the shape. */
export type PipelineEvent = z.infer<typeof pipeline.PipelineEventSchema>
/** What a listener is handed. */
export type EventContext = z.infer<typeof pipeline.EventContextSchema>
/** What the host takes back from a listener. */
export type EventContextAnswer = z.infer<typeof pipeline.EventContextAnswerSchema>

/** A document given to a knowledge engine. */
export type FileObject = z.infer<typeof knowledge.FileObjectSchema>
/** What a parser made of a document. */
export type ParseResult = z.infer<typeof knowledge.ParseResultSchema>
/** A document to parse; its bytes were sent before under `file_key`. */
export type ParseRequest = z.infer<typeof knowledge.ParseRequestSchema>
/** What a knowledge engine is handed to take in a document. */
export type IngestionContext = z.infer<typeof knowledge.IngestionContextSchema>
/** What became of a document. */
export type IngestionResult = z.infer<typeof knowledge.IngestionResultSchema>
/** A piece of a document with its vector. */
export type TextChunk = z.infer<typeof knowledge.TextChunkSchema>
/** What a knowledge engine is asked. */
export type RetrievalContext = z.infer<typeof knowledge.RetrievalContextSchema>
/** One hit: lower `distance` is nearer. */
export type RetrievalResultEntry = z.infer<typeof knowledge.RetrievalResultEntrySchema>
/** The hits of a search. */
export type RetrievalResponse = z.infer<typeof knowledge.RetrievalResponseSchema>
/** What a page's back end is handed. */
export type PageRequest = z.infer<typeof knowledge.PageRequestSchema>
/** What a page's back end answers; a non-null `error` means failure. */
export type PageResponse = z.infer<typeof knowledge.PageResponseSchema>

/** Where a call runs; only the host fills it. */
export type ActionContext = z.infer<typeof envelope.ActionContextSchema>
/** The exact installation and package that a call belongs to. */
export type InstallationBinding = z.infer<typeof envelope.InstallationBindingSchema>
