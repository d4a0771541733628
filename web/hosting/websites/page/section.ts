import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Access } from '@innkeeper/contract/kit/access'
import type { ComponentType } from 'react'

/** Tabs of a website's page in order. A tab without sections is hidden. */
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

/** A section of a website's page, defined by its domain. The section fetches data when its tab opens. */
export interface SiteSection {
  name: string
  tab: Tab
  /** Position in the tab. */
  at: number
  load: () => Promise<{ default: ComponentType<{ website: Website }> }>
  /** Scopes of the call that the section reads; without them the section is hidden. */
  reads?: Access
  /** Websites that have the section; default: all that are not in the trash. */
  when?: (website: Website) => boolean
  /** Uses the full width; otherwise the last workflow is shown beside the section. */
  wide?: true
  /** Stands beside the other sections, with the last workflow. */
  side?: true
}

export const isLive = ({ status }: Pick<Website, 'status'>): boolean => status !== 'deleted'
/** Whether the website has files and PHP of its own; an alias has none. */
export const isHosted = (website: Website): boolean => website.kind !== 'alias' && isLive(website)
