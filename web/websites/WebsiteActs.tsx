import type { Website } from '@innkeeper/contract/websites'
import { Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconExternalLink,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { MenuAction } from '../kit/MenuAction.tsx'
import { useReason } from '../kit/reasons.ts'
import { activate, notSwitchable, purge, remove, restore, retry, suspend } from './acts.ts'
import { websitesApi } from './api.ts'
import { useSite } from './useSite.ts'

/** What one may do with a website: the items of its row's menu and of its page's. */
export function WebsiteActs({ website }: { website: Website }) {
  const lacking = useReason()
  const site = useSite()
  const { status, domain } = website
  if (status === 'deleted') return <TrashActs website={website} />
  const switching = lacking(websitesApi.status) ?? notSwitchable(website)
  const deleting = status === 'deleting' ? `${domain} is being deleted.` : undefined
  return (
    <>
      <Menu.Item
        component="a"
        href={site(domain)}
        target="_blank"
        rel="noopener"
        leftSection={<IconExternalLink size={15} />}
      >
        Open site
      </Menu.Item>
      {status === 'suspended' ? (
        <MenuAction
          label="Activate"
          icon={<IconPlayerPlay size={15} />}
          reason={switching}
          onClick={() => void activate(website)}
        />
      ) : (
        <MenuAction
          label="Suspend…"
          icon={<IconPlayerPause size={15} />}
          reason={switching}
          onClick={() => void suspend(website)}
        />
      )}
      {status === 'failed' && (
        <MenuAction
          label="Retry"
          icon={<IconRefresh size={15} />}
          reason={lacking(websitesApi.retry)}
          onClick={() => void retry(website)}
        />
      )}
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(websitesApi.remove) ?? deleting}
        onClick={() => void remove(website)}
      />
    </>
  )
}

/** What is in the trash comes back, or goes for good. */
function TrashActs({ website }: { website: Website }) {
  const lacking = useReason()
  return (
    <>
      <MenuAction
        label="Restore"
        icon={<IconArrowBackUp size={15} />}
        reason={lacking(websitesApi.restore)}
        onClick={() => void restore(website)}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete for good…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(websitesApi.purge)}
        onClick={() => void purge(website)}
      />
    </>
  )
}
