import * as z from 'zod'
import { csv, filter, get, id, instant, pageOf, paging, post, whole, words } from './kit.ts'
import { binary } from './transfer.ts'

export const logResult = z.enum(['success', 'failed', 'denied'])
export type LogResult = z.output<typeof logResult>

/** Who did what, from where, and how it ended. */
export const LogRow = z.object({
  id: z.int(),
  time: instant,
  /** Null: nobody who is signed in, as with a sign-in that failed. */
  staffId: z.int().nullable(),
  staffName: z.string(),
  service: z.string(),
  action: z.string(),
  resource: z.string().nullable(),
  resourceId: z.string().nullable(),
  /** What people called the thing then. */
  subject: z.string().nullable(),
  result: logResult,
  /** Of a changed thing the fields that differ, of one that came or went all; `{ error }` of a call that failed. */
  before: z.unknown(),
  after: z.unknown(),
  workflowId: z.int().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Its place in the chain; null: not sealed yet, which takes a second. */
  seal: z.int().nullable(),
})
export type LogRow = z.output<typeof LogRow>

/** How far the chain was walked, and what was found. */
export const LogCheck = z.object({
  id: z.int(),
  startedAt: instant,
  startedBy: z.string(),
  /** From the first seal on, not only what came since the check before. */
  whole: z.boolean(),
  /** Seals: walked from, walked to, and how far there is to walk. */
  from: z.int(),
  position: z.int(),
  upTo: z.int(),
  endedAt: instant.nullable(),
  /** The first seal that does not hold, and the row it is of. */
  broken: z.object({ position: z.int(), rowId: z.int().nullable(), reason: z.enum(['altered', 'missing']) }).nullable(),
})
export type LogCheck = z.output<typeof LogCheck>

export const LogChain = z.object({
  /** Rows that are sealed, which is the number of the last seal; and its hash, to be kept elsewhere. */
  sealed: z.int(),
  hash: z.string().nullable(),
  /** Rows that wait for their seal, at most 1,000. */
  unsealed: z.int(),
  /** The newest check, and the newest that went through from the first seal. */
  check: LogCheck.nullable(),
  whole: LogCheck.nullable(),
})
export type LogChain = z.output<typeof LogChain>

// without control characters: a file would be under way before the database could refuse one
const word = words(64)
/** The spec's names (platform §3): lists joined by commas; times with their offset. */
const filters = {
  service_ids: filter(csv(word)),
  actions: filter(csv(word)),
  /** Staff by id; 0: nobody who is signed in. */
  agents: filter(csv(whole(0, 2_147_483_647))),
  results: filter(csv(logResult)),
  resources: filter(csv(word)),
  resource_id: filter(words(100)),
  workflow: filter(id),
  ip: filter(words(45)),
  /** A part of the name of the thing; below three letters its beginning. Or the id of a request. */
  text: filter(words(253)),
  start_time: filter(instant),
  end_time: filter(instant),
}
/** Of newest first, `ASC` and `DESC` are the spec's; our lists say the column and the direction. */
const order = { sort: filter(z.enum(['time', 'ASC', 'DESC'])), direction: filter(z.enum(['ASC', 'DESC'])) }
const { itemsPerPage, ...page } = paging(50)

export const log = {
  list: get('/logs', 'logs:action-logs:read', {
    summary: 'The action log: who did what',
    query: { ...page, page_size: itemsPerPage, itemsPerPage: filter(whole(1, 200)), ...order, ...filters },
    returns: pageOf(LogRow),
  }),
  one: get('/logs/:id', 'logs:action-logs:read', { summary: 'One row of the action log', returns: LogRow }),
  newer: get('/logs/newer', 'logs:action-logs:read', {
    summary: 'How many rows came since a row, with the same filters; at most 1,000',
    query: { ...filters, than: id },
    returns: z.object({ count: z.int() }),
  }),
  names: get('/logs/names', 'logs:action-logs:read', {
    summary: 'What the log can be narrowed by: its services, actions and resources, and who stands in it',
    returns: z.object({
      services: z.array(z.string()),
      actions: z.array(z.string()),
      resources: z.array(z.string()),
      staff: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  }),
  file: get('/logs/csv', 'logs:action-logs:read', {
    summary: 'All rows that the filters let through as CSV, newest first',
    query: filters,
    returns: binary,
    ticket: true,
  }),
  ticket: post('/logs/csv/tickets', 'logs:action-logs:read', {
    summary: 'A ticket of a minute, with which a browser downloads the file by itself',
    effect: 'read',
    returns: z.object({ ticket: z.string(), expiresAt: instant }),
  }),
  chain: get('/logs/chain', 'logs:action-logs:read', {
    summary: 'How far the log is sealed, and what the last check found',
    returns: LogChain,
  }),
  verify: post('/logs/chain/checks', 'logs:action-logs:read', {
    summary: 'Walk the chain: what came since the last check, or all of it. One check runs at a time',
    body: { whole: z.boolean().optional() },
    status: 202,
    returns: LogCheck,
  }),
}
