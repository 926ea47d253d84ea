/** Persons, groups and members: those of platform events, and the older ones of pipeline events (entities.md §3.1). */
import * as z from 'zod'
import { CHAT_TYPES, LAUNCHER_TYPES, LEGACY_PERMISSIONS, LOG_LEVELS, MEMBER_ROLES } from '../names.ts'
import {
  BooleanSchema,
  IntegerIdSchema,
  IntegerSchema,
  JsonObjectSchema,
  NumberSchema,
  orNull,
  PlatformIdSchema,
} from './primitives.ts'

export const ChatTypeSchema = z.enum(CHAT_TYPES)
export const LauncherTypeSchema = z.enum(LAUNCHER_TYPES)
export const MemberRoleSchema = z.enum(MEMBER_ROLES)
export const LegacyPermissionSchema = z.enum(LEGACY_PERMISSIONS)
export const LogLevelSchema = z.enum(LOG_LEVELS)

export const UserSchema = z.object({
  id: PlatformIdSchema,
  nickname: z.string().default(''),
  avatar_url: orNull(z.string()),
  is_bot: BooleanSchema.default(false),
  username: orNull(z.string()),
  remark: orNull(z.string()),
})

export const UserGroupSchema = z.object({
  id: PlatformIdSchema,
  name: z.string().default(''),
  description: orNull(z.string()),
  member_count: orNull(IntegerSchema),
  avatar_url: orNull(z.string()),
  owner_id: orNull(PlatformIdSchema),
})

export const UserGroupMemberSchema = z.object({
  user: UserSchema,
  group_id: PlatformIdSchema,
  role: MemberRoleSchema.default('member'),
  display_name: orNull(z.string()),
  joined_at: orNull(NumberSchema),
  title: orNull(z.string()),
})

/** `nickname` and `remark` must be present; null is allowed. */
export const FriendSchema = z.object({
  id: PlatformIdSchema,
  nickname: z.string().nullable(),
  remark: z.string().nullable(),
})

export const GroupSchema = z.object({ id: PlatformIdSchema, name: z.string(), permission: LegacyPermissionSchema })

export const GroupMemberSchema = z.object({
  id: PlatformIdSchema,
  member_name: z.string(),
  permission: LegacyPermissionSchema,
  group: GroupSchema,
  special_title: z.string().default(''),
})

/** What a platform says about a message that it took. */
export const MessageResultSchema = z.object({ message_id: orNull(PlatformIdSchema), raw: orNull(JsonObjectSchema) })

/** One line of an adapter's log. */
export const EventLogSchema = z.object({
  seq_id: IntegerIdSchema,
  timestamp: IntegerSchema,
  level: LogLevelSchema,
  text: z.string(),
  images: orNull(z.array(z.string())),
  message_session_id: orNull(z.string()),
})
