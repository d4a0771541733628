import * as z from 'zod'
import { recordTypes } from './dns/records.ts'
import { instant } from './kit.ts'
import {
  address,
  charset,
  collation,
  databaseName,
  databasePassword,
  databaseUsername,
  domain,
  packageName,
  phpVersion,
  servedName,
  sitePath,
  spoolFile,
  sshKeyBody,
  sshKeyType,
  tableName,
  transferKey,
  transferName,
  username,
} from './values.ts'
import { lane } from './workflows.ts'

/**
 * What a managed server can be asked. There is no "run a command": an operation that is not in this list does not exist.
 * `run` makes it so, `undo` takes it back; both may be repeated without harm.
 */

/** The systemd slice of an account: memory in MiB, CPU in percent of one core, tasks as a count. */
export const limits = z.object({
  memoryMb: z.int().min(16).max(1_048_576),
  cpuPercent: z.int().min(1).max(12_800),
  tasks: z.int().min(4).max(65_536),
})

/** What a website's own services are called by: its name may change, its number never. */
const websiteId = z.int().min(1).max(2_147_483_647)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The actions that took something into the trash, newest first: what the first of them took is meant. */
const taken = z.array(z.int().min(1)).min(1).max(200)
/** Days that it stays there at most; people may have it sooner taken away for good. */
const keepDays = z.int().min(1).max(3650).optional()

/** A file below a website's folder and what it held when it was seen. No name leaves the folder or has a line break. */
export const seenFile = z.object({
  within: z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\p{C}\p{Zl}\p{Zp}]{1,400}$/su),
  sha256,
})

/** What a website answers to beside its own name: `aliases` as itself, `redirects` with a 301 to its own name. */
/** `noindex`: search engines are told to stay away. */
const names = {
  aliases: z.array(servedName).max(300),
  redirects: z.array(servedName).max(300).optional(),
  noindex: z.boolean().optional(),
}

/** What a website answers: itself; 503 with a page; `moved`: what another server of ours answers, asked by this one. */
const siteState = z.enum(['active', 'suspended', 'maintenance', 'moving', 'moved'])

/** A folder below the home of an account: read or written as that account, never as root. */
const place = { username, path: sitePath }
/** Where the agent of another server has opened a transfer, and the key that both ends of it know. */
const opened = { transfer: transferName, token: transferKey, address, port: z.int().min(1).max(65_535) }
const serial = z.int().min(0).max(4_294_967_295)
/** A name in a zone, whole and without its last dot: `_dmarc.example.org`, `*.example.org`. */
const owner = z.string().regex(/^(?=.{1,253}$)(?:\*\.)?[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/)
/** All records of one name and type, as the name server writes them; none: the set goes. */
const recordSet = z.object({
  owner,
  recordType: z.enum(recordTypes),
  ttl: z.int().min(1).max(2_419_200),
  contents: z.array(z.string().regex(/^[ -~]{1,40000}$/)).max(201),
})
/** 32 bytes in base64: what name servers sign their transfers with (TSIG, HMAC-SHA256). */
const zoneKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)

/** The number of a copy: the website that it is. */
const copy = z.int().min(1).max(2_147_483_647)

