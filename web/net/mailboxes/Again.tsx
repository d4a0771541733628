import { Checkbox } from '@mantine/core'

interface Props {
  label: string
  field: { value: boolean | undefined; error?: string | undefined; onChange: (value: boolean) => void }
}

/**
 * Checkbox that appears after the server refused a name that was deleted lately. It confirms that the name is used
 * again.
 */
export function Again({ label, field: { value, error, onChange } }: Props) {
  if (error === undefined && !value) return null
  return (
    <Checkbox
      label={label}
      description={error}
      checked={value ?? false}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}
