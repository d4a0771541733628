import { Box, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { reasonFor } from '../kit/access/reasons.ts'
import { ApiError } from '../kit/api/client.ts'
import { Section } from '../kit/frame/Section.tsx'
import { type BulkAct, BulkModal } from '../kit/list/BulkModal.tsx'
import type { Column } from '../kit/list/columns.ts'
import { ListTable } from '../kit/list/ListTable.tsx'
import type { List } from '../kit/list/useList.ts'
import { ActButton } from '../kit/look/ActButton.tsx'
import { MenuAction } from '../kit/look/MenuAction.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { type Guest, guests, useRows } from './rows.ts'

const columns: readonly Column<Guest>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name }) => <Mono fw={450}>{name}</Mono>,
  },
  {
    key: 'status',
    title: 'Status',
    width: 130,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge state={status} />,
  },
  {
    key: 'rooms',
    title: 'Rooms',
    sort: 'rooms',
    width: 90,
    align: 'right',
    csv: ({ rooms }) => rooms,
    cell: ({ rooms }) => rooms,
  },
]
const many = guests(3000)
const none: Guest[] = []
const failed = new ApiError(
  503,
  { code: 'unavailable', message: 'The database is unavailable. Try again.', requestId: '0000' },
  'GET /api/guests',
)
const lacks = reasonFor(['guest:guest:update'])

/** A list in every state: full, loading, empty, failed, and without permission. */
export function Lists() {
  return (
    <>
      <Shown title="3,000 rows" list={useRows(many)} />
      <Shown title="Without the permission to act" list={useRows(many.slice(0, 3))} reason={lacks} />
      <Shown title="Loading" list={useRows(none, { loading: true })} />
      <Shown title="Empty" list={useRows(none)} />
      <Shown title="Nothing found" list={useRows(none, { filters: { name: ['zzz'] } })} />
      <Shown title="Failed" list={useRows(none, { error: failed })} />
    </>
  )
}

function Shown({ title, list, reason }: { title: string; list: List<Guest>; reason?: string }) {
  const [bulk, setBulk] = useState<BulkAct<Guest>>()
  const ask = (rows: Guest[]) =>
    setBulk({
      title: `Greet ${rows.length}?`,
      text: 'Every third refuses, so that a refusal is seen.',
      verb: 'Greet guests',
      rows,
      name: ({ id, name }) => ({ id, name }),
      act: async ({ id, name }) => {
        if (id % 3 === 0) throw new Error(`${name} refuses greetings.`)
      },
      domains: [],
    })
  return (
    <Section title={`ListTable: ${title}`} pad={false}>
      <Box h={420} style={{ display: 'flex', flexDirection: 'column' }}>
        <ListTable
          name="kit"
          noun={['guest', 'guests']}
          list={list}
          columns={columns}
          card={({ name, status }) => (
            <Group justify="space-between">
              <Mono>{name}</Mono>
              <StatusBadge state={status} />
            </Group>
          )}
          label={({ name }) => name}
          menu={() => <MenuAction label="Greet" reason={reason} onClick={() => undefined} />}
          bulk={(rows) => (
            <ActButton size="xs" variant="default" reason={reason} onClick={() => ask(rows)}>
              Greet
            </ActButton>
          )}
          search={{ key: 'name', placeholder: `Name, ${title.toLowerCase()}` }}
          filters={[
            {
              key: 'status',
              label: 'Status',
              options: ['active', 'suspended', 'failed', 'running'].map((value) => ({ value, label: value })),
            },
          ]}
          empty={{ title: 'No guest yet', text: <Text inherit>Guests arrive by themselves.</Text>, tag: 'GU' }}
        />
      </Box>
      {bulk && <BulkModal {...bulk} onClose={() => setBulk(undefined)} />}
    </Section>
  )
}
