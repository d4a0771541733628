import type { Website } from '@innkeeper/contract/hosting/websites'
import type { ComponentType } from 'react'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { SectionBars } from '../../../kit/frame/SectionBars.tsx'
import { stated } from '../../../stated.ts'
import { Resources } from '../resources/Resources.tsx'
import { Hosting } from './Hosting.tsx'
import type { SiteSection } from './section.ts'

/** A section with its component. */
export interface ShownSection extends Omit<SiteSection, 'load'> {
  Section: ComponentType<{ website: Website }>
  /** Needs no further data, so the section stays when the website is deleted while the page is open. */
  stays?: true
}

const always = () => true

/** Sections of the first tab, bundled with the page. */
const own: readonly ShownSection[] = [
  { at: 10, name: 'resources', tab: 'overview', Section: Resources, when: always },
  { at: 20, name: 'hosting', tab: 'overview', Section: Hosting, when: always, stays: true },
]

/** Sections of all domains in the order of their tabs. */
export const sections: readonly ShownSection[] = [
  ...own,
  ...stated()
    .flatMap((domain) => domain.sections ?? [])
    .map(({ load, ...section }) => ({ ...section, Section: lazyPart(load, SectionBars) })),
].sort((one, other) => one.at - other.at)
