import type { ShiftType } from '@innkeeper/contract/planning/shifts/calls'
import { Menu } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { shiftsApi } from '../api.ts'
import { TypeCard, typeColumns } from './typeColumns.tsx'

const AddType = lazyDialog(() => import('./AddType.tsx'))

export default function TypesScreen() {
  const list = useList(shiftsApi.types, { filters: ['search', 'isActive'] })
  const [adding, setAdding] = useState(false)
  const add = (
    <ActButton
      reason={useReason()(shiftsApi.createType)}
      leftSection={<IconPlus size={15} />}
      onClick={() => setAdding(true)}
    >
      Add shift type
    </ActButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={add}>
      <ListTable
        name="shift-types"
        noun={['shift type', 'shift types']}
        list={list}
        columns={typeColumns}
        card={(type) => <TypeCard type={type} />}
        label={({ name }) => name}
        open={({ id }) => `/calendar/shifts/type/${id}`}
        menu={(type) => <TypeActs type={type} />}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No shift type yet',
          text: 'A shift type says when a shift begins and ends, and how long its break is: Early, 06:00 to 14:00.',
          action: add,
          tag: 'ST',
        }}
      />
      {adding && <AddType close={() => setAdding(false)} />}
    </Screen>
  )
}

function TypeActs({ type }: { type: ShiftType }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const { id, name, version } = type
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete shift type',
      goes: [`The shift type ${name}, for new shifts`],
      stays: 'Past shifts stay unchanged.',
    })
    if (!sure) return
    const gone = await succeeds(() => shiftsApi.removeType({ id, version }), ['shifts'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Change"
        icon={<IconPencil size={15} />}
        reason={lacking(shiftsApi.updateType)}
        onClick={() => void navigate({ to: '/calendar/shifts/type/$shiftTypeId', params: { shiftTypeId: String(id) } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(shiftsApi.removeType)}
        onClick={() => void remove()}
      />
    </>
  )
}
