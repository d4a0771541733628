import type { Renaming } from '@innkeeper/contract/hosting/names/shapes'
import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { Checkbox, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { Section } from '../../kit/frame/Section.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import css from './Names.module.css'
import type { Rename } from './useRename.ts'
import { terms } from './words.ts'

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** New name of a website, dependent names, and all affected objects. */
export function NewName({ website, rename }: { website: WebsiteRow; rename: Rename }) {
  const { wanted, set, plan, problems, failed } = rename
  const relatives = plan?.relatives ?? []
  const bound = plan?.network?.also ?? []
  const toggle = (id: number) =>
    set({ also: wanted.also.includes(id) ? wanted.also.filter((other) => other !== id) : [...wanted.also, id] })
  return (
    <Stack gap={18}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={14} verticalSpacing={18}>
        <TextInput
          label="New name"
          withAsterisk
          description="www is added automatically"
          data-autofocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          styles={mono}
          value={wanted.newDomain}
          onChange={(event) => set({ newDomain: event.currentTarget.value, files: [] })}
          error={problems.newDomain ?? failed}
        />
        <Select
          label={`${website.domain} answers 301`}
          description="Path and query are kept"
          data={terms}
          allowDeselect={false}
          value={String(wanted.keepDays)}
          onChange={(days) => set({ keepDays: Number(days ?? 90) })}
        />
      </SimpleGrid>
      {relatives.length > 0 && (
        <Checkbox.Group
          label="Renamed too"
          description={`What is under ${website.domain}`}
          error={problems.also}
          value={[...wanted.also, ...bound].map(String)}
        >
          <Stack gap={6} mt={6}>
            {relatives.map(({ id, domain, newDomain }) => (
              <Checkbox
                key={id}
                value={String(id)}
                disabled={bound.includes(id) && !wanted.also.includes(id)}
                description={bound.includes(id) ? 'The websites of the network are found by it.' : undefined}
                onChange={() => toggle(id)}
                label={
                  <Mono>
                    {domain} → {newDomain}
                  </Mono>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {(plan?.changes.length ?? 0) > 0 && <Changes changes={plan?.changes ?? []} />}
    </Stack>
  )
}

/** Old and new name of each object; unchanged objects come last. */
const Changes = ({ changes }: { changes: readonly Renaming[] }) => (
  <Section title="Changes" pad={false}>
    <table className={css.changes}>
      <tbody>
        {changes.map(({ title, where, before, after }) => (
          <tr key={`${title} ${before}`}>
            <th scope="row">
              {title}
              {where && (
                <Text c="dimmed" fz="xs">
                  {where}
                </Text>
              )}
            </th>
            <td>
              <Mono c={after === null ? 'dimmed' : undefined}>{before}</Mono>
              {after === null ? (
                <Text c="dimmed" fz="xs">
                  stays
                </Text>
              ) : (
                <Mono display="block">→ {after}</Mono>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Section>
)
