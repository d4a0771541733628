import type { ZoneOptions } from '@innkeeper/contract/net/dns/options'
import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { TagsInputField } from '../../../kit/form/TagsInputField.tsx'
import { Section } from '../../../kit/frame/Section.tsx'

interface Props {
  /** Times as typed. */
  options: Omit<ZoneOptions, 'soa'> & { soa: Record<keyof ZoneOptions['soa'], number | string> }
  change: (options: Props['options']) => void
  /** Errors by path, such as `options.soa.retry`. */
  problems: Record<string, string>
  disabled: boolean
}

const times: [keyof ZoneOptions['soa'], string, string][] = [
  ['refresh', 'Refresh', 'How often secondaries ask for changes'],
  ['retry', 'Retry', 'How soon they ask again after no answer'],
  ['expire', 'Expire', 'How long they answer without the primary'],
  ['minimum', 'Negative caching', 'How long resolvers remember that a name does not exist'],
]

/** The times of the SOA record, and name servers outside. */
export function ZoneAnswers({ options, change, problems, disabled }: Props) {
  const outside = Object.entries(problems).find(([path]) => path.startsWith('options.outside'))?.[1]
  return (
    <Section title="Name servers">
      <Stack gap={14}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={14}>
          {times.map(([key, label, description]) => (
            <TextInput
              key={key}
              label={label}
              description={description}
              inputMode="numeric"
              rightSection="s"
              rightSectionPointerEvents="none"
              disabled={disabled}
              value={String(options.soa[key])}
              onChange={(event) => change({ ...options, soa: { ...options.soa, [key]: event.currentTarget.value } })}
              error={problems[`options.soa.${key}`]}
            />
          ))}
        </SimpleGrid>
        <TagsInputField
          label="Name servers outside"
          description="Addresses of secondaries that you do not manage here: they are notified and transfer the zone with its own TSIG key, which Show private keys shows. Add their NS records yourself."
          placeholder={options.outside.length ? undefined : 'None'}
          disabled={disabled}
          splitChars={[',', ' ', ';']}
          maxTags={10}
          value={options.outside}
          onChange={(addresses) => change({ ...options, outside: addresses })}
          error={outside}
        />
      </Stack>
    </Section>
  )
}
