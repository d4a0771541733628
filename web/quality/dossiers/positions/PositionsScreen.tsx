import type { Position } from '@innkeeper/contract/quality/dossiers/shapes'
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
import { count } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { positionsApi } from '../api.ts'
import { RemoveModal } from '../RemoveModal.tsx'
import { ChangeModal, CreateModal } from './PositionModals.tsx'

const columns: readonly Column<Position>[] = [
  {
    ...{ key: 'name', title: 'Position', sort: 'name', csv: ({ name }) => name },
    cell: ({ name, description }) => <NameCell below={description || 'no description'}>{name}</NameCell>,
  },
  {
    ...{ key: 'level', title: 'Level', sort: 'level', width: 90, align: 'right', csv: ({ level }) => level },
    cell: ({ level }) => <span className="num">{level}</span>,
  },
  {
    ...{ key: 'above', title: 'Above', width: 200, csv: ({ positionName }) => positionName },
    cell: ({ positionName }) => <Text c="dimmed">{positionName ?? 'none'}</Text>,
  },
  {
    ...{ key: 'uses', title: 'Memberships', width: 120, align: 'right', csv: ({ uses }) => uses },
    cell: ({ uses }) => <span className="num">{count(uses)}</span>,
  },
]

export default function PositionsScreen() {
  const lacking = useReason()
  const list = useList(positionsApi.positions, { filters: ['search'] })
  const [edited, edit] = useState<Position | 'new'>()
  const [removed, remove] = useState<Position>()
  const add = (
    <ActButton
      reason={lacking(positionsApi.createPosition)}
      leftSection={<IconPlus size={15} />}
      onClick={() => edit('new')}
    >
      Create position
    </ActButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={add}>
      <ListTable
        name="dossier-positions"
        noun={['position', 'positions']}
        list={list}
        columns={columns}
        card={({ name, level }) => (
          <Group justify="space-between" wrap="nowrap">
            <Text truncate>{name}</Text>
            <Text c="dimmed" fz="xs">
              Level {level}
            </Text>
          </Group>
        )}
        label={({ name }) => name}
        menu={(position) => (
          <>
            <MenuAction
              label="Change…"
              icon={<IconPencil size={15} />}
              reason={lacking(positionsApi.updatePosition)}
              onClick={() => edit(position)}
            />
            <Menu.Divider />
            <MenuAction
              label="Delete…"
              danger
              icon={<IconTrash size={15} />}
              reason={lacking(positionsApi.removePosition)}
              onClick={() => remove(position)}
            />
          </>
        )}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No position yet',
          text: 'Positions say what people are in their team: Agent, Senior agent, Lead.',
          action: add,
          tag: 'PO',
        }}
      />
      {edited === 'new' && <CreateModal close={() => edit(undefined)} />}
      {edited && edited !== 'new' && <ChangeModal position={edited} close={() => edit(undefined)} />}
      {removed && (
        <RemoveModal
          row={removed}
          noun="position"
          moves="Memberships get the replacement"
          list={positionsApi.positions}
          remove={positionsApi.removePosition}
          close={() => remove(undefined)}
        />
      )}
    </Screen>
  )
}
