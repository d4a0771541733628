import { TextInput } from '@mantine/core'
import type { TextProps } from '../../kit/form/useCallForm.ts'

/** Host that an account connects from. */
export const HostField = (props: TextProps) => (
  <TextInput
    label="Host"
    description="localhost: the server of the website. Otherwise an IP address or network; MariaDB is reached from there on database servers only."
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    {...props}
  />
)
