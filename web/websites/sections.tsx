import type { Access } from '@innkeeper/contract/access'
import type { Endpoint } from '@innkeeper/contract/kit'
import type { Website } from '@innkeeper/contract/websites'
import type { ComponentType } from 'react'
import { databasesApi } from '../databases/api.ts'
import { groupsApi } from '../groups/api.ts'
import { lazyPart } from '../kit/frame/lazyScreen.tsx'
import { SectionBars } from '../kit/frame/SectionBars.tsx'
import { namesApi } from '../names/api.ts'
import { redisApi } from '../redis/api.ts'
import { sftpApi } from '../sftp/api.ts'
import { sslApi } from '../ssl/api.ts'
import { stagingsApi } from '../stagings/api.ts'
import { originVhostsApi, vhostsApi } from '../vhosts/api.ts'
import { isLive } from './acts.ts'
import { Hosting } from './Hosting.tsx'
import { Resources } from './Resources.tsx'

/** In the order of the page. One that no section is in does not appear. */
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

/** A part of the website page. It reads what it shows by itself, and only when its tab is looked at. */
export interface SiteSection {
  name: string
  tab: Tab
  Section: ComponentType<{ website: Website }>
  /** The call that it reads: who lacks the permission does not see the section. */
  reads?: { endpoint: Endpoint } | Access
  /** Where it has something to say; default: as long as the website is not in the trash. */
  when?: (website: Website) => boolean
  /** Has the page's whole width; else the last workflow stands beside. */
  wide?: true
  /** Shows the website alone, so it stays when that was deleted under the open page. */
  stays?: true
}

const part = (load: () => Promise<{ default: ComponentType<{ website: Website }> }>) => lazyPart(load, SectionBars)
const always = () => true

/** One line per section, in the order in which they stand in their tab. */
export const sections: readonly SiteSection[] = [
  { name: 'resources', tab: 'overview', Section: Resources, when: always },
  { name: 'hosting', tab: 'overview', Section: Hosting, when: always, stays: true },
  {
    name: 'vhost',
    tab: 'overview',
    Section: part(() => import('../vhosts/PhpOfSite.tsx')),
    reads: originVhostsApi.one,
    when: (website) => website.kind !== 'alias' && isLive(website),
  },
  {
    name: 'group',
    tab: 'overview',
    Section: part(() => import('../groups/GroupOfSite.tsx')),
    reads: groupsApi.ofWebsite,
  },
  {
    name: 'https',
    tab: 'names',
    Section: part(() => import('../ssl/HttpsOfSite.tsx')),
    reads: sslApi.ofWebsite,
    when: (website) => website.kind !== 'alias' && isLive(website),
  },
  { name: 'names', tab: 'names', Section: part(() => import('../names/NamesOfSite.tsx')), reads: namesApi.ofWebsite },
  {
    name: 'edges',
    tab: 'edges',
    Section: part(() => import('../vhosts/EdgesOfSite.tsx')),
    reads: vhostsApi.list,
    when: (website) => website.kind !== 'alias' && isLive(website),
  },
  {
    name: 'staging',
    tab: 'copies',
    Section: part(() => import('../stagings/StagingOfSite.tsx')),
    reads: stagingsApi.ofWebsite,
    when: (website) => website.kind !== 'alias' && isLive(website),
  },
  {
    name: 'databases',
    tab: 'data',
    Section: part(() => import('../databases/DatabasesOfSite.tsx')),
    reads: databasesApi.ofWebsite,
    when: (website) => website.kind !== 'alias' && isLive(website),
  },
  { name: 'cache', tab: 'data', Section: part(() => import('../redis/Cache.tsx')), reads: redisApi.status },
  { name: 'access', tab: 'access', Section: part(() => import('../sftp/AccessOfSite.tsx')), reads: sftpApi.read },
  { name: 'work', tab: 'workflows', Section: part(() => import('./Workflows.tsx')), when: always, wide: true },
  { name: 'logs', tab: 'logs', Section: part(() => import('./LogLines.tsx')), wide: true },
]
