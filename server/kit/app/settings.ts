import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { contradictionIn } from './contradictions.ts'
import { beginKeyFile } from './keyFile.ts'
import { isCheckout, serverFolder } from './serverFolder.ts'
import { type WatchSettings, watchEnvironment, watchOf } from './watchSettings.ts'

const repository = dirname(serverFolder)
const port = z.coerce.number().int().min(0).max(65_535)

export const letsEncrypt = {
  production: 'https://acme-v02.api.letsencrypt.org/directory',
  staging: 'https://acme-staging-v02.api.letsencrypt.org/directory',
}

const SHORTEST_KEY = 16
const agentAddress = /^([a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:]{2,45}\])(:\d{1,5})?$/i

const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'postgres://…')
  .refine((url) => URL.canParse(url), 'not a URL: special characters of a password are written as %40 and the like')

const environment = z.object({
  PORT: port.default(4400),
  HOST: z.string().default('0.0.0.0'),
  DATABASE_URL: postgresUrl.optional(),
  /** A role that owns the tables: the role of DATABASE_URL then cannot change the action log. */
  DATABASE_OWNER_URL: postgresUrl.optional(),
  /** A standby of DATABASE_URL that answers lists. */
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  INNKEEPER_DATA: z.string().default(join(repository, 'data')),
  INNKEEPER_ADMIN_PASSWORD: z.string().min(8).optional(),
  INNKEEPER_KEY: z.string().min(SHORTEST_KEY).optional(),
  /** File with the key, instead of INNKEEPER_KEY. The units of the package use it for a credential of systemd. */
  INNKEEPER_KEY_FILE: z.string().min(1).optional(),
  INNKEEPER_PRACTICE: z.enum(['on', 'off', 'here']).optional(),
  /** Address on which agents are listened for; default: HOST. */
  INNKEEPER_AGENT_HOST: z.string().min(1).optional(),
  INNKEEPER_AGENT_PORT: port.optional(),
  INNKEEPER_PREVIEW_PORT: port.optional(),
  /** Host name or address of Innkeeper for managed servers; default: the host that the browser used. */
  INNKEEPER_PUBLIC_HOST: z
    .string()
    .regex(/^[a-z0-9.:[\]-]{1,253}$/i, 'a host name or address without https:// and without a path')
    .optional(),
  /** Certificate chain as a PEM file, or `acme`. Innkeeper then serves https on PORT. */
  INNKEEPER_CERTIFICATE: z.string().min(1).optional(),
  INNKEEPER_CERTIFICATE_KEY: z.string().min(1).optional(),
  /** Port that leads http to https, and answers the certificate authority. */
  INNKEEPER_HTTP_PORT: port.optional(),
  /** Port of a worker for /healthz, /readyz and /metrics, on the loopback address alone. */
  INNKEEPER_WORKER_PORT: port.optional(),
  /** How many seconds a stopping node still takes requests, so that balancers learn of the stop from /readyz. */
  INNKEEPER_DRAIN_SECONDS: z.coerce.number().min(0).max(600).default(0),
  /** How many seconds a stop may take while requests are running. */
  INNKEEPER_STOP_SECONDS: z.coerce.number().min(1).max(3600).default(1.9),
  /** Addresses at which agents reach the agents' port: all nodes, or one that balances. The port is optional. */
  INNKEEPER_AGENT_ADDRESSES: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
    .refine(
      (list) => list.length <= 50 && list.every((one) => agentAddress.test(one)),
      'as node1.example.com,node2.example.com:4443',
    ),
  /** Addresses and networks of proxies whose X-Forwarded headers are trusted. */
  INNKEEPER_TRUST_PROXY: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
    .refine((list) => list.every(isNetwork), 'addresses or networks of your proxies, as 10.0.0.5,192.168.0.0/24'),
  /** Private addresses and networks that hosts named by people may have. Default: loopback with practice servers. */
  INNKEEPER_PRIVATE_TARGETS: z
    .string()
    .transform((list) => list.split(',').flatMap((one) => one.trim() || []))
    .refine((list) => list.every(isNetwork), 'addresses or networks, as 10.0.0.5,192.168.0.0/24')
    .optional(),
  /** File with the end of the action log; default: in the data folder. */
  INNKEEPER_LOG_ANCHOR: z.string().min(1).optional(),
  INNKEEPER_METRICS_TOKEN: z.string().min(16).optional(),
  INNKEEPER_LOG: z.enum(['debug', 'info', 'warn', 'error', 'silent']).optional(),
  /** S3-compatible storage instead of the data folder: required if several nodes share no folder. */
  INNKEEPER_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  INNKEEPER_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'a bucket name')
    .optional(),
  INNKEEPER_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'as us-east-1')
    .default('us-east-1'),
  INNKEEPER_S3_KEY: z.string().min(1).optional(),
  INNKEEPER_S3_SECRET: z.string().min(1).optional(),
  /** Package repository for PHP versions that the servers' package sources lack; empty: none. */
  INNKEEPER_PHP_REPOSITORY: z
    .union([z.url({ protocol: /^https$/ }), z.literal('')])
    .default('https://packages.sury.org/php/'),
  /**
   * Directory URL of the certificate authority. Default: Let's Encrypt; with the embedded database the staging
   * directory of Let's Encrypt.
   */
  INNKEEPER_ACME: z.url({ protocol: /^https$/ }).optional(),
  /** PEM file with the root certificate of the directory, if that root is not a public one. */
  INNKEEPER_ACME_CA: z.string().min(1).optional(),
  /** Address of the resolver for preflight checks, with a port if not 53. Default: the resolver of this machine. */
  INNKEEPER_RESOLVER: z
    .string()
    .regex(/^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\])(:\d{1,5})?$/, 'as 10.0.0.53 or [2001:db8::53]:5353')
    .optional(),
  /** Days during which a deleted website can be restored. */
  INNKEEPER_TRASH_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  INNKEEPER_NAME: z.string().max(60).default('this provider'),
  ...watchEnvironment,
})

