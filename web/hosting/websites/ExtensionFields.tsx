import type { ExtensionHere, PhpExtension } from '@innkeeper/contract/hosting/phpExtensions'
import { phpExtensions } from '@innkeeper/contract/hosting/phpExtensions'
import { Checkbox, Input, SimpleGrid, Text } from '@mantine/core'

/** Extensions that differ from those of the server. */
export interface Choice {
  extensionsOn: PhpExtension[]
  extensionsOff: PhpExtension[]
}
interface Props {
  phpModule: string
  /** The extensions of the server; undefined until it has answered. */
  here: readonly ExtensionHere[] | undefined
  /** Why the server does not answer. */
  failed: string | undefined
  value: Choice
  onChange: (value: Choice) => void
  error?: string | undefined
}

/**
 * The extensions that the server has for a PHP version, as checkboxes. Chosen extensions that the server lacks stay in
 * the list, with a note.
 */
export function ExtensionFields({ phpModule, here: all, failed, value, onChange, error }: Props) {
  const here = all?.filter(isKnown) ?? []
  const lacking = all ? value.extensionsOn.filter((name) => !here.some((one) => one.name === name)) : []
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
      description="Those that its server has. An extension that others need cannot be switched off alone: PHP refuses that choice"
      error={error}
    >
      {!all && <Text c="dimmed">{failed ?? 'Asking the server…'}</Text>}
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