export const operations = {
  /** Debian packages are there; says each line of apt. Undo leaves them: others may need them. */
  'packages.ensure': z.object({ packages: z.array(packageName).min(1).max(200) }),
  /** nginx answers on port 80, refuses unknown names and shows its generation on a local address. */
  'nginx.ensure': z.object({}),
  /** php-fpm of a version runs and survives a bad pool. */
  'php.ensure': z.object({ phpVersion }),
  /** One more PHP on this machine, beside those that are there; `repository`: where to look besides its own sources. */
  'php-version.ensure': z.object({
    phpVersion,
    repository: z
      .object({
        uri: z.url({ protocol: /^https$/ }).regex(/^[A-Za-z0-9:/._~-]+$/),
        suite: z.string().regex(/^[a-z][a-z-]{1,40}$/),
        key: z.url({ protocol: /^https$/ }).regex(/^[A-Za-z0-9:/._~-]+$/),
      })
      .optional(),
  }),
  /** nginx keeps what an origin answers: a cache that websites of an edge share. */
  'nginx-cache.ensure': z.object({ maxSizeMb: z.int().min(64).max(4_194_304) }),
  /** PowerDNS answers on port 53, its API on loopback alone, and gives zones to nobody who is not named. */
  'powerdns.ensure': z.object({}),
  /** MariaDB by its socket; `network`: web servers reach it too, root and anonymous accounts do not. */
  'mariadb.ensure': z.object({ listen: z.enum(['loopback', 'network']) }),
  'postgresql.ensure': z.object({ listen: z.enum(['loopback', 'network']) }),
  /** Postfix takes mail for its own domains and relays for nobody who has not signed in. */
  'postfix.ensure': z.object({}),
  /** Dovecot: IMAP, POP3, delivery and sign-in, over TLS for everybody but this machine. */
  'dovecot.ensure': z.object({}),
  /** restic, and a place for repositories that root alone may read. */
  'restic.ensure': z.object({}),

  /**
   * The primary has these sets of a zone at this serial. `whole`: these and no others, and the zone is made where it is
   * not there; else all others stay. A serial that the zone has passed already changes nothing.
   */
  'dns-zone.ensure': z.object({
    domain,
    serial,
    whole: z.boolean(),
    sets: z.array(recordSet).max(20_000),
    nameServer: domain,
    hostmaster: domain,
    signed: z.boolean(),
    secondaries: z.array(address).max(20),
    zoneKey,
  }),
  /** A secondary has the zone from its primary, and has come to this serial. */
  'dns-zone.fetch': z.object({ domain, serial, primary: address, zoneKey }),
  /** Neither a primary nor a secondary answers the zone any more. */
  'dns-zone.remove': z.object({ domain }),
  /** Which of these zones this name server has otherwise, by serial and digest; which of `absent` it still has. */
  'dns-zones.compare': z.object({
    zones: z.array(z.object({ domain, serial, digest: z.string().regex(/^[0-9a-f]{32}$/) })).max(500),
    absent: z.array(domain).max(500),
  }),
  /** A live look, in the read lane: what this name server has of a zone. */
  'dns-zone.read': z.object({ domain }),

  'system-user.ensure': z.object({ username, limits }),
  'system-user.remove': z.object({ username, keepDays }),
  /** The account with its ids, home and limits, out of the trash; undo puts it back there. */
  'system-user.restore': z.object({ username, taken, keepDays }),
  'document-root.ensure': z.object({ username, path: sitePath, domain }),
  /** Moved aside into a trash of the server, from where undo brings it back. */
  'document-root.remove': z.object({ username, path: sitePath, domain, keepDays }),
  'document-root.restore': z.object({ username, path: sitePath, domain, taken, keepDays }),
  /** The website's folder gets the name of its new domain, and the old one leads there until it is unlinked. */
  'document-root.rename': z.object({ username, path: sitePath, domain, newDomain: domain }),
  /** The way from an old folder's name to the new one ends. */
  'document-root.unlink': z.object({ username, path: sitePath, domain }),
  /** `from` is written as `to` in these files, each as it was seen; undo writes them back where nobody changed them since. */
  'website-files.replace': z.object({
    username,
    path: sitePath,
    from: domain,
    to: domain,
    files: z.array(seenFile).max(200),
  }),
  /**
   * The folder of a website becomes what another one is, each read and written as its own account. Symlinks that lead out
   * of it, and what is neither file nor folder, are left out and named. What there was is kept under the number of the copy.
   */
  'document-root.copy': z.object({ ...place, copy, from: z.object(place) }),
  /** The databases in the files of known applications become others; what else names them is found and left. */
  'site-config.adapt': z.object({
    ...place,
    databases: z
      .array(z.object({ was: databaseName, name: databaseName, user: databaseUsername, password: databasePassword }))
      .max(50),
  }),
  /** The folder takes what another one has, but its own configuration; what it was goes into the trash, whole. */
  'document-root.merge': z.object({ ...place, from: z.object(place), keepDays }),
  /** What it was before a merge, out of the trash. */
  'document-root.revert': z.object({ ...place, taken, keepDays }),
  'php-pool.ensure': z.object({
    username,
    phpVersion,
    /** `hold`: what PHP mails stays in a folder of the account. Absent: it goes out. */
    mail: z.enum(['send', 'hold']).optional(),
    maxChildren: z.int().min(1).max(256),
    memoryLimitMb: z.int().min(16).max(16_384),
  }),
  'php-pool.remove': z.object({ username, phpVersion }),
  'nginx-site.ensure': z.object({
    domain,
    ...names,
    root: sitePath,
    username,
    phpVersion,
    state: siteState,
    /** What undo returns to; absent: the site was not there before. */
    before: siteState.optional(),
    /** Of the server that a website has moved to: needed where `state` or `before` is `moved`. */
    movedTo: address.optional(),
    /** And with which PHP; absent: the same. */
    beforePhp: phpVersion.optional(),
    /** And under which names, in which folder; absent: the same. */
    beforeNames: z.object(names).optional(),
    beforeRoot: sitePath.optional(),
  }),
  /** Served under its own name from now on, and no more under `from`; its logs go along. */
  'nginx-site.rename': z.object({
    domain,
    ...names,
    root: sitePath,
    username,
    phpVersion,
    state: siteState,
    from: domain,
    beforeNames: z.object(names),
    beforeRoot: sitePath,
  }),
  'nginx-site.remove': z.object({
    domain,
    username,
    root: sitePath,
    phpVersion,
    ...names,
    /** Where it hands on to, so that undo can have it do so again. */
    movedTo: address.optional(),
    keepDays,
  }),
  /** A MariaDB database. Undo takes away one that this made, its dump into the trash. */
  'database.ensure': z.object({ name: databaseName, charset, collation }),
  /** Dumped into the trash of the server, then dropped; undo loads it again. */
  'database.remove': z.object({ name: databaseName, keepDays }),
  'database.restore': z.object({ name: databaseName, taken, keepDays }),
  /** An account that comes from this machine alone, with exactly these rights. Without a password: as it is. */
  'database-user.ensure': z.object({
    user: databaseUsername,
    password: databasePassword.optional(),
    grants: z.array(z.object({ database: databaseName, privileges: z.enum(['all', 'read']) })).max(100),
    locked: z.boolean(),
  }),
  'database-user.remove': z.object({ user: databaseUsername, keepDays }),
  'database-user.restore': z.object({ user: databaseUsername, taken, keepDays }),
  /** Into a file of the spool folder; answers its sha256 and the rows of each table, as they are in it. */
  'database.dump': z.object({
    name: databaseName,
    file: spoolFile,
    tables: z.array(tableName).min(1).max(1000).optional(),
  }),
  /**
   * The database becomes what the dump is; `tables`: these alone, the rest stays. What was there is dumped first, into
   * `keep` of the spool folder, from where undo loads it. `definer`: views, triggers and routines run as this account;
   * absent: as those that the dump names, and it is refused where one of them is not there.
   */
  'database.load': z.object({
    name: databaseName,
    file: spoolFile,
    sha256: sha256.optional(),
    definer: databaseUsername.optional(),
    tables: z.array(tableName).min(1).max(1000).optional(),
    keep: spoolFile.optional(),
    /** The file is needed no more afterwards: it goes. */
    spent: z.boolean().optional(),
  }),
  /** What is in it: tables, rows, bytes, who its views run as. `deep`: counted and summed, not estimated. */
  'database.inspect': z.object({ name: databaseName, deep: z.boolean() }),
  /** The logs of a website, out of the trash. */
  'website-logs.restore': z.object({ domain, taken, keepDays }),
  /** What these actions took into the trash goes for good. */
  'trash.purge': z.object({ taken }),

  /**
   * Folders and dumps of this server may be read by whoever has the key, for so many minutes, also after this agent was
   * restarted: one client at a time, over TLS. Answers the port. Undo ends it.
   */
  'transfer.open': z.object({
    transfer: transferName,
    token: transferKey,
    minutes: z.int().min(1).max(1440),
    folders: z.array(z.object(place)).max(100),
    files: z.array(spoolFile).max(200),
  }),
  'transfer.close': z.object({ transfer: transferName }),
  /** The folder `from` of the other server into `path` here; `delta`: and what is not there goes. May be broken off anywhere. */
  'transfer.pull': z.object({
    ...opened,
    ...place,
    from: z.object(place),
    mode: z.enum(['seed', 'delta']),
  }),
  /** Both ends read every file again: nothing may differ. */
  'transfer.verify': z.object({ ...opened, ...place, from: z.object(place) }),
  /** A dump into the spool folder, under the same name; its sha256 has to be this one. */
  'transfer.fetch': z.object({ ...opened, file: spoolFile, sha256 }),
  /** sshd lets accounts of websites in to their files and to nothing else, and only those that `sftp-access` names. */
  'sftp.ensure': z.object({}),
  /** Who signs in to an account: these keys, a password. Off: nobody, and whoever is signed in is sent away. */
  'sftp-access.ensure': z.object({
    username,
    state: z.enum(['active', 'suspended']),
    keys: z
      .array(
        z.object({
          type: sshKeyType,
          body: sshKeyBody,
          /** UTC, `20261121140240Z`. */
          expires: z
            .string()
            .regex(/^\d{14}Z$/)
            .optional(),
        }),
      )
      .max(50),
    /** A new one; null: none. Absent: as it was. */
    signInPassword: z
      .string()
      .regex(/^[A-Za-z0-9]{16,64}$/)
      .nullable()
      .optional(),
  }),
  /** The own Redis of a website, by a socket that its account alone may open. Undo goes back to the one before, or to none. */
  'redis.ensure': z.object({
    websiteId,
    username,
    memoryMb: z.int().min(16).max(1_048_576),
    /** `suspended`: kept, and not running. */
    state: z.enum(['active', 'suspended']),
    /** Its websites ask this one, which learns of an extension that has just come. */
    phpVersion: phpVersion.optional(),
  }),
  'redis.remove': z.object({ websiteId, username }),

  /** The agent that the control plane hands out takes the place of this one, and gives it back if it does not check in. */
  'agent.update': z.object({
    version: z.string().regex(/^[0-9]+\.[0-9]+\.[0-9]+[a-z0-9.-]{0,20}$/),
    agent: sha256,
    node: z.object({ x64: sha256.optional(), arm64: sha256.optional() }),
  }),

  /** What an account uses now: its home's MiB and files, its slice's memory and tasks. */
  'system-user.usage': z.object({ username }),
  /**
   * What a move of these folders takes, or would find here: bytes and files of each, what is free below /home, the modules
   * of a PHP (none: it is not there).
   */
  'migration.look': z.object({ phpVersion, folders: z.array(z.object(place)).max(100) }),
  /** What the Redis of a website says of itself, asked as its account. */
  'redis.status': z.object({ websiteId, username }),
  /** Since a copy was made of it: which files came, went and are others. */
  'document-root.changes': z.object({ ...place, copy }),
  /** What PHP mailed and was held, newest first. */
  'held-mail.list': z.object({ username }),
  /** A live look, in the read lane: disk, load, services. Leaves no row behind. */
  'server.inspect': z.object({}),
  /** Text files of a website that contain a name: what writing another one there would make of them. Looks and changes nothing. */
  'website-files.search': z.object({ username, path: sitePath, from: domain, to: domain }),
  /** The last lines of a website's own logs. */
  'website.log-lines': z.object({ domain, kind: z.enum(['access', 'error']), lines: z.int().min(1).max(500) }),
} as const satisfies Record<string, z.ZodObject>
export type OperationName = keyof typeof operations
export type OperationInput<N extends OperationName> = z.output<(typeof operations)[N]>

