import type { Access } from '@innkeeper/contract/access'
import type { Endpoint } from '@innkeeper/contract/kit'
import type { Website } from '@innkeeper/contract/websites'
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
import { lazyPart } from '../kit/frame/lazyScreen.tsx'
import { movesApi } from '../moves/api.ts'
import { namesApi } from '../names/api.ts'
import { websitesApi } from './api.ts'
import { isLive } from './section.ts'
import { activate, notSwitchable, purge, remove, restore, retry, suspend } from './switching.ts'

/** What one may do with a website: an item of its row's menu and of its page's. */
export interface SiteAct {
  /** Dots: more will be asked. */
  label: string
  Icon: TablerIcon
  /** The call that it makes: who lacks the permission is told which. */
  call: { endpoint: Endpoint } | Access
  /** Where it has a meaning. */
  when: (website: Website) => boolean
  /** Why it cannot be done now; undefined when it can. */
  not?: (website: Website) => string | undefined
  /** Stands as a button beside the title too. */
  button?: true
  danger?: true
  /** Does it at once, or after a question of its own… */
  run?: (website: Website) => unknown
  /** … or asks for more in a dialog, fetched when it is opened (`lazyPart`). */
  Form?: ComponentType<SiteFormProps>
}
export interface SiteFormProps {
  website: Website
  close: () => void
}

const isDeleted = ({ status }: Website): boolean => status === 'deleted'
const isSuspended = ({ status }: Website): boolean => status === 'suspended'

/** One line per act, in the order of the menu; what destroys comes last. */
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
      () => import('../names/RenameSite.tsx'),
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
      () => import('../moves/MoveWebsite.tsx'),
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
