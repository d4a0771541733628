import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import type { Access } from '@innkeeper/contract/kit/access'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import {
  IconArrowBackUp,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
  IconTruck,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { movesApi } from '../../moves/api.ts'
import { namesApi } from '../../names/api.ts'
import { websitesApi } from '../api.ts'
import { isLive } from './section.ts'
import { activate, notSwitchable, purge, remove, restore, retry, suspend } from './switching.ts'

/** An action on a website: an item of the menus of its row and page. */
export interface SiteAct {
  /** Ends with dots if a dialog follows. */
  label: string
  Icon: TablerIcon
  /** The call behind the action: its scopes decide whether the item is disabled. */
  call: { endpoint: Endpoint } | Access
  /** Whether the action applies to the website. */
  when: (website: WebsiteRow) => boolean
  /** Why the action is disabled now; undefined if it is enabled. */
  not?: (website: WebsiteRow) => string | undefined
  /** Also shows a button beside the title. */
  button?: true
  danger?: true
  /** Runs at once or after its own confirmation. */
  run?: (website: WebsiteRow) => unknown
  /** Dialog with a form, instead of `run`; loaded on demand by `lazyPart`. */
  Form?: ComponentType<SiteFormProps>
}
interface SiteFormProps {
  website: WebsiteRow
  close: () => void
}

const isDeleted = ({ status }: WebsiteRow): boolean => status === 'deleted'
const isSuspended = ({ status }: WebsiteRow): boolean => status === 'suspended'

/** Actions in the order of the menu, destructive ones last. */
export const acts: readonly SiteAct[] = [
  {
    label: 'Activate',
    Icon: IconPlayerPlay,
    call: websitesApi.status,
    when: isSuspended,
    not: notSwitchable,
    button: true,
    run: activate,
  },
  {
    label: 'Suspend…',
    Icon: IconPlayerPause,
    call: websitesApi.status,
    when: (website) => isLive(website) && !isSuspended(website),
    not: notSwitchable,
    button: true,
    run: suspend,
  },
  {
    label: 'Rename…',
    Icon: IconPencil,
    call: namesApi.rename,
    when: (website) => isLive(website) && website.kind !== 'alias',
    not: notSwitchable,
    Form: lazyPart(
      () => import('../../names/RenameSite.tsx'),
      () => null,
    ),
  },
  {
    label: 'Move to another server…',
    Icon: IconTruck,
    call: movesApi.create,
    when: ({ kind, status }) => kind === 'main' && status !== 'deleted',
    not: notSwitchable,
    Form: lazyPart(
      () => import('../../moves/wizard/MoveWebsite.tsx'),
      () => null,
    ),
  },
  { label: 'Retry', Icon: IconRefresh, call: websitesApi.retry, when: ({ status }) => status === 'failed', run: retry },
  { label: 'Restore', Icon: IconArrowBackUp, call: websitesApi.restore, when: isDeleted, run: restore },
  {
    label: 'Delete…',
    Icon: IconTrash,
    call: websitesApi.remove,
    when: isLive,
    not: ({ status, domain }) => (status === 'deleting' ? `${domain} is being deleted.` : undefined),
    danger: true,
    run: remove,
  },
  {
    label: 'Delete for good…',
    Icon: IconTrash,
    call: websitesApi.purge,
    when: isDeleted,
    danger: true,
    run: purge,
  },
]
