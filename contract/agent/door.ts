import * as z from 'zod'
import { instant } from '../kit.ts'
import { address } from '../values.ts'
import { lane } from '../workflows.ts'
import { sha256 } from './shapes.ts'

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
  notEnforced: z.array(z.string().max(160)).max(20),
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
