import type { Identity } from '@innkeeper/contract/quality/qc/sourceShapes'
import { Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ago } from '../../../kit/look/format.ts'
import { qcSourcesApi } from '../api.ts'

const columns: readonly Column<Identity>[] = [
  {
    key: 'name',
    title: 'Agent in the source',
    sort: 'name',
    csv: ({ identity }) => identity,
    cell: ({ name, identity }) => <NameCell below={identity}>{name}</NameCell>,
  },
  { key: 'source', title: 'Source', width: 170, csv: ({ sourceName }) => sourceName, cell: (row) => row.sourceName },
  {
    key: 'user',
    title: 'Person',
    width: 200,
    csv: ({ user }) => user?.name ?? '',
    cell: ({ user }) => (user ? user.name : <Text c="var(--mantine-color-warning-text)">Nobody yet</Text>),
  },
  {
    key: 'seen',
    title: 'Seen',
    width: 120,
    csv: ({ seenAt }) => seenAt,
    cell: ({ seenAt }) => <Text c="dimmed">{ago(seenAt)}</Text>,
  },
]

/** Maps agents of sources to people. An agent with the address of a person is mapped automatically. */
export default function IdentitiesScreen() {
  const list = useList(qcSourcesApi.identities, { filters: ['search', 'unknown'] })
  const [open, setOpen] = useState<Identity>()
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="qc-identities"
        noun={['agent', 'agents']}
        list={list}
        columns={columns}
        card={({ name, identity, user }) => (
          <>
            <Text fw={450} truncate>
              {name}
            </Text>
            <Text c="dimmed" fz="xs" truncate>
              {identity}, {user?.name ?? 'nobody yet'}
            </Text>
          </>
        )}
        label={({ name }) => name}
        menu={(row) => <Menu.Item onClick={() => setOpen(row)}>Choose person</Menu.Item>}
        search={{ key: 'search', placeholder: 'Name or address' }}
        filters={[
          {
            key: 'unknown',
            label: 'Person',
            single: true,
            options: [
              { value: 'true', label: 'Nobody yet' },
              { value: 'false', label: 'Known' },
            ],
          },
        ]}
        empty={{ title: 'No agent yet', text: 'Agents appear with the first import.', tag: 'AG' }}
      />
      {open && <MapModal identity={open} close={() => setOpen(undefined)} />}
    </Screen>
  )
}

function MapModal({ identity: { id, version, name, user }, close }: { identity: Identity; close: () => void }) {
  const lacking = useReason()(usersApi.list)
  const form = useCallForm(qcSourcesApi.mapIdentity, {
    initial: { userId: user?.id ?? null },
    fixed: { id, version },
    valuesOf: ({ user: mapped }: Identity) => ({ userId: mapped?.id ?? null }),
    labels: { userId: 'Person' },
    onDone: () => {
      void readAgain(['qc'])
      toast.success(`${name} is mapped`)
      close()
    },
  })
  const { value, onChange } = form.field('userId')
  return (
    <FormModal
      opened
      close={close}
      title={`Who is ${name}?`}
      save="Save person"
      form={form}
      nothing="Nothing was saved."
    >
      <PickOne
        label="Person"
        call={usersApi.list}
        nameOf={(one) => one.name}
        hint={(one) => one.departmentName ?? null}
        value={value}
        valueName={user?.name}
        onChange={onChange}
        {...(lacking && { reason: lacking })}
      />
      <Text c="dimmed" fz="xs">
        Already imported conversations change too. Reviews stay with the person they are about.
      </Text>
    </FormModal>
  )
}
