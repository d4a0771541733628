import { TextInput } from '@mantine/core'

interface Props {
  /** What was typed; empty: the suggestion stands. */
  value: string
  suggested: string | null
  /** The owner has this account on this server already. */
  reused: boolean
  onChange: (name: string) => void
  onBlur: () => void
  error?: string
}

/** The account that the site runs as. It is suggested; what is typed wins. */
export function SystemUserField({ value, suggested, reused, onChange, onBlur, error }: Props) {
  const hint = reused
    ? `${suggested} is reused: the owner’s account here on this plan`
    : suggested && !value
      ? `${suggested} is suggested, and made new`
      : 'Made new, unless the owner has one here on this plan'
  return (
    <TextInput
      label="System user"
      name="systemUser"
      description={hint}
      placeholder={suggested ?? 'Follows from domain and server'}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      error={error}
      styles={value || suggested ? { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } : undefined}
    />
  )
}
