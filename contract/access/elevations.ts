import * as z from 'zod'
import { csv, del, filter, get, id, instant, line, listQuery, pageOf, post, stored, whole } from '../kit/endpoint.ts'
import { permission } from './roles.ts'

/** Minutes of the longest elevation, and of the longest without a rule. */
export const LONGEST_MINUTES = 7 * 24 * 60
export const USUAL_MINUTES = 8 * 60
/** Hours for which a request waits for an answer. */
export const WAITS_HOURS = 24

export const elevationStates = ['asked', 'held', 'ended', 'refused', 'lapsed'] as const
/** Why an elevation ended or a request lapsed. `rights`: the person or the role changed. */
export const elevationEndings = ['time', 'hand', 'rights', 'refused', 'unanswered'] as const

/** Permissions that a person has, or asks to have, for some time. */
export const Elevation = z.object({
  ...stored,
  userId: z.int(),
  userName: z.string(),
  /** The role whose permissions are asked for; null: the listed permissions. */
  roleId: z.int().nullable(),
  roleName: z.string().nullable(),
  scopes: z.array(z.string()),
  minutes: z.int(),
  reason: z.string(),
  state: z.enum(elevationStates),
  /** True: a rule let it begin without a second person. */
  atOnce: z.boolean(),
  decidedById: z.int().nullable(),
  decidedByName: z.string().nullable(),
  note: z.string().nullable(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  endedAt: instant.nullable(),
  endedByName: z.string().nullable(),
  ending: z.enum(elevationEndings).nullable(),
})
export type Elevation = z.output<typeof Elevation>

export const elevationWays = ['at-once', 'second-person', 'never'] as const
export type ElevationWay = (typeof elevationWays)[number]

/** How people get permissions for some time. Without a rule a second person decides. */
export const ElevationRule = z.object({
  ...stored,
  way: z.enum(elevationWays),
  /** The role that can be asked for; null: the listed permissions. */
  roleId: z.int().nullable(),
  roleName: z.string().nullable(),
  scopes: z.array(z.string()),
  /** People to whom the rule applies: those with this role; null: everybody. */
  forRoleId: z.int().nullable(),
  forRoleName: z.string().nullable(),
  maxMinutes: z.int(),
})
export type ElevationRule = z.output<typeof ElevationRule>

const asked = {
  /** Permissions, unless a role is asked for. */
  scopes: z.array(permission).max(100).default([]),
  roleId: id.nullable().default(null),
}
/** What a person may ask for now. */
export const ElevationTerms = z.object({ way: z.enum(elevationWays), maxMinutes: z.int() })
export type ElevationTerms = z.output<typeof ElevationTerms>

export const elevations = {
  list: get('/auth/elevations', 'signedIn', {
    summary: 'My elevations, and those of everybody with the permission to see or grant them',
    query: {
      ...listQuery(['createdAt', 'endsAt']),
      search: filter(z.string().trim().max(80)),
      user: filter(csv(id)),
      state: filter(z.enum(elevationStates)),
      scope: filter(z.string().max(100)),
    },
    returns: pageOf(Elevation),
  }),
  held: get('/auth/elevations/held', 'signedIn', {
    summary: 'The elevations that I have now',
    returns: z.object({ items: z.array(Elevation), total: z.int() }),
  }),
  terms: get('/auth/elevations/terms', 'signedIn', {
    summary: 'Whether I get these permissions at once, and for how long at most',
    query: { scopes: filter(csv(permission)), roleId: filter(id) },
    returns: ElevationTerms,
  }),
  offers: get('/auth/elevations/offers', 'signedIn', {
    summary: 'Roles that rules offer me for some time',
    returns: z.object({
      items: z.array(z.object({ id: z.int(), name: z.string(), ...ElevationTerms.shape })),
      total: z.int(),
    }),
  }),
  ask: post('/auth/elevations', 'signedIn', {
    summary: 'Ask for permissions for some time; by rule they begin at once',
    body: { ...asked, minutes: whole(5, LONGEST_MINUTES), reason: line(500) },
    returns: Elevation,
  }),
  grant: post('/auth/elevations/:id/grant', 'users:elevation:grant', {
    summary: 'Grant a request of somebody else; the time begins now',
    body: { note: line(500).optional() },
    status: 200,
    returns: Elevation,
  }),
  refuse: post('/auth/elevations/:id/refusal', 'users:elevation:grant', {
    summary: 'Refuse a request of somebody else',
    body: { note: line(500) },
    status: 200,
    returns: Elevation,
  }),
  end: del('/auth/elevations/:id', 'signedIn', {
    summary: 'End an elevation now, or withdraw the request',
    status: 200,
    returns: Elevation,
  }),
  rules: get('/auth/elevations/rules', 'users:elevation:read', {
    summary: 'Rules that say who gets what for some time',
    returns: z.object({ items: z.array(ElevationRule), total: z.int() }),
  }),
  createRule: post('/auth/elevations/rules', 'users:elevation:update', {
    summary: 'Add a rule',
    body: {
      way: z.enum(elevationWays),
      scopes: z.array(permission).max(1000).default([]),
      roleId: id.nullable().default(null),
      forRoleId: id.nullable().default(null),
      maxMinutes: whole(5, LONGEST_MINUTES).default(USUAL_MINUTES),
    },
    returns: ElevationRule,
  }),
  removeRule: del('/auth/elevations/rules/:id', 'users:elevation:update', {
    summary: 'Remove a rule; elevations that are held keep their time',
  }),
}
