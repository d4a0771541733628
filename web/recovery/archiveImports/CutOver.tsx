import type { ArchiveImportView, NameLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted, lasting } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { archiveImportsApi } from './api.ts'
import { touched } from './words.ts'

/** Where the names of an import lead, and where they should. */
export function CutOver({ one }: { one: ArchiveImportView }) {
  const lacking = useReason()
  const { busy, run } = useAct()
  const { cutOver } = one
  const open = cutOver?.names.filter(({ state }) => state !== 'here') ?? []
  const go = (watch: boolean, change = false) =>
    run(() => attempt(() => archiveImportsApi.cutOver({ id: one.id, version: one.version, watch, change }), touched))
  const change = async () => {
    const sure = await confirm({
      title: 'Change the address records?',
      text: `Names in zones of Innkeeper get the address of the new server. ${followOf(open)} Leave the former server running until then.`,
      verb: 'Change records',
    })
    if (sure) await go(true, true)
  }
  return (
    <Section title="Cut-over" hint={hintOf(cutOver, open)} pad={false}>
      <Stack gap={12} p={16}>
        <Text c="dimmed" fz="xs">
          Before the names lead here, import a newer archive of the account once more: it brings what has changed since.
        </Text>
        <Group gap={8}>
          <ActButton
            loading={busy}
            reason={lacking(archiveImportsApi.cutOver)}
            onClick={() => void go(!cutOver?.watching)}
          >
            {cutOver?.watching ? 'Stop looking' : 'Look up names'}
          </ActButton>
          <ActButton
            variant="default"
            loading={busy}
            reason={
              lacking(archiveImportsApi.cutOver) ??
              (open.some(({ zone }) => zone) ? undefined : 'No name that leads elsewhere is in a zone of Innkeeper.')
            }
            onClick={() => void change()}
          >
            Change records…
          </ActButton>
        </Group>
      </Stack>
      {cutOver && <Names lines={cutOver.names} />}
    </Section>
  )
}

/** When visitors come here: resolvers keep the former answers. */
function followOf(open: readonly NameLine[]): string {
  const longest = Math.max(0, ...open.map(({ ttl = 0 }) => ttl))
  return longest
    ? `Visitors follow within ${lasting(longest * 1000)}: for so long their name servers keep the former answers.`
    : 'Visitors follow as soon as their name servers forget the former answers.'
}

function hintOf(cutOver: ArchiveImportView['cutOver'], open: readonly NameLine[]): string {
  if (!cutOver) return 'which DNS records lead to the new server'
  const at = cutOver.at ? `, looked up ${ago(cutOver.at)}` : ''
  return open.length ? `${counted(open.length, ['name is', 'names are'])} open${at}` : `all names lead here${at}`
}

const Names = ({ lines }: { lines: readonly NameLine[] }) => (
  <SectionTable
    label="Names of the import"
    rows={lines}
    keyOf={({ name, what, wanted }) => `${what} ${name} ${wanted.join()}`}
    empty="The import has no name any more."
    columns={[
      {
        title: 'Name',
        cell: ({ name, zone }) => (
          <div>
            <Mono>{name}</Mono>
            <Text c="dimmed" fz="xs">
              {zone ? `in the zone ${zone} of Innkeeper` : 'change it where its zone is'}
            </Text>
          </div>
        ),
      },
      { title: 'Should be', cell: ({ wanted }) => <Mono>{wanted.join(' or ') || 'unknown'}</Mono> },
      { title: 'Is now', cell: ({ now }) => <Mono>{now.join(', ') || '–'}</Mono> },
      { title: 'State', width: 110, cell: ({ state }) => <StatusBadge state={state} /> },
    ]}
  />
)
