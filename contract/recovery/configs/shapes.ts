import * as z from 'zod'
import { ConfigFile, configAuthor, configService, ResetPreview } from '../../agent/configs.ts'
import { instant } from '../../kit/endpoint.ts'

export const configTriggers = ['nightly', 'demand', 'reset'] as const
export const configTrigger = z.enum(configTriggers)
export type ConfigTrigger = z.output<typeof configTrigger>
/** Result of a collection. `partial`: some contents changed while they were read; the next collection has them. */
export const collectionResults = ['success', 'partial', 'failed'] as const
export const collectionResult = z.enum(collectionResults)
/** Area that a reset changes; null: another service, such as the firewall. */
export const resetActions = ['database', 'dns', 'ftp', 'mail', 'ssl', 'system user', 'vhost'] as const
export const resetAction = z.enum(resetActions)
export type ResetAction = z.output<typeof resetAction>
export const resetStatuses = ['pending', 'done', 'failed'] as const
export const resetStatus = z.enum(resetStatuses)
/** The configuration of one service of one server, as collected. A version is made only when a file changed. */
export const ConfigVersion = z.object({
  id: z.int(),
  serverId: z.int(),
  serverName: z.string(),
  /** True: the server was removed, so that nothing can be reset there. */
  serverRemoved: z.boolean(),
  service: configService,
  /** Number of this version among those of the service on this server. */
  number: z.int(),
  collectedAt: instant,
  trigger: configTrigger,
  /** Who or what made the changes since the version before. */
  by: z.array(configAuthor),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  files: z.int(),
  /** Up to five changed paths. */
  paths: z.array(z.string()),
  /** The version that the last collection found on the server. */
  current: z.boolean(),
})
export type ConfigVersion = z.output<typeof ConfigVersion>
const VersionFile = ConfigFile.omit({ service: true }).extend({
  /** The change that made this version. */
  change: z.enum(['added', 'changed', 'same']),
  /** True: a person changed a file that Innkeeper writes. */
  drifted: z.boolean(),
  /** The content can be shown. */
  shown: z.boolean(),
})
export type VersionFile = z.output<typeof VersionFile>
export const ConfigVersionView = ConfigVersion.extend({ items: z.array(VersionFile), before: z.int().nullable() })
export type ConfigVersionView = z.output<typeof ConfigVersionView>

export const ConfigDiff = z.object({
  from: z.object({ id: z.int().nullable(), number: z.int(), collectedAt: instant.nullable() }),
  to: z.object({ id: z.int(), number: z.int(), collectedAt: instant }),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['added', 'changed', 'removed']),
      by: configAuthor,
      package: z.string().nullable(),
      changedAt: instant,
      /** `-` removed, `+` added, ` ` unchanged lines; empty when only the checksum, mode or owner differs. */
      lines: z.array(z.string()),
      /** Differences besides the text: `mode 644 → 600`. */
      notes: z.array(z.string()),
    }),
  ),
})
export type ConfigDiff = z.output<typeof ConfigDiff>

export const ConfigCollection = z.object({
  id: z.int(),
  serverId: z.int(),
  serverName: z.string(),
  trigger: configTrigger,
  by: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
  result: collectionResult,
  problem: z.string().nullable(),
  /** Consecutive failed attempts that this line combines. */
  attempts: z.int(),
  files: z.int(),
  changed: z.int(),
  /** Bytes of new contents that were sent. */
  bytes: z.int(),
  versions: z.int(),
})
export type ConfigCollection = z.output<typeof ConfigCollection>

export const ConfigReset = z.object({
  id: z.int(),
  versionId: z.int(),
  serverId: z.int(),
  serverName: z.string(),
  service: configService,
  number: z.int(),
  action: resetAction.nullable(),
  status: resetStatus,
  files: z.int(),
  startedBy: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
  /** Why the reset failed. A failed reset changes nothing. */
  message: z.string().nullable(),
  workflowId: z.int().nullable(),
  dismissedAt: instant.nullable(),
})
export type ConfigReset = z.output<typeof ConfigReset>

export const ServerConfigs = z.object({
  serverId: z.int(),
  collectedAt: instant.nullable(),
  /** Why the last collection failed. */
  problem: z.string().nullable(),
  /** True: a collection is requested or running. */
  collecting: z.boolean(),
  nextAt: instant.nullable(),
  services: z.array(
    z.object({
      service: configService,
      versionId: z.int(),
      number: z.int(),
      collectedAt: instant,
      files: z.int(),
      drifted: z.int(),
    }),
  ),
  /** Files of Innkeeper that a person changed on the server, at most 50. */
  drift: z.array(z.object({ service: configService, versionId: z.int(), path: z.string(), changedAt: instant })),
})
export type ServerConfigs = z.output<typeof ServerConfigs>
/** Preview of a reset, as the server itself answered. */
export const ResetPlan = ResetPreview.extend({ serverName: z.string(), askedAt: instant })
export type ResetPlan = z.output<typeof ResetPlan>
