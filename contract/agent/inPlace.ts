import * as z from 'zod'
import { domain, phpVersion, servedName, sitePath, username } from '../kit/values.ts'
import { application } from '../net/originVhosts/applications.ts'
import { sha256 } from './shapes.ts'
import { limits } from './systemUsers.ts'
import { poolShape, siteShape } from './websites.ts'

/** A name of a website as a machine has it. The agent compares it with what it finds, and uses no other name. */
const website = z.string().regex(/^[^\p{C}]{1,253}$/u)

/** Operations that take over a website of somebody else's nginx where it lies. */
export const inPlaceOperations = {
  /**
   * Answers `Placed`: what keeps a website from being taken over, and each file that would change. `as`: how Innkeeper
   * would serve it; absent: only the facts. Writes nothing.
   */
  'place.look': z.object({
    username,
    website,
    /** Of a website that names no version. */
    phpVersion: phpVersion.optional(),
    as: z.object({ site: siteShape.omit({ movedTo: true }), pool: poolShape, limits }).optional(),
  }),
  /** Stops cron jobs and services by which a panel writes its configuration again. Undo starts them after the last website. */
  'panel.rest': z.object({}),
  /**
   * Takes the servers of a website out of somebody else's nginx, and serves it by Innkeeper's configuration, in one reload.
   * A website that answers otherwise afterwards goes back by itself. Undo puts the former text back.
   */
  'place.take': siteShape.omit({ movedTo: true }).extend({
    website,
    /** What people saw, from `Placed`: the website has not changed since. */
    seen: sha256,
  }),
  /** Answers chain and key of a website that was taken over, encrypted for the holder of `reader`. */
  'place.certificate': z.object({ domain, reader: z.string().regex(/^[A-Za-z0-9+/]{43}=$/) }),
} as const

const PlaceFacts = z.object({
  root: z.union([sitePath, z.literal('')]),
  phpVersion: phpVersion.nullable(),
  /** Names that show the website, and names that lead to it. */
  serves: z.array(servedName),
  redirects: z.array(servedName),
  application: application.extract(['front-controller', 'files']),
  /** Why it cannot be taken over where it lies. */
  obstacles: z.array(z.string()),
  /** Directives of its configuration that Innkeeper's has not. */
  lost: z.array(z.string()),
  /** Until when its certificate is valid; null: it has none that can be read. */
  until: z.string().nullable(),
  /** Whether a program on the machine renewed it, as Innkeeper does from then on. Absent in answers of older agents. */
  renews: z.boolean().default(false),
  seen: sha256.or(z.literal('')),
})
export type PlaceFacts = z.output<typeof PlaceFacts>

/** A file before and after. Null: there is none. */
export const PlaceChange = z.object({ file: z.string(), before: z.string().nullable(), after: z.string().nullable() })
export type PlaceChange = z.output<typeof PlaceChange>

export const Placed = z.object({
  facts: PlaceFacts,
  changes: z.array(PlaceChange),
  /** What changes besides files. */
  acts: z.array(z.string()),
  /** MiB of the whole account, which the plan must allow. Absent in answers of older agents. */
  usedMb: z.int().min(0).default(0),
})
export type Placed = z.output<typeof Placed>
