import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { qcSettingsApi } from '../api.ts'

interface Props {
  kind: Kind
  value: readonly number[]
  error?: string
  onChange: (tags: number[]) => void
}

/** The tags of a review. Disabled for people who may not read tags. */
export default function TagsField({ kind, value, error, onChange }: Props) {
  const lacking = useReason()(qcSettingsApi.allTags)
  const { data } = useQuery({ ...qcSettingsApi.allTags.query({ usedFor: kind }), enabled: !lacking })
  return (
    <MultiSelectField
      label="Tags"
      searchable
      error={error}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value.map(String)}
      onChange={(next) => onChange(next.map(Number))}
      disabled={lacking !== undefined}
    />
  )
}
