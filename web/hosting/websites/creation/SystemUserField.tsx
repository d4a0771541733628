import { TextInput } from '@mantine/core'

interface Props {
  /** Typed name; empty for the suggested one. */
  value: string
  suggested: string | null
  /** Whether the owner already has this account on this server. */
  reused: boolean
  onChange: (name: string) => void
  onBlur: () => void
  error?: string
}

/** The system user that the website runs as: a suggestion, or the typed name. */
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