// --- the agents' door --------------------------------------------------------------------------------------------

const id = z.int().min(1)
/** An operation is (action, attempt): an older attempt's answer is refused. */
export const operation = z.object({ id, attempt: z.int().min(1) })

export const Op = operation.extend({
  name: z.string(),
  /** Work on one subject (`website:12`) is done one at a time. */
  subject: z.string(),
  lane,
  task: z.enum(['run', 'undo']),
  /** The last attempt gave no sign of life: look before acting. */
  inspect: z.boolean(),
  input: z.record(z.string(), z.unknown()),
})
export type Op = z.output<typeof Op>

export const Answer = operation.extend({
  status: z.enum(['done', 'failed', 'blocked', 'unknown']),
  output: z.unknown().optional(),
  reason: z.string().max(4000).optional(),
})
export type Answer = z.output<typeof Answer>

/** A line of progress; at most 256 chunks of 4,096 characters an attempt. `at` in ms since the epoch. */
export const Chunk = operation.extend({ seq: z.int().min(0), at: z.number(), text: z.string().max(4096) })
export type Chunk = z.output<typeof Chunk>

export const Service = z.object({
  name: z.string().max(64),
  version: z.string().max(64).nullable(),
  state: z.enum(['active', 'inactive', 'failed', 'activating', 'unknown']),
  detail: z.string().max(200).nullable(),
  /** Since when it is in that state; older agents do not say. */
  since: instant.nullish(),
})
export type Service = z.output<typeof Service>