export interface Settings extends WatchSettings {
  port: number
  host: string
  /** Address on which agents are listened for. */
  agentHost: string
  agentPort: number
  previewPort: number
  publicHost?: string
  /** Innkeeper serves https by itself, with this certificate. */
  https?: { certificate: string; key: string } | 'acme'
  httpPort?: number
  workerPort?: number
  drainSeconds: number
  stopSeconds: number
  /** Addresses of the agents' ports of all nodes: `https://node1.example.com:4443`. Empty: the one that was asked. */
  agentAddresses: string[]
  dataDir: string
  /** `postgres://…`, or the folder of the embedded database. */
  database: string
  embedded: boolean
  /** `postgres://…` of a standby that answers lists. */
  replica?: string
  adminPassword?: string
  key: string
  /** The file data/key with the key; undefined if a setting names the key. */
  keyFile?: string
  practice: 'on' | 'off' | 'here'
  /** Addresses and networks of trusted proxies. */
  trustProxy: string[]
  /** Private addresses and networks that hosts named by people may have. */
  privateTargets: string[]
  metricsToken?: string
  /** File with the anchored end of the action log. */
  logAnchor: string
  logLevel: string
  /** S3 storage for files; absent: the data folder. */
  s3?: { endpoint: string; bucket: string; region: string; key: string; secret: string }
  phpRepository?: string
  /** Directory URL of the certificate authority. */
  acme: string
  /** PEM of its root certificate, if that root is not a public one. */
  acmeCa?: string
  resolver?: string
  trashDays: number
  provider: string
  roles: Set<'api' | 'worker'>
  repository: string
}

