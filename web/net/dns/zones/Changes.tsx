import type { ZoneChange, ZoneView } from '@innkeeper/contract/net/dns/calls'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { count, moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { dnsApi } from '../api.ts'
import { Diff } from '../Diff.tsx'
import { lineOf } from '../records/draft.ts'

const SIZE = 20
/** Lines of a change that are shown before "show all". */
const SHOWN = 12
const kinds: Record<ZoneChange['kind'], string> = {
  create: 'Zone added',
  edit: 'Records changed',
  import: 'Zone file imported',
  revert: 'Reverted',
  website: 'For a website',
}

/** History of the records, newest change first, each with an undo. */
export default function Changes({ zone }: { zone: ZoneView }) {
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...dnsApi.changes.query({ id: zone.id, page, itemsPerPage: SIZE }),
    placeholderData: keepPreviousData,
  })
  const { items = [], total = 0 } = query.data ?? {}
  return (
    <Section title="Changes" hint={query.data ? `${count(total)}, newest first` : undefined}>
      {query.error && <ErrorLine error={query.error} />}
      <Stack gap={18}>
        {items.map((change) => (
          <One key={change.id} change={change} zone={zone} />
        ))}
        {query.isPending && (
          <Text c="dimmed">
            <Reading />
          </Text>
        )}
        {total > SIZE && (
          <Group gap={8}>
            <ActButton
              size="xs"
              variant="default"
              reason={page === 1 ? 'These are the newest.' : undefined}
              onClick={() => setPage(page - 1)}
            >
              Newer
            </ActButton>
            <ActButton
              size="xs"
              variant="default"
              reason={page * SIZE >= total ? 'These are the oldest.' : undefined}
              onClick={() => setPage(page + 1)}
            >
              Older
            </ActButton>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

function One({ change, zone }: { change: ZoneChange; zone: ZoneView }) {
  const [all, setAll] = useState(false)
  const reason = useReason()(dnsApi.revert)
  const { id, at, by, kind, serial, revertedBy } = change
  const lines = change.lines.map(
    (line) => `${line.sign} ${lineOf({ ...line, ttl: String(line.ttl), priority: String(line.priority ?? '') })}`,
  )
  const shown = all ? lines : lines.slice(0, SHOWN)
  const revert = async () => {
    const sure = await confirm({
      title: 'Revert this change?',
      text: `A new change puts the ${lines.length === 1 ? 'record' : 'records'} back to the state before ${moment(at)}.`,
      verb: 'Revert change',
    })
    if (!sure) return
    const done = await attempt(
      () => dnsApi.revert({ id: zone.id, change: id, version: zone.version }),
      ['dns', 'workflows'],
    )
    if (done) toast.success('The change is reverted')
  }
  return (
    <div>
      <Group justify="space-between" mb={6} gap={8}>
        <Group gap={10}>
          <Text fw={500}>{kinds[kind]}</Text>
          <Text c="dimmed">
            {by}, {moment(at)}, serial <Mono>{serial}</Mono>
          </Text>
          {revertedBy && <Text c="dimmed">reverted by {revertedBy}</Text>}
        </Group>
        {kind !== 'create' && !revertedBy && (
          <ActButton
            size="xs"
            variant="subtle"
            color="secondary"
            reason={reason}
            leftSection={<IconArrowBackUp size={14} />}
            aria-label={`Revert the change of ${moment(at)}`}
            onClick={() => void revert()}
          >
            Revert…
          </ActButton>
        )}
      </Group>
      <Diff lines={shown} label={`Change of ${moment(at)}`} />
      {lines.length > shown.length && (
        <Button size="xs" variant="subtle" mt={4} onClick={() => setAll(true)}>
          Show all {count(lines.length)} lines
        </Button>
      )}
    </div>
  )
}
