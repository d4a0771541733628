import * as z from 'zod'
import { sha256 } from './shapes.ts'

/** Services whose configuration is collected. */
export const configServices = [
  ...(['nginx', 'apache', 'php', 'mariadb', 'postgresql', 'redis', 'powerdns', 'bind', 'postfix', 'dovecot'] as const),
  ...(['ftp', 'ssh', 'nftables', 'tls', 'accounts', 'cron', 'system'] as const),
] as const
export const configService = z.enum(configServices)
export type ConfigService = z.output<typeof configService>

/** Path of a configuration file: below /etc or among the crontabs, without `..`, control characters or line breaks. */
export const configPath = z
  .string()
  .max(500)
  .regex(/^\/(?:etc|var\/spool\/cron\/crontabs)(?:\/(?!\.{1,2}(?:\/|$))[^/\p{C}\p{Zl}\p{Zp}\ufffd]+)+$/u)
/** Name of an account or a group, or its number. */
const ownerName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/)
const linkTarget = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}\ufffd]+$/u)

/** Who or what wrote a file. `unknown`: it is older than the first collection and matches no package. */
export const configAuthors = ['innkeeper', 'person', 'package', 'unknown'] as const
export const configAuthor = z.enum(configAuthors)
export type ConfigAuthor = z.output<typeof configAuthor>

/** Why a file is collected by its checksum only. */
export const hiddenKinds = ['secret', 'binary', 'large'] as const
export const configHidden = z.enum(hiddenKinds)

/**
 * A collected file or symlink. `hash`: sha256 of the collected text with secrets masked, or of the target of a symlink;
 * null if not even a checksum may leave the machine. `seal`: checksum of a content with secrets, computed with a key
 * that never leaves the machine.
 */
export const ConfigFile = z.object({
  path: configPath,
  service: configService,
  kind: z.enum(['file', 'link']),
  hash: sha256.nullable(),
  seal: sha256.nullable(),
  hidden: configHidden.nullable(),
  size: z.int().min(0),
  mode: z.int().min(0).max(0o7777),
  owner: ownerName,
  group: ownerName,
  target: linkTarget.nullable(),
  by: configAuthor,
  /** The package that ships the file. */
  package: z.string().max(100).nullable(),
  changedAt: z.iso.datetime(),
})
export type ConfigFile = z.output<typeof ConfigFile>

/** One page of the files of a server, ordered by path. `skipped`: files whose names cannot be shown. */
export const ConfigListing = z.object({
  files: z.array(ConfigFile),
  skipped: z.int().min(0),
  next: configPath.nullable(),
})
/** Contents by path, in base64, except files whose hash has changed. `rest`: paths for a further request. */
export const ConfigContents = z.object({
  contents: z.array(z.object({ path: configPath, hash: sha256, content: z.base64() })),
  rest: z.array(configPath),
  gone: z.array(z.object({ path: configPath, by: configAuthor })),
})

/** A file of a version that a reset restores. */
export const ResetFile = ConfigFile.pick({
  ...{ path: true, kind: true, hash: true, seal: true, mode: true, owner: true, group: true, target: true },
}).extend({
  /** Base64; null for a symlink, and if only the machine has the content. */
  content: z.base64().max(200_000).nullable(),
})
/** Reason for a file that differs and was collected without its content. */
export const NO_CONTENT = 'Only its checksum was collected'
const reset = z.object({
  service: configService,
  files: z.array(ResetFile).max(500),
  /** Files that the version does not have. */
  remove: z.array(configPath).max(500),
})

/** What a reset does with a file. `kept`: left as it is, with the reason. */
export const ResetPreview = z.object({
  files: z.array(
    z.object({
      path: configPath,
      act: z.enum(['write', 'create', 'remove', 'same', 'kept']),
      reason: z.string().max(300).nullable(),
    }),
  ),
  /** Effect on the service: reloaded, restarted or none. */
  effect: z.string().max(200),
})

/** Operations on the configuration of all services of a machine. */
export const configsOperations = {
  /** Answers path, checksum and author of each file, without contents. Reads only. */
  'configs.list': z.object({ after: configPath.optional() }),
  /** Answers contents with secrets masked, and who deleted missing files. Reads only. */
  'configs.read': z.object({
    files: z.array(z.object({ path: configPath, hash: sha256 })).max(200),
    gone: z.array(configPath).max(200),
  }),
  /** Answers what a reset would do. Reads only. */
  'configs.preview': reset,
  /**
   * Restores files of a service, runs the service's own check, reloads and probes the service. On any failure, restores
   * the previous files. Undo restores them as well.
   */
  'configs.reset': reset,
} as const
