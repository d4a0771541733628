import { Checkbox } from '@mantine/core'

interface Props {
  label: string
  field: { value: boolean | undefined; error?: string | undefined; onChange: (value: boolean) => void }
}

/** Appears once the server has said that the name was deleted lately: whether it is given anew all the same. */
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
