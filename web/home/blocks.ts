import { type Holder, missing } from '@innkeeper/contract/kit/access'
import type { HomeBlock } from '../domain.ts'
import { stated } from '../stated.ts'

/** Every block of the home screen, in the default order. */
export const allBlocks = (): readonly HomeBlock[] =>
  stated()
    .flatMap((domain) => domain.blocks ?? [])
    .sort((one, other) => one.at - other.at)

/** The names of the blocks that this person may see: chosen ones in their order, then newer ones. */
export function visibleNames(holder: Holder, chosen: readonly string[]): string[] {
  const may = allBlocks()
    .filter(({ reads }) => !missing(holder, reads).length)
    .map(({ name }) => name)
  const known = chosen.filter((name) => may.includes(name))
  return [...known, ...may.filter((name) => !known.includes(name))]
}

/** `names` with `name` at the place of `other`. */
export function movedTo(names: readonly string[], name: string, other: string): string[] {
  const at = names.indexOf(other)
  return names.filter((one) => one !== name).toSpliced(at, 0, name)
}
