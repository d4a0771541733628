import { TextInput } from '@mantine/core'
import type { TextProps } from '../../kit/form/useCallForm.ts'
import type { Engine } from '../EngineField.tsx'

/** Host that an account connects from. */
export const HostField = ({ engine, ...props }: TextProps & { engine: Engine }) => (
  <TextInput
    label="Host"
    description={
      engine === 'postgresql'
        ? 'PostgreSQL accounts connect from their own server only.'
        : 'localhost: the server of the website. Otherwise an IP address or network; MariaDB is reached from there on database servers only.'
    }
    disabled={engine === 'postgresql'}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    {...props}
  />
)
