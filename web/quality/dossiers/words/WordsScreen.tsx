import type { Word } from '@innkeeper/contract/quality/dossiers/shapes'
import { Group, Menu, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, count } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { RemoveModal } from '../RemoveModal.tsx'
import { ChangeModal, CreateModal, type WordNoun } from './WordModals.tsx'

const columns: readonly Column<Word>[] = [
  {
    ...{ key: 'name', title: 'Name', sort: 'name', csv: ({ name }) => name },
    cell: ({ name, description }) => <NameCell below={description || 'no description'}>{name}</NameCell>,
  },
  {
    ...{ key: 'isActive', title: 'Offered', width: 100, csv: ({ isActive }) => (isActive ? 'yes' : 'no') },
    cell: ({ isActive }) => <Text c="dimmed">{isActive ? 'Yes' : 'No'}</Text>,
  },
  {
    ...{ key: 'uses', title: 'Entries', width: 92, align: 'right', csv: ({ uses }) => uses },
    cell: ({ uses }) => <span className="num">{count(uses)}</span>,
  },
  {
    ...{ key: 'createdAt', title: 'Created', sort: 'createdAt', width: 120, csv: ({ createdAt }) => createdAt },
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

/** A list of categories or types, edited in dialogs. */
export function WordsScreen(of: WordNoun) {
  const lacking = useReason()
  const list = useList(of.list, { filters: ['search', 'isActive'] })
  const [edited, edit] = useState<Word | 'new'>()
  const [removed, remove] = useState<Word>()
  const [one, many] = of.noun
  const add = (
    <ActButton reason={lacking(of.create)} leftSection={<IconPlus size={15} />} onClick={() => edit('new')}>
      {`Create ${one}`}
    </ActButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={add}>
      <ListTable
        name={`dossier-${many.replaceAll(' ', '-')}`}
        noun={[one, many]}
        list={list}
        columns={columns}
        card={({ name, uses }) => (
          <Group justify="space-between" wrap="nowrap">
            <Text truncate>{name}</Text>
            <Text c="dimmed" fz="xs">
              {count(uses)}
            </Text>
          </Group>
        )}
        label={({ name }) => name}
        menu={(word) => (
          <>
            <MenuAction
              label="Change…"
              icon={<IconPencil size={15} />}
              reason={lacking(of.update)}
              onClick={() => edit(word)}
            />
            <Menu.Divider />
            <MenuAction
              label="Delete…"
              danger
              icon={<IconTrash size={15} />}
              reason={lacking(of.remove)}
              onClick={() => remove(word)}
            />
          </>
        )}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            ...{ key: 'isActive', label: 'Offered', single: true },
            options: [
              { value: 'true', label: 'Yes' },
              { value: 'false', label: 'No' },
            ],
          },
        ]}
        empty={{ title: `No ${one} yet`, text: of.text, action: add, tag: 'FB' }}
      />
      {edited === 'new' && <CreateModal of={of} close={() => edit(undefined)} />}
      {edited && edited !== 'new' && <ChangeModal of={of} word={edited} close={() => edit(undefined)} />}
      {removed && (
        <RemoveModal
          row={removed}
          noun={one}
          moves="Its entries get the replacement"
          list={of.list}
          remove={of.remove}
          close={() => remove(undefined)}
        />
      )}
    </Screen>
  )
}
