import * as z from 'zod'
import { instant } from '../kit/endpoint.ts'
import { address } from '../kit/values.ts'
import { lane } from '../machines/workflows.ts'
import { sha256 } from './shapes.ts'

const id = z.int().min(1)
/** Identifies one attempt of an action. The server refuses answers of older attempts. */
export const operation = z.object({ id, attempt: z.int().min(1) })

export const Op = operation.extend({
  name: z.string(),
  /** Operations with the same subject (`website:12`) run one at a time. */
  subject: z.string(),
  lane,
  task: z.enum(['run', 'undo']),
  /** The last attempt never answered: the driver must inspect the server before it acts. */
  inspect: z.boolean(),
  input: z.record(z.string(), z.unknown()),
  /** `traceparent` of the attempt: the agent then measures its spans. */
  trace: z.string().max(60).optional(),
})
export type Op = z.output<typeof Op>

export const Answer = operation.extend({
  status: z.enum(['done', 'failed', 'blocked', 'unknown']),
  output: z.unknown().optional(),
  reason: z.string().max(4000).optional(),
  /** What the agent measured, each inside the one before, in ms since the epoch. Older control planes ignore it. */
  spans: z
    .array(z.object({ name: z.string().regex(/^[a-z][A-Za-z0-9. -]{0,79}$/), from: z.number(), to: z.number() }))
    .max(10)
    .optional(),
})
export type Answer = z.output<typeof Answer>

/** A line of progress; at most 256 chunks of 4,096 characters per attempt. `at` in ms since the epoch. */
export const Chunk = operation.extend({ seq: z.int().min(0), at: z.number(), text: z.string().max(4096) })
export type Chunk = z.output<typeof Chunk>

export const Service = z.object({
  name: z.string().max(64),
  version: z.string().max(64).nullable(),
  state: z.enum(['active', 'inactive', 'failed', 'activating', 'unknown']),
  detail: z.string().max(200).nullable(),
  /** Since when the service has been in this state. Older agents leave this out. */
  since: instant.nullish(),
  /** Messages in the queue of a mail server. Other services and older agents leave this out. */
  waiting: z.int().min(0).max(1_000_000_000).optional(),
})
export type Service = z.output<typeof Service>

/** Bytes that fit the columns, so that a wrong figure is refused with its field. */
const size = z.number().min(0).max(Number.MAX_SAFE_INTEGER)

/** State of a server: memory and disk in bytes, uptime in seconds, load average over one minute. */
export const Heartbeat = z.object({
  agentVersion: z.string().max(40),
  /** sha256 of the agent's file. Older agents leave this out. */
  build: sha256.optional(),
  os: z.string().max(80),
  arch: z.enum(['x64', 'arm64']),
  operations: z.array(z.string().max(64)).max(500),
  uptime: z.number().min(0),
  cores: z.int().min(1).max(100_000),
  load: z.number().min(0),
  memory: z.object({ total: size, used: size }),
  disk: z.object({ total: size, used: size }),
  services: z.array(Service).max(100),
  addresses: z.array(address).max(50),
  /** Limits that this machine cannot enforce, for example because systemd is missing. */
  notEnforced: z.array(z.string().max(160)).max(20),
})
export type Heartbeat = z.output<typeof Heartbeat>

/** Request bodies and answers of the agent API, by path. All except `enrol` send the credential as a bearer token. */
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
      /**
       * Operations that the agent has received and not finished reporting. The agent never received any other operation
       * of the lane.
       */
      held: z.array(operation).max(1000).optional(),
    }),
    /**
     * `waited`: ms from the arrival of the request to the claim. The agent computes the end of the lease as request
     * time + `waited` + `leaseMs`, which is never later than the server's.
     */
    returns: z.object({ ops: z.array(Op), waited: z.number(), leaseMs: z.int() }),
  },
  '/agent/report': {
    body: z.object({
      held: z.array(operation).max(200),
      chunks: z.array(Chunk).max(200),
      answers: z.array(Answer).max(200),
    }),
    /** `stop`: attempts among `gone` that people stopped. Older control planes leave this out. */
    returns: z.object({ gone: z.array(operation), stop: z.array(operation).optional(), accepted: z.array(id) }),
  },
  '/agent/heartbeat': {
    body: Heartbeat,
    returns: z.object({
      version: z.string(),
      /** Addresses of the agents' ports of all nodes. Empty: none are set. Older control planes leave this out. */
      addresses: z
        .array(z.url({ protocol: /^https$/ }))
        .max(50)
        .optional(),
    }),
  },
} as const
export type DoorPath = keyof typeof door
export type DoorBody<P extends DoorPath> = z.input<(typeof door)[P]['body']>
export type DoorAnswer<P extends DoorPath> = z.output<(typeof door)[P]['returns']>
