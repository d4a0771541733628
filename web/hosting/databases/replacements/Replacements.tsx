import type { Replacement } from '@innkeeper/contract/hosting/databases/replacements'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, counted } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { databasesApi } from '../api.ts'
import css from '../dumps/Dumps.module.css'
import { leftText } from './Found.tsx'

/** Texts that were replaced in the databases of a website, each with an undo. */
export default function Replacements({ website: { id } }: { website: Website }) {
  const { data } = useQuery(databasesApi.replacements.query({ id }))
  if (!data?.total) return null
  return (
    <Section title="Replaced texts" hint={counted(data.total, ['replacement', 'replacements'])}>
      {data.items.map((one) => (
        <One key={one.id} made={one} />
      ))}
    </Section>
  )
}

const howTitles: Readonly<Record<Replacement['how'], string>> = {
  text: 'Text',
  domain: 'Domain',
  network: 'Domain and names below it',
}

function One({ made }: { made: Replacement }) {
  const { from, to, how, status, databases, by, createdAt, keptUntil, notRevertible } = made
  const lacking = useReason()
  const left = databases.flatMap(({ result }) => result?.left ?? [])
  return (
    <section className={css.dump} aria-label={`${from} became ${to}`}>
      <div className={css.head}>
        <div style={{ overflowWrap: 'anywhere' }}>
          <Mono>{from}</Mono> → <Mono>{to}</Mono>
          <Text c="dimmed" fz="xs">
            {[
              howTitles[how],
              ...databases.map(
                ({ name, tables, result }) =>
                  `${name}${tables ? ` (${tables.join(', ')})` : ''}${result ? `: ${counted(result.changed, ['value', 'values'])}` : ''}`,
              ),
              `by ${by}, ${ago(createdAt)}`,
              ...(notRevertible ? [] : [`former values until ${keptUntil.slice(0, 10)}`]),
            ].join(' · ')}
          </Text>
        </div>
        <Group gap={8}>
          <StatusBadge state={status} />
          {status === 'replaced' && (
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(databasesApi.putBack) ?? notRevertible ?? undefined}
              onClick={() => void putBack(made)}
            >
              Put back…
            </ActButton>
          )}
        </Group>
      </div>
      {left.map((one) => (
        <Text key={`${one.table}.${one.column} ${one.why}`} fz="xs" c="dimmed">
          Stayed: {leftText(one)}
        </Text>
      ))}
    </section>
  )
}

async function putBack({ id, version, from, to }: Replacement): Promise<void> {
  const sure = await confirm({
    title: 'Put the former values back?',
    text: `Values with ${to} become what they were with ${from}, except those that somebody has changed since. Visitors get the maintenance page meanwhile.`,
    verb: 'Put back',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => databasesApi.putBack({ id, version }), ['databases', 'websites', 'workflows'])
  if (begun) toast.info('The former values are being put back')
}
