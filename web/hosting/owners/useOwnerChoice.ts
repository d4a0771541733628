import { useReason } from '../../kit/access/reasons.ts'
import type { FilterChoice, Option } from '../../kit/list/filterChoice.ts'
import { ownersApi } from './api.ts'

/** A filter by owner; absent without permission to see owners. `shown`: rows with known owner names. */
export function useOwnerChoice(
  key: 'owner' | 'userid',
  shown: readonly { ownerId: number; ownerName: string }[],
): FilterChoice[] {
  const lacking = useReason()
  const options = unique(shown.map(({ ownerId, ownerName }) => ({ value: String(ownerId), label: ownerName })))
  return lacking(ownersApi.list) ? [] : [{ key, label: 'Owner', options, call: ownersApi.list }]
}

const unique = (options: Option[]): Option[] => [...new Map(options.map((one) => [one.value, one])).values()]
