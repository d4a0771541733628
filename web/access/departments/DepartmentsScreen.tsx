import type { Department } from '@innkeeper/contract/access/departments'
import { Menu } from '@mantine/core'
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { listed, useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { departmentsApi } from './api.ts'
import { columns, DepartmentCard } from './columns.tsx'

export default function DepartmentsScreen() {
  const list = useList(departmentsApi.list, { filters: ['search'] })
  const create = (
    <CreateButton call={departmentsApi.create} to="/departments/create">
      Create department
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="departments"
        noun={['department', 'departments']}
        list={list}
        columns={columns}
        card={(department) => <DepartmentCard department={department} />}
        label={({ name }) => name}
        open={({ id }) => `/departments/edit/${id}`}
        menu={(department) => <DepartmentActs department={department} />}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No department yet',
          text: 'Each person belongs to a department. Shifts, approvers and some permissions depend on it.',
          action: create,
          tag: 'DE',
        }}
      />
    </Screen>
  )
}

function DepartmentActs({ department }: { department: Department }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const { id, name, version } = department
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete department',
      goes: [`The department ${name}`],
      stays: 'The department has no members. Their actions stay in the log.',
    })
    if (!sure) return
    const gone = await succeeds(() => departmentsApi.remove({ id, version }), ['departments'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Edit"
        icon={<IconPencil size={15} />}
        reason={lacking(departmentsApi.update)}
        onClick={() => void navigate({ to: '/departments/edit/$departmentId', params: { departmentId: String(id) } })}
      />
      <MenuAction
        label="Members"
        icon={<IconUsers size={15} />}
        reason={lacking('users:user:read')}
        onClick={() => void navigate({ to: '/users', search: { department: String(id) } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(departmentsApi.remove) ?? inUse(department)}
        onClick={() => void remove()}
      />
    </>
  )
}

/** Why the department cannot be deleted; undefined if the attempt is allowed. */
function inUse({ name, people, roles }: Department): string | undefined {
  const parts = [
    ...(people ? [counted(people, ['person', 'people'])] : []),
    ...(roles ? [counted(roles, ['role', 'roles'])] : []),
  ]
  return parts.length ? `${listed(parts)} belong to ${name}. Move them first.` : undefined
}
