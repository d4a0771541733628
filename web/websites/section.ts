import type { Access } from '@innkeeper/contract/access'
import type { Website } from '@innkeeper/contract/websites'
import type { ComponentType } from 'react'

/** The tabs of the page of a website, in their order. A tab without a section does not appear. */
export const tabs = {
  overview: 'Overview',
  names: 'Names',
  edges: 'CDN',
  copies: 'Copies',
  data: 'Data',
  access: 'Access',
  workflows: 'Workflows',
  logs: 'Logs',
}
export type Tab = keyof typeof tabs

/** A section of the page of a website, as its domain states it. The section reads its data when its tab is opened. */
export interface SiteSection {
  name: string
  tab: Tab
  /** Its place in the tab. */
  at: number
  load: () => Promise<{ default: ComponentType<{ website: Website }> }>
  /** The permission of the call that it reads: who lacks the permission does not see the section. */
  reads?: Access
  /** Websites that have the section; default: all that are not in the trash. */
  when?: (website: Website) => boolean
  /** Takes the whole width of the page; else the last workflow stands beside. */
  wide?: true
}

export const isLive = ({ status }: Website): boolean => status !== 'deleted'
/** An alias has no files and no PHP of its own. */
export const isHosted = (website: Website): boolean => website.kind !== 'alias' && isLive(website)
