import { useReason } from '../kit/access/reasons.ts'
import type { FilterChoice, Option } from '../kit/list/FilterBar.tsx'
import { ownersApi } from './api.ts'

/** The owners that a list can be narrowed to; not offered to who may not see owners. `shown`: rows whose owners' names are known. */
export function useOwnerChoice(
  key: 'owner' | 'userid',
  shown: readonly { ownerId: number; ownerName: string }[],
): FilterChoice[] {
  const lacking = useReason()
  const options = unique(shown.map(({ ownerId, ownerName }) => ({ value: String(ownerId), label: ownerName })))
  return lacking(ownersApi.list) ? [] : [{ key, label: 'Owner', options, call: ownersApi.list }]
}

const unique = (options: Option[]): Option[] => [...new Map(options.map((one) => [one.value, one])).values()]
