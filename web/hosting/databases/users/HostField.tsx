import { TextInput } from '@mantine/core'
import type { TextProps } from '../../../kit/form/useCallForm.ts'
import type { Engine } from '../EngineField.tsx'
import { engineWords } from '../words.ts'

const port: Record<Engine, number> = { mariadb: 3306, postgresql: 5432 }

/** Host that an account connects from. */
export const HostField = ({ engine, ...props }: TextProps & { engine: Engine }) => (
  <TextInput
    label="Host"
    description={`localhost: the server of the website. Otherwise an IP address or network: the firewall of the server opens port ${port[engine]} for that address only, with TLS. The first address on a server restarts ${engineWords[engine]}.`}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    {...props}
  />
)
