import type { Role } from '@innkeeper/contract/roles'
import { Menu } from '@mantine/core'
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { CreateButton } from '../kit/CreateButton.tsx'
import { confirmByName } from '../kit/dialogs.ts'
import { count, counted } from '../kit/format.ts'
import { ListTable } from '../kit/ListTable.tsx'
import { MenuAction } from '../kit/MenuAction.tsx'
import { useReason } from '../kit/reasons.ts'
import { Screen } from '../kit/Screen.tsx'
import { toast } from '../kit/toast.ts'
import { useList } from '../kit/useList.ts'
import { SyncButton } from '../scopes/SyncButton.tsx'
import { attempt } from '../websites/attempt.ts'
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
      count={list.loading || list.error ? undefined : `${count(list.total)}${list.more ? '+' : ''}`}
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
      stays: 'Nobody holds it, so that nobody loses anything. The log keeps who held it.',
    })
    if (!sure) return
    const gone = await attempt(() => rolesApi.remove({ id, version }).then(() => true), ['roles'])
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
