import type { ExtensionHere, PhpExtension } from '@innkeeper/contract/phpExtensions'
import { phpExtensions } from '@innkeeper/contract/phpExtensions'
import { Checkbox, Input, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { originVhostsApi } from '../api.ts'

/** Extensions that differ from those of the server. */
export interface Choice {
  extensionsOn: PhpExtension[]
  extensionsOff: PhpExtension[]
}
interface Props {
  id: number
  phpModule: string
  value: Choice
  onChange: (value: Choice) => void
  error?: string | undefined
}

/** The extensions that the server has for a PHP version, as checkboxes. Chosen ones that it lacks stay, with a note. */
export function ExtensionFields({ id, phpModule, value, onChange, error }: Props) {
  const { data, error: failed } = useQuery({ ...originVhostsApi.extensions.query({ id, phpModule }), retry: false })
  const here = data?.extensions.filter(isKnown) ?? []
  const lacking = data ? value.extensionsOn.filter((name) => !here.some((one) => one.name === name)) : []
  const isOn = ({ name, usual }: Known) =>
    value.extensionsOn.includes(name) || (usual && !value.extensionsOff.includes(name))
  const set = ({ name, usual }: Known, on: boolean) =>
    onChange({
      extensionsOn: [...value.extensionsOn.filter((other) => other !== name), ...(on && !usual ? [name] : [])],
      extensionsOff: [...value.extensionsOff.filter((other) => other !== name), ...(!on && usual ? [name] : [])],
    })
  return (
    <Input.Wrapper
      label="Extensions"
      description="Extensions on its server. If others need an extension, it cannot be switched off alone: PHP reports an error, and the change is undone"
      error={error}
    >
      {!data && <Text c="dimmed">{failed ? failed.message : 'Asking the server…'}</Text>}
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing={10} verticalSpacing={8} mt={10}>
        {here.map((extension) => (
          <Checkbox
            key={extension.name}
            size="xs"
            label={extension.name}
            checked={isOn(extension)}
            onChange={(event) => set(extension, event.currentTarget.checked)}
          />
        ))}
        {lacking.map((name) => (
          <Checkbox
            key={name}
            size="xs"
            label={name}
            error={`${phpModule} lacks it here`}
            checked
            onChange={() => set({ name, usual: false }, false)}
          />
        ))}
      </SimpleGrid>
    </Input.Wrapper>
  )
}

type Known = ExtensionHere & { name: PhpExtension }
const known: ReadonlySet<string> = new Set(phpExtensions)
const isKnown = (one: ExtensionHere): one is Known => known.has(one.name)