/** Reads the environment and `--role=api,worker`. Throws an Error that names the invalid setting. */
export function readSettings(env: NodeJS.ProcessEnv = process.env, argv = process.argv.slice(2)): Settings {
  const read = environment.safeParse(env)
  if (!read.success) throw new Error(read.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('\n'))
  const s = read.data
  const { values } = parseArgs({
    args: argv,
    options: { role: { type: 'string', default: 'api,worker' } },
    strict: true,
  })
  const roles = z.array(z.enum(['api', 'worker'])).safeParse(values.role.split(','))
  if (!roles.success) throw new Error('--role takes api, worker or both')
  const embedded = s.DATABASE_URL === undefined
  if (embedded && roles.data.length < 2)
    throw new Error('--role needs DATABASE_URL: the embedded database allows one process')
  const key = s.INNKEEPER_KEY ?? (s.INNKEEPER_KEY_FILE && keyIn(s.INNKEEPER_KEY_FILE))
  if (!embedded && !key)
    throw new Error('INNKEEPER_KEY is required with DATABASE_URL: all nodes decrypt the same secrets')
  const dataDir = resolve(s.INNKEEPER_DATA)
  const practice = s.INNKEEPER_PRACTICE ?? (embedded && isCheckout ? 'on' : 'off')
  // derived from PORT, so that a second Innkeeper on the machine needs only this setting: 4400 → 4443 and 4480
  const agentPort = s.INNKEEPER_AGENT_PORT ?? (s.PORT && s.PORT + 43)
  const contradiction = contradictionIn({ ...s, INNKEEPER_AGENT_PORT: agentPort })
  if (contradiction) throw new Error(contradiction)
  const { INNKEEPER_CERTIFICATE: certificate, INNKEEPER_CERTIFICATE_KEY: certificateKey } = s
  return {
    port: s.PORT,
    host: s.HOST,
    agentHost: s.INNKEEPER_AGENT_HOST ?? s.HOST,
    agentPort,
    previewPort: s.INNKEEPER_PREVIEW_PORT ?? (s.PORT && s.PORT + 80),
    publicHost: s.INNKEEPER_PUBLIC_HOST,
    ...(certificate === 'acme' && { https: certificate }),
    ...(certificate && certificateKey && { https: { certificate, key: certificateKey } }),
    ...(s.INNKEEPER_HTTP_PORT !== undefined && { httpPort: s.INNKEEPER_HTTP_PORT }),
    ...(s.INNKEEPER_WORKER_PORT !== undefined && { workerPort: s.INNKEEPER_WORKER_PORT }),
    drainSeconds: s.INNKEEPER_DRAIN_SECONDS,
    stopSeconds: s.INNKEEPER_STOP_SECONDS,
    agentAddresses: s.INNKEEPER_AGENT_ADDRESSES.map(
      (one) => `https://${/:\d+$/.test(one) ? one : `${one}:${agentPort}`}`,
    ),
    dataDir,
    database: s.DATABASE_URL ?? join(dataDir, 'db'),
    embedded,
    ...(s.DATABASE_REPLICA_URL && { replica: s.DATABASE_REPLICA_URL }),
    adminPassword: s.INNKEEPER_ADMIN_PASSWORD,
    ...(key ? { key } : { key: keyOf(dataDir), keyFile: join(dataDir, 'key') }),
    practice,
    trustProxy: s.INNKEEPER_TRUST_PROXY,
    privateTargets: s.INNKEEPER_PRIVATE_TARGETS ?? (practice === 'off' ? [] : ['127.0.0.0/8', '::1']),
    metricsToken: s.INNKEEPER_METRICS_TOKEN,
    logAnchor: s.INNKEEPER_LOG_ANCHOR ?? join(dataDir, 'action-log.anchor'),
    logLevel: s.INNKEEPER_LOG ?? (embedded ? 'warn' : 'info'),
    s3: s3Of(s),
    ...(s.INNKEEPER_PHP_REPOSITORY && { phpRepository: s.INNKEEPER_PHP_REPOSITORY }),
    acme: s.INNKEEPER_ACME ?? (embedded ? letsEncrypt.staging : letsEncrypt.production),
    ...(s.INNKEEPER_ACME_CA && { acmeCa: readFileSync(s.INNKEEPER_ACME_CA, 'utf8') }),
    ...(s.INNKEEPER_RESOLVER && { resolver: s.INNKEEPER_RESOLVER }),
    trashDays: s.INNKEEPER_TRASH_DAYS,
    provider: s.INNKEEPER_NAME,
    ...watchOf(s, s.INNKEEPER_PUBLIC_HOST),
    roles: new Set(roles.data),
    repository,
  }
}

/** Names of all settings, for the page of the operators' documentation. */
export const settingNames: readonly string[] = Object.keys(environment.shape)

/** The key in the file that INNKEEPER_KEY_FILE names. */
function keyIn(file: string): string {
  let key: string
  try {
    key = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(`INNKEEPER_KEY_FILE: ${error instanceof Error ? error.message : error}`)
  }
  if (key.length < SHORTEST_KEY)
    throw new Error(`INNKEEPER_KEY_FILE: ${file} has fewer than ${SHORTEST_KEY} characters`)
  return key
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const widest = isIP(address) === 4 ? 32 : 128
  return isIP(address) > 0 && !more.length && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
}

function s3Of(s: z.output<typeof environment>): Settings['s3'] {
  const { INNKEEPER_S3_ENDPOINT: endpoint, INNKEEPER_S3_BUCKET: bucket } = s
  const { INNKEEPER_S3_KEY: key, INNKEEPER_S3_SECRET: secret, INNKEEPER_S3_REGION: region } = s
  if (!endpoint && !bucket && !key && !secret) return undefined
  if (endpoint && bucket && key && secret) return { endpoint, bucket, region, key, secret }
  throw new Error('INNKEEPER_S3_ENDPOINT, _BUCKET, _KEY and _SECRET are required together')
}

function keyOf(dataDir: string): string {
  const file = join(dataDir, 'key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    beginKeyFile(file, randomBytes(32).toString('base64url'))
  }
  return readFileSync(file, 'utf8').trim()
}
