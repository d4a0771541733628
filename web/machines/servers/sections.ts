import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { stated } from '../../stated.ts'

/** The sections of other domains on the page of a server, in their order. */
export const sections = stated()
  .flatMap((domain) => domain.serverSections ?? [])
  .sort((one, other) => one.at - other.at)
  .map(({ name, load }) => ({ name, Section: lazyPart(load, () => null) }))
