import type { Person } from '@innkeeper/contract/quality/qc/shapes'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { type Recipient, RecipientPicker } from '../../../kit/form/RecipientPicker.tsx'

interface Props {
  label?: string
  /** Agents who wrote in the conversation: offered first. */
  wrote: readonly Person[]
  value: readonly Person[]
  error?: string
  onChange: (agents: Person[]) => void
}

/** People whom a review is about. Without the right to see users, those who wrote can be chosen. */
export default function AgentsField({ label = 'Reviewed agents', wrote, value, error, onChange }: Props) {
  const lacking = useReason()(usersApi.list)
  const search = async (text: string, signal: AbortSignal): Promise<Recipient[]> => {
    const own = wrote.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
    const first = own.map(({ id, name }) => ({ kind: 'person' as const, id, name, hint: 'wrote here' }))
    if (lacking || !text) return first
    const { items } = await usersApi.list({ search: text, itemsPerPage: 8 }, { signal })
    const others = items.filter(({ id }) => !own.some((one) => one.id === id))
    return [
      ...first,
      ...others.map(({ id, name, departmentName }) => ({
        ...{ kind: 'person' as const, id, name, hint: departmentName ?? 'no department' },
      })),
    ]
  }
  return (
    <RecipientPicker
      label={label}
      placeholder="Name"
      required
      error={error}
      value={value.map(({ id, name }) => ({ kind: 'person', id, name }))}
      onChange={(next) => onChange(next.map(({ id, name }) => ({ id, name })))}
      search={search}
      searchKey={['qc', 'agents', wrote.map(({ id }) => id)]}
    />
  )
}
