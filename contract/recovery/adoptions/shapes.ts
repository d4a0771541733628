import * as z from 'zod'
import { Placed } from '../../agent/inPlace.ts'
import { instant, stored } from '../../kit/endpoint.ts'
import { Inventory } from '../archiveImports/inventory.ts'

/** What an agent finds on a machine that somebody else has set up. Names and texts are foreign. */
export const FoundMachine = z.object({
  panel: z.enum(['hestia', 'vesta', 'ispconfig', 'none']),
  /** Accounts with their websites, databases and mail. One account is imported at a time. */
  accounts: z.array(Inventory),
  /** What runs there besides websites. It is listed and left alone. */
  others: z.array(
    z.object({
      kind: z.enum(['program', 'timer', 'cron', 'mail', 'website', 'database']),
      name: z.string(),
      why: z.string(),
    }),
  ),
  addresses: z.array(z.string()),
})
export type FoundMachine = z.output<typeof FoundMachine>

/** A name of the machine that still leads to it. */
export const Remaining = z.object({
  name: z.string(),
  what: z.enum(['website', 'mail', 'record', 'zone']),
  /** Addresses or mail servers of the old machine that the name leads to. */
  now: z.array(z.string()),
  /** The zone of Innkeeper that has the record. */
  zone: z.string().nullable(),
})
export type Remaining = z.output<typeof Remaining>

export const adoptionStatuses = ['looking', 'unreadable', 'ready', 'retired'] as const
export const adoptionStatus = z.enum(adoptionStatuses)

export const placeStatuses = ['taking', 'taken', 'accepted', 'failed', 'undone'] as const
/** A website that was taken over where it lies. */
export const Place = z.object({
  ...stored,
  account: z.string(),
  domain: z.string(),
  /** `taken`: it is served by Innkeeper, and can be given back. */
  status: z.enum(placeStatuses),
  websiteId: z.int(),
  reason: z.string().nullable(),
  by: z.string(),
  workflowId: z.int().nullable(),
})
export type Place = z.output<typeof Place>

export const PlacePlan = Placed.omit({ changes: true, usedMb: true }).extend({
  /** Each file that would change, with its differences by line. */
  files: z.array(z.object({ file: z.string(), lines: z.array(z.string()) })),
  /** What keeps the website from these choices, by field. */
  problems: z.record(z.string(), z.string()),
})
export type PlacePlan = z.output<typeof PlacePlan>

export const Adoption = z.object({
  ...stored,
  serverId: z.int(),
  serverName: z.string(),
  status: adoptionStatus,
  panel: FoundMachine.shape.panel.nullable(),
  counts: z.object({ accounts: z.int(), websites: z.int() }).nullable(),
  /** Names that still lead to the machine; null until they were looked up. */
  remaining: z.int().nullable(),
  reason: z.string().nullable(),
  by: z.string(),
  workflowId: z.int().nullable(),
})
export type Adoption = z.output<typeof Adoption>

export const AdoptionView = Adoption.extend({
  found: FoundMachine.nullable(),
  /** Names that still lead to the machine; null until name servers were asked. */
  elsewhere: z.array(Remaining).nullable(),
  checkedAt: instant.nullable(),
  /** Websites that were taken over where they lie, newest first. */
  places: z.array(Place),
  /** Imports of websites of this machine, newest first. */
  imports: z.array(
    z.object({
      id: z.int(),
      account: z.string(),
      serverName: z.string(),
      status: z.string(),
      websites: z.array(z.string()),
    }),
  ),
})
export type AdoptionView = z.output<typeof AdoptionView>
