import type { Role } from '@innkeeper/contract/access/roles'
import { Menu } from '@mantine/core'
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
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
import { SyncButton } from '../scopes/SyncButton.tsx'
import { rolesApi } from './api.ts'
import { columns, RoleCard } from './columns.tsx'
import { useRoleFilters } from './filters.ts'

export default function RolesScreen() {
  const list = useList(rolesApi.list, { filters: ['search', 'department', 'scope'] })
  const filters = useRoleFilters(list.filters.scope)
  const create = (
    <CreateButton call={rolesApi.create} to="/roles/create">
      Create role
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          <SyncButton />
          {create}
        </>
      }
    >
      <ListTable
        name="roles"
        noun={['role', 'roles']}
        list={list}
        columns={columns}
        card={(role) => <RoleCard role={role} />}
        label={({ name }) => name}
        open={({ id }) => `/roles/edit/${id}`}
        menu={(role) => <RoleActs role={role} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={filters}
        empty={{
          title: 'No role yet',
          text: 'A role is a set of permissions that people are given together.',
          action: create,
          tag: 'UR',
        }}
      />
    </Screen>
  )
}

function RoleActs({ role }: { role: Role }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const { id, name, people, scopes, version } = role
  const held = people
    ? `${counted(people, ['person holds', 'people hold'])} ${name}. Give them another role first.`
    : undefined
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete role',
      goes: [`The role, with ${counted(scopes.length, ['permission', 'permissions'])}`],
      stays: 'Nobody has the role, so nobody loses a permission. The log keeps who had it.',
    })
    if (!sure) return
    const gone = await succeeds(() => rolesApi.remove({ id, version }), ['roles'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Edit"
        icon={<IconPencil size={15} />}
        reason={lacking(rolesApi.update)}
        onClick={() => void navigate({ to: '/roles/edit/$roleId', params: { roleId: String(id) } })}
      />
      <MenuAction
        label="People who hold it"
        icon={<IconUsers size={15} />}
        reason={lacking('users:user:read')}
        onClick={() => void navigate({ to: '/users', search: { role: String(id) } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(rolesApi.remove) ?? held}
        onClick={() => void remove()}
      />
    </>
  )
}
