import type { ServiceAccount } from '@innkeeper/contract/access/serviceAccounts'
import { Menu } from '@mantine/core'
import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react'
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
import { serviceAccountsApi } from './api.ts'
import { columns, ServiceAccountCard } from './columns.tsx'

export default function ServiceAccountsScreen() {
  const list = useList(serviceAccountsApi.list, { filters: ['search', 'owner', 'role', 'department'] })
  const create = (
    <CreateButton call={serviceAccountsApi.create} to="/service-accounts/create">
      Create service account
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="service-accounts"
        noun={['service account', 'service accounts']}
        list={list}
        columns={columns}
        card={(account) => <ServiceAccountCard account={account} />}
        label={({ name }) => name}
        open={({ id }) => `/service-accounts/edit/${id}`}
        menu={(account) => <Acts account={account} />}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No service account yet',
          text: 'A program with an account of its own keeps working when the person who set it up leaves. It has a role, and signs in by tokens only.',
          action: create,
          tag: 'SA',
        }}
      />
    </Screen>
  )
}

function Acts({ account: { id, name, version, tokens } }: { account: ServiceAccount }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete service account',
      goes: [
        `The account ${name}`,
        ...(tokens ? [`Its ${counted(tokens, ['token', 'tokens'])}: programs are refused at once`] : []),
      ],
      stays: 'What it did stays in the action log.',
    })
    if (!sure) return
    const gone = await succeeds(() => serviceAccountsApi.remove({ id, version }), ['serviceAccounts', 'apiTokens'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Edit"
        icon={<IconPencil size={15} />}
        reason={lacking(serviceAccountsApi.update)}
        onClick={() => void navigate({ to: '/service-accounts/edit/$accountId', params: { accountId: String(id) } })}
      />
      <MenuAction
        label="Make API token"
        icon={<IconKey size={15} />}
        reason={lacking(['api:token:create', 'api:service-account:update'])}
        onClick={() => void navigate({ to: '/tokens/create', search: { account: String(id) } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(serviceAccountsApi.remove)}
        onClick={() => void remove()}
      />
    </>
  )
}
