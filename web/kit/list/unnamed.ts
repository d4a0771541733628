import type { FilterChoice } from './filterChoice.ts'
import type { Filters } from './listState.ts'

/**
 * Choices for filters of the address that a list does not offer, such as one website's from its page: nothing filters unseen.
 * `elsewhere`: those that the screen shows in another way.
 */
export function unnamed(
  filters: Filters,
  offered: readonly Pick<FilterChoice, 'key'>[],
  elsewhere: readonly string[] = [],
): FilterChoice[] {
  const known = new Set([...offered.map(({ key }) => key), ...elsewhere])
  return Object.entries(filters).flatMap(([key, values]) =>
    values?.length && !known.has(key) ? [{ key, label: labelOf(key), options: yes, typed: 'text' as const }] : [],
  )
}

const yes = [{ value: 'true', label: 'yes' }]

/** `repositoryId` → "Repository", `isActive` → "Active". */
function labelOf(key: string): string {
  const words = key
    .replace(/(?<=[a-z])Ids?$|^is(?=[A-Z])/g, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
