import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Menu } from '@mantine/core'
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { ItsWebsite } from '../websites/ItsWebsite.tsx'
import { notChangeable, remove } from './acts.ts'
import { databasesApi } from './api.ts'

interface Props {
  database: Database
  change: () => void
}

/** Menu items for a database. */
export function DatabaseActs({ database, change }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  const busy = notChangeable(database)
  const { websiteId } = database
  return (
    <>
      <ItsWebsite id={websiteId} tab="data" />
      <MenuAction
        label="Accounts of its website"
        icon={<IconUsers size={15} />}
        reason={lacking(databasesApi.users)}
        onClick={() => void navigate({ to: '/databases/users/list', search: { websiteIds: String(websiteId) } })}
      />
      <MenuAction
        label="Change…"
        icon={<IconPencil size={15} />}
        reason={lacking(databasesApi.update) ?? busy}
        onClick={change}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(databasesApi.remove) ?? busy}
        onClick={() => void remove(database)}
      />
    </>
  )
}
