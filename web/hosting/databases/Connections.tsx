import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { databasesApi } from './api.ts'

const REFRESH_MS = 5000

interface Props {
  database: Database
  /** Shows only statements that have run for this many seconds. */
  slow?: number
}

/** Open connections of a database, read live; long statements come first. */
export function Connections({ database: { id, name }, slow }: Props) {
  const lacking = useReason()
  const { data, error } = useQuery({ ...databasesApi.connections.query({ id }), refetchInterval: REFRESH_MS })
  const end = async (connection: number) => {
    const sure = await confirm({
      title: `End connection ${connection}?`,
      text: 'Its open transaction is rolled back. The application may connect again at once.',
      verb: 'End connection',
      danger: true,
    })
    if (sure) await attempt(() => databasesApi.endConnection({ id, connection }), ['databases'])
  }
  if (!data)
    return (
      <Text c="dimmed" mt={10}>
        {error?.message ?? 'Asking its server…'}
      </Text>
    )
  const items = slow === undefined ? data.items : data.items.filter((one) => one.sql && one.seconds >= slow)
  return (
    <>
      <Text c="dimmed" mt={10} fz="xs">
        {slow !== undefined && 'Running now: '}
        {counted(items.length, ['connection', 'connections'])}, read every {REFRESH_MS / 1000} seconds
      </Text>
      <SectionTable
        label={slow === undefined ? `Connections of ${name}` : `Slow statements running in ${name}`}
        edges={false}
        maxHeight={320}
        rows={items}
        keyOf={(one) => one.id}
        empty={slow === undefined ? 'Nobody is connected.' : `No statement runs longer than ${slow} s.`}
        columns={[
          { title: 'Account', width: 200, cell: ({ user, host }) => <Mono>{`${user}@${host}`}</Mono> },
          { title: 'Seconds', width: 90, align: 'right', cell: ({ seconds }) => seconds },
          { title: 'State', width: 140, cell: ({ state, command }) => state ?? command },
          {
            title: 'Statement',
            cell: ({ sql }) => <Mono style={{ overflowWrap: 'anywhere' }}>{sql ?? ''}</Mono>,
          },
          {
            title: '',
            width: 80,
            cell: (one) => (
              <ActButton
                size="xs"
                variant="default"
                aria-label={`End connection ${one.id}`}
                reason={lacking(databasesApi.endConnection)}
                onClick={() => void end(one.id)}
              >
                End…
              </ActButton>
            ),
          },
        ]}
      />
    </>
  )
}
