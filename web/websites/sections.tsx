import type { Website } from '@innkeeper/contract/websites'
import type { ComponentType } from 'react'
import type { Domain } from '../domain.ts'
import * as domains from '../domains.ts'
import { lazyPart } from '../kit/frame/lazyScreen.tsx'
import { SectionBars } from '../kit/frame/SectionBars.tsx'
import { Hosting } from './Hosting.tsx'
import { Resources } from './Resources.tsx'
import type { SiteSection } from './section.ts'

/** A section with the component that shows it. */
export interface ShownSection extends Omit<SiteSection, 'load'> {
  Section: ComponentType<{ website: Website }>
  /** Shows the website alone, so it stays when the website was deleted under the open page. */
  stays?: true
}

const always = () => true

/** What the page opens with comes with the code of the page. */
const own: readonly ShownSection[] = [
  { at: 10, name: 'resources', tab: 'overview', Section: Resources, when: always },
  { at: 20, name: 'hosting', tab: 'overview', Section: Hosting, when: always, stays: true },
]
const stated: readonly Domain[] = Object.values(domains)

/** The sections of all domains, in the order in which they stand in their tab. */
export const sections: readonly ShownSection[] = [
  ...own,
  ...stated
    .flatMap((domain) => domain.sections ?? [])
    .map(({ load, ...section }) => ({ ...section, Section: lazyPart(load, SectionBars) })),
].sort((one, other) => one.at - other.at)
