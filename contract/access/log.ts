import * as z from 'zod'
import { csv, filter, get, id, instant, pageOf, paging, post, whole, words } from '../kit/endpoint.ts'
import { binary } from '../kit/transfer.ts'

export const logResult = z.enum(['success', 'failed', 'denied'])
export type LogResult = z.output<typeof logResult>

/** A row of the action log: who did what, from which address, and with which result. */
export const LogRow = z.object({
  id: z.int(),
  time: instant,
  /** Null: not signed in, for example a failed sign-in. */
  staffId: z.int().nullable(),
  staffName: z.string(),
  service: z.string(),
  action: z.string(),
  resource: z.string().nullable(),
  resourceId: z.string().nullable(),
  /** Name of the object at that time. */
  subject: z.string().nullable(),
  result: logResult,
  /** Changed fields of a changed object, all fields of a created or deleted one, `{ error }` of a failed call. */
  before: z.unknown(),
  after: z.unknown(),
  workflowId: z.int().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Position in the hash chain; null: not sealed yet, which takes about a second. */
  seal: z.int().nullable(),
})
export type LogRow = z.output<typeof LogRow>

/** Progress and result of a verification of the hash chain. */
export const LogCheck = z.object({
  id: z.int(),
  startedAt: instant,
  startedBy: z.string(),
  /** True: the whole chain, not only the rows since the last check. */
  whole: z.boolean(),
  /** Seal positions: start, current, end. */
  from: z.int(),
  position: z.int(),
  upTo: z.int(),
  endedAt: instant.nullable(),
  /** First invalid seal, and the row that it belongs to. */
  broken: z.object({ position: z.int(), rowId: z.int().nullable(), reason: z.enum(['altered', 'missing']) }).nullable(),
})
export type LogCheck = z.output<typeof LogCheck>

export const LogChain = z.object({
  /**
   * Number of sealed rows, which is the position of the last seal, and the hash of that seal, to be stored elsewhere.
   */
  sealed: z.int(),
  hash: z.string().nullable(),
  /** Rows that wait for their seal; at most 1,000. */
  unsealed: z.int(),
  /** The latest check, and the latest successful check of the whole chain. */
  check: LogCheck.nullable(),
  whole: LogCheck.nullable(),
})
export type LogChain = z.output<typeof LogChain>

// no control characters: the database would refuse them after the file download has started
const word = words(64)
/** Filters with the names of the specification (platform §3): lists separated by commas, times with an offset. */
const filters = {
  service_ids: filter(csv(word)),
  actions: filter(csv(word)),
  /** Staff ids; 0: not signed in. */
  agents: filter(csv(whole(0, 2_147_483_647))),
  results: filter(csv(logResult)),
  resources: filter(csv(word)),
  resource_id: filter(words(100)),
  workflow: filter(id),
  /** What happened to a website and to what belongs to it: its databases, certificates, backups. */
  website: filter(id),
  ip: filter(words(45)),
  /** Part of the object's name; with fewer than three letters its beginning. Also the id of a request. */
  text: filter(words(253)),
  start_time: filter(instant),
  end_time: filter(instant),
}
/** `ASC` and `DESC` in `sort` come from the specification; our lists send column and direction. */
const order = { sort: filter(z.enum(['time', 'ASC', 'DESC'])), direction: filter(z.enum(['ASC', 'DESC'])) }
const { itemsPerPage, ...page } = paging(50)

export const log = {
  list: get('/logs', 'logs:action-logs:read', {
    summary: 'Rows of the action log',
    query: { ...page, page_size: itemsPerPage, itemsPerPage: filter(whole(1, 200)), ...order, ...filters },
    returns: pageOf(LogRow),
  }),
  one: get('/logs/:id', 'logs:action-logs:read', { summary: 'One row of the action log', returns: LogRow }),
  newer: get('/logs/newer', 'logs:action-logs:read', {
    summary: 'Number of rows newer than a row, with the same filters; at most 1,000',
    query: { ...filters, than: id },
    returns: z.object({ count: z.int() }),
  }),
  names: get('/logs/names', 'logs:action-logs:read', {
    summary: 'Values for filters: services, actions, resources and people in the log',
    returns: z.object({
      services: z.array(z.string()),
      actions: z.array(z.string()),
      resources: z.array(z.string()),
      staff: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  }),
  file: get('/logs/csv', 'logs:action-logs:read', {
    summary: 'All matching rows as CSV, newest first',
    query: filters,
    returns: binary,
    ticket: {},
  }),
  ticket: post('/logs/csv/tickets', 'logs:action-logs:read', {
    summary: 'Create a ticket, valid once within a minute, with which a browser downloads the CSV file',
    effect: 'read',
    returns: z.object({ ticket: z.string(), expiresAt: instant }),
  }),
  chain: get('/logs/chain', 'logs:action-logs:read', {
    summary: 'State of the hash chain and result of the last check',
    returns: LogChain,
  }),
  verify: post('/logs/chain/checks', 'logs:action-logs:read', {
    summary: 'Verify the hash chain since the last check, or all of it; one check runs at a time',
    body: { whole: z.boolean().optional() },
    status: 202,
    returns: LogCheck,
  }),
}
