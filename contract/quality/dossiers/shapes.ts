import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { Person } from '../qc/shapes.ts'
import { day } from '../qc/values.ts'
import { talkKind, talkState } from './values.ts'

const Named = z.object({ id: z.int(), name: z.string() })
export const named = Named.nullable()
export const someone = Person.nullable()

/** A staff member with a dossier. `id` is the id of the person. */
export const DossierUser = z.object({
  ...stored,
  name: z.string(),
  departmentName: z.string().nullable(),
  startedOn: day.nullable(),
  about: z.string(),
  /** Team of the main membership of today. */
  team: named,
  position: named,
  manager: someone,
  /** True: the account was deleted. */
  isGone: z.boolean(),
  closedAt: instant.nullable(),
  /** When texts about the person were erased. */
  erasedAt: instant.nullable(),
})
export type DossierUser = z.output<typeof DossierUser>

export const FreeUser = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  departmentName: z.string().nullable(),
})
export type FreeUser = z.output<typeof FreeUser>

export const Position = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  /** 0 is the highest level. */
  level: z.int(),
  /** The position above. */
  positionId: z.int().nullable(),
  positionName: z.string().nullable(),
  /** Memberships of all times with the position. */
  uses: z.int(),
})
export type Position = z.output<typeof Position>

export const Team = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  managerId: z.int().nullable(),
  manager: someone,
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  /** The team above. */
  parentId: z.int().nullable(),
  parentName: z.string().nullable(),
  /** Members of today. */
  people: z.int(),
  /** Memberships of all times, and teams below. */
  uses: z.int(),
})
export type Team = z.output<typeof Team>

export const Membership = z.object({
  ...stored,
  user: Person,
  team: Named,
  position: named,
  from: day,
  /** The last day; null: open. */
  to: day.nullable(),
  /** True: a membership besides the main team; may overlap other memberships. */
  isAdditional: z.boolean(),
})
export type Membership = z.output<typeof Membership>

/** A category, a type or a review category. */
export const Word = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  isActive: z.boolean(),
  /** Number of entries that use the word; 1000 means at least 1,000. */
  uses: z.int(),
})
export type Word = z.output<typeof Word>

/** Reviews of one month. */
export const TrendMonth = z.object({ month: z.string(), score: z.number().nullable(), reviews: z.int() })

export const ChartPerson = z.object({
  membershipId: z.int(),
  version: z.int(),
  userId: z.int(),
  name: z.string(),
  positionName: z.string().nullable(),
  level: z.int().nullable(),
  isAdditional: z.boolean(),
})
export const ChartTeam = z.object({
  id: z.int(),
  version: z.int(),
  name: z.string(),
  parentId: z.int().nullable(),
  manager: someone,
  people: z.array(ChartPerson),
})
export type ChartTeam = z.output<typeof ChartTeam>

export const Talk = z.object({
  ...stored,
  kind: talkKind,
  title: z.string(),
  person: Person,
  lead: Person,
  heldOn: day,
  state: talkState,
  questions: z.array(z.string()),
  /** Ids of those who have finished preparing. */
  ready: z.array(z.int()),
  releasedAt: instant.nullable(),
  goals: z.array(z.string()),
})
export type Talk = z.output<typeof Talk>
/** Answers of the other side appear once both have released them. */
export const TalkPage = z.object({
  ...Talk.shape,
  answers: z.array(z.object({ by: Person, texts: z.array(z.string()) })),
})
export type TalkPage = z.output<typeof TalkPage>
