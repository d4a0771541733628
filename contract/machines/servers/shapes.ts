import * as z from 'zod'
import { Service } from '../../agent/door.ts'
import { instant, stored } from '../../kit/endpoint.ts'

export const serverTypes = ['web', 'dns', 'database', 'mail', 'cdn', 'xdn', 'backup', 'all-in-one', 'adopted'] as const
export const serverType = z.enum(serverTypes)
/** Desired status, set by people. */
export const serverStatus = z.enum(['up', 'down'])
/** Observed status, from the agent's heartbeats. */
export const observed = z.enum(['online', 'stale', 'offline', 'unknown'])
/** Services that an agent can set up. */
export const serviceName = z.enum([
  'nginx',
  'apache',
  'php-fpm',
  'powerdns',
  'mariadb',
  'postgresql',
  'postfix',
  'dovecot',
  'pure-ftpd',
  'redis',
  'restic',
])
export type ServiceName = z.output<typeof serviceName>
/** Web servers. A server has one of them, because both use port 80; server types list `nginx` for either. */
export const webServers = ['nginx', 'apache'] as const
export const webServer = z.enum(webServers)
export type WebServer = z.output<typeof webServer>
export const webServerTitles: Readonly<Record<WebServer, string>> = { nginx: 'nginx', apache: 'Apache' }
/** Services that a server type may list. */
export const typeService = serviceName.exclude(['apache'])
/** Beginning of a line of `notEnforced`, on servers that measure the disk usage of accounts but cannot limit it. */
export const diskMeasured = 'disk limits of system users'
/** Memory and disk in bytes, CPU in cores, times in seconds. */
export const Load = z.object({
  at: instant,
  load: z.number(),
  cores: z.int(),
  memory: z.object({ total: z.number(), used: z.number() }),
  disk: z.object({ total: z.number(), used: z.number() }),
})
export type Load = z.output<typeof Load>

export const Server = z.object({
  ...stored,
  name: z.string(),
  address: z.string().nullable(),
  type: serverType,
  status: serverStatus,
  observed,
  lastSeenAt: instant.nullable(),
  acceptsNew: z.boolean(),
  /** Null: the server type has no web server. */
  webServer: webServer.nullable(),
  note: z.string().nullable(),
  agentVersion: z.string().nullable(),
  /** True: the agent's version differs from the version that this control plane offers. */
  agentSkew: z.boolean(),
  os: z.string().nullable(),
  uptime: z.number().nullable(),
  /** Services of the server type, and services that the agent found. */
  servicesWanted: z.array(z.string()),
  services: z.array(Service),
  phpVersions: z.array(z.string()),
  notEnforced: z.array(z.string()),
  load: Load.nullable(),
  websites: z.int(),
  provisioned: z.boolean(),
})
export type Server = z.output<typeof Server>
/** Enrolment command for root, valid once until `expiresAt`. `problem`: why other machines cannot reach Innkeeper. */
export const Enrolment = z.object({
  command: z.string(),
  expiresAt: instant,
  pin: z.string(),
  problem: z.string().nullable(),
})
export type Enrolment = z.output<typeof Enrolment>

export const ServerView = Server.extend({
  enrolledAt: instant.nullable(),
  enrolledBy: z.string().nullable(),
  credential: z.enum(['none', 'valid', 'revoked']),
  /** The last hour, at most one point per minute. */
  trend: z.array(Load),
  statusSetBy: z.string().nullable(),
  statusSetAt: instant.nullable(),
})
export type ServerView = z.output<typeof ServerView>
/** Websites and other objects affected by `down`, shown before it is set. */
export const Impact = z.object({
  websites: z.int(),
  active: z.int(),
  owners: z.int(),
  running: z.int(),
  examples: z.array(z.object({ id: z.int(), domain: z.string() })),
})
export type Impact = z.output<typeof Impact>
/** Progress of the practice servers, or why they are unavailable. */
export const Practice = z.object({
  state: z.enum(['off', 'building', 'booting', 'enrolling', 'ready', 'unable', 'here-offered']),
  text: z.string(),
  done: z.int(),
  total: z.int(),
  previewPort: z.int().nullable(),
  /** True: this node can add another practice server. */
  more: z.boolean(),
})
export type Practice = z.output<typeof Practice>