/** Bytes, cores, seconds; load over one minute. */
export const Heartbeat = z.object({
  agentVersion: z.string().max(40),
  /** sha256 of its file; older agents do not say. */
  build: sha256.optional(),
  os: z.string().max(80),
  arch: z.enum(['x64', 'arm64']),
  operations: z.array(z.string().max(64)).max(500),
  uptime: z.number().min(0),
  cores: z.int().min(1),
  load: z.number().min(0),
  memory: z.object({ total: z.number(), used: z.number() }),
  disk: z.object({ total: z.number(), used: z.number() }),
  services: z.array(Service).max(100),
  addresses: z.array(address).max(50),
  /** What this machine cannot enforce, such as slices without systemd. */
  notEnforced: z.array(z.string().max(80)).max(20),
})
export type Heartbeat = z.output<typeof Heartbeat>

/** POST bodies and answers of the agents' door, by path. All but `enrol` carry the credential as a bearer. */
export const door = {
  '/agent/enrol': {
    body: z.object({
      token: z.string().max(200),
      credential: z.string().min(32).max(200),
      hostname: z.string().max(255),
    }),
    returns: z.object({ serverId: id, name: z.string() }),
  },
  '/agent/claim': {
    body: z.object({
      lane,
      free: z.int().min(1).max(64),
      /** All that the agent knows of and has not told the end of: whatever else runs in the lane never came to it. */
      held: z.array(operation).max(1000).optional(),
    }),
    /** `waited`: ms from the request's arrival to the claim, so that asked + waited + lease is never past its true end. */
    returns: z.object({ ops: z.array(Op), waited: z.number(), leaseMs: z.int() }),
  },
  '/agent/report': {
    body: z.object({
      held: z.array(operation).max(200),
      chunks: z.array(Chunk).max(200),
      answers: z.array(Answer).max(200),
    }),
    returns: z.object({ gone: z.array(operation), accepted: z.array(id) }),
  },
  '/agent/heartbeat': { body: Heartbeat, returns: z.object({ version: z.string() }) },
} as const
export type DoorPath = keyof typeof door
export type DoorBody<P extends DoorPath> = z.input<(typeof door)[P]['body']>
export type DoorAnswer<P extends DoorPath> = z.output<(typeof door)[P]['returns']>
