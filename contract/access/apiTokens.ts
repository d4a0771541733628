import * as z from 'zod'
import { csv, del, filter, get, id, instant, line, listQuery, pageOf, post, stored, whole } from '../kit/endpoint.ts'
import { network } from '../kit/values.ts'
import { permission } from './roles.ts'

/** Days that a token can be valid at most, and the days that forms propose. */
export const LONGEST_DAYS = 365
export const USUAL_DAYS = 90
/** Hours for which the old value of a rotated token can stay valid at most. */
export const OVERLAP_HOURS = 168
/** Calls per minute and node that a new token may make. */
export const USUAL_RATE = 600

/** What every token value begins with, so that scanners of secrets recognise it. */
export const TOKEN_PREFIX = 'ink_'
/** A token value: the prefix, 36 random letters and digits, and a checksum of six. */
export const tokenValue = /^ink_[0-9A-Za-z]{42}$/

export const tokenStates = ['valid', 'expired', 'revoked'] as const

/** A token of a program. The value itself is shown once and stored as a hash. */
export const ApiToken = z.object({
  ...stored,
  name: z.string(),
  /** The first letters of the value, by which people recognise it. */
  begins: z.string(),
  /** The person or service account as whom the token acts. */
  userId: z.int(),
  userName: z.string(),
  isService: z.boolean(),
  /** Permissions of the token. Of these it has, at any time, those that its owner has. */
  scopes: z.array(z.string()),
  /** The only department for which the token acts; null: that of its owner. */
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  /** Addresses and networks from which the token is accepted; empty: all. */
  networks: z.array(z.string()),
  perMinute: z.int(),
  state: z.enum(tokenStates),
  expiresAt: instant,
  /** Until when the value before the last rotation is accepted too. */
  oldValidUntil: instant.nullable(),
  lastUsedAt: instant.nullable(),
  lastUsedIp: z.string().nullable(),
})
export type ApiToken = z.output<typeof ApiToken>

/** A token with its value, which no other answer contains. */
const Made = z.object({ token: ApiToken, value: z.string() })

const days = whole(1, LONGEST_DAYS).default(USUAL_DAYS)

export const apiTokens = {
  list: get('/api-tokens', 'signedIn', {
    summary: 'My API tokens, and those of everybody with the permission to see them',
    query: {
      ...listQuery(['createdAt', 'name', 'expiresAt', 'lastUsedAt']),
      search: filter(z.string().trim().max(80)),
      user: filter(csv(id)),
      kind: filter(z.enum(['person', 'service'])),
      state: filter(z.enum(tokenStates)),
      scope: filter(z.string().max(100)),
    },
    returns: pageOf(ApiToken),
  }),
  current: get('/api-tokens/current', 'signedIn', {
    summary: 'The token of this request, for programs',
    tokens: true,
    returns: ApiToken,
  }),
  create: post('/api-tokens', 'api:token:create', {
    summary: 'Make an API token; only this answer contains its value',
    tokens: false,
    body: {
      name: line(80),
      /** The service account as which the token acts. Default: the caller. */
      serviceAccountId: id.optional(),
      scopes: z.array(permission).min(1, 'Choose at least one permission').max(1000),
      departmentId: id.nullable().optional(),
      networks: z.array(network).max(50).default([]),
      days,
      perMinute: whole(1, 6000).default(USUAL_RATE),
    },
    returns: Made,
  }),
  rotate: post('/api-tokens/:id/rotate', 'api:token:create', {
    summary: 'Give a token a new value; the old one stays valid for some hours',
    tokens: false,
    body: { days, oldValidHours: whole(0, OVERLAP_HOURS).default(24) },
    status: 200,
    returns: Made,
  }),
  revoke: del('/api-tokens/:id', 'signedIn', { summary: 'Revoke an API token at once', status: 204 }),
}
