import type { Access } from '@innkeeper/contract/kit/access'
import type { ServerView } from '@innkeeper/contract/machines/servers/shapes'
import type { ComponentType } from 'react'
import type { SiteSection } from './hosting/websites/page/section.ts'
import type { Place } from './kit/access/guard.ts'
import type { HomeWait } from './kit/home/wait.ts'

export interface MenuItem {
  label: string
  path: string
  scope: Access
  /** Related paths that also activate the item, with all paths below them. */
  also: readonly string[]
}

/** An item as its domain states it. */
export interface PlacedItem extends MenuItem {
  /** Its place among all items, in the order of the specification. */
  at: number
  /** The menu group of the item. */
  group?: string
}

/** The areas of the menu, in their order. */
export const areas = [
  'Hosting',
  'Infrastructure',
  'Backups',
  'Planning',
  'Support quality',
  'Desk',
  'Administration',
] as const
export type Area = (typeof areas)[number]

/**
 * A domain of the web, as `web/<domain>/domain.ts` states it. Its code comes with the shell, so it holds texts and loaders
 * only: no component, no contract.
 */
export type Domain = Stated & Menu

interface Stated {
  screens?: readonly Screen[]
  /** Paths of the screens of its rows, by the word that workflows and log rows use for the row. */
  subjects?: Record<string, (id: number, name: string) => string>
  /** Its sections of the page of a website. */
  sections?: readonly SiteSection[]
  /** Its sections of the page of a server. */
  serverSections?: readonly ServerSection[]
  /** A button below a failed action of a workflow. */
  failedAction?: { name: string; load: () => Promise<{ default: ComponentType<{ actionId: number }> }> }
  /** Its blocks of the home screen. */
  blocks?: readonly HomeBlock[]
  /** Its kinds of work that may wait for a person, on the home screen. */
  waits?: readonly HomeWait[]
}

/** A section of the page of a server, which fetches its own data. */
interface ServerSection {
  name: string
  /** Position in the page. */
  at: number
  load: () => Promise<{ default: ComponentType<{ server: ServerView }> }>
}

/** A block of the home screen, for people who hold `reads`. */
export interface HomeBlock {
  /** Stored in the order that a person chose. */
  name: string
  /** Stands while the rows of the block load. */
  title: string
  /** Default position, until a person moves the block. */
  at: number
  reads: Exclude<Access, 'public'>
  load: () => Promise<{ default: ComponentType }>
}

/** Items of the menu, and the area of the menu that has them. */
type Menu = { area: Area; menu: readonly PlacedItem[] } | { area?: never; menu?: never }

export interface Screen<P extends string = string> {
  path: P
  place: Place
  load: () => Promise<{ default: ComponentType }>
}

export const screen = <const P extends string>(path: P, place: Place, load: Screen['load']): Screen<P> => ({
  path,
  place,
  load,
})

/** `at`: the place in the whole menu. `also`: further paths that light the item. */
export const item = (
  at: number,
  label: string,
  path: string,
  scope: Exclude<Access, 'public'>,
  also: readonly string[] = [],
): PlacedItem => ({ at, label, path, scope, also })

/** Items below a label. Domains that name the same label share the group. */
export const group = (label: string, items: readonly PlacedItem[]): PlacedItem[] =>
  items.map((one) => ({ ...one, group: label }))
