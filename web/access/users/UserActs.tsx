import type { Link, User } from '@innkeeper/contract/access/users/shapes'
import { Menu } from '@mantine/core'
import {
  IconKey,
  IconLifebuoy,
  IconLink,
  IconLockOpen,
  IconLogout,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconShieldOff,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { dropSecondFactor, forceLogout, newLink, resume, suspend, unlock } from './acts.ts'
import { usersApi } from './api.ts'

/** The open dialog. The page owns it, because the menu that opens it closes. */
export type UserDialog =
  | { kind: 'link'; user: Pick<User, 'name' | 'username'>; link: Link }
  | { kind: 'password' | 'delete' | 'recover'; user: User }
  | { kind: 'assign'; users: User[] }

interface Props {
  user: User
  ask: (dialog: UserDialog) => void
  /** Whether this is the person's own page. */
  here?: boolean
}

/** The menu items of a user account, for its row and its page. */
export function UserActs({ user, ask, here }: Props) {
  const lacking = useReason()
  const me = useSession()
  const navigate = useNavigate()
  const own = user.id === me.id
  const above = user.isAdmin && !me.isAdmin ? 'Only administrators change an administrator’s account.' : undefined
  const letIn = lacking(usersApi.link) ?? (own ? 'Your own password is under Security.' : above)
  return (
    <>
      {!here && (
        <MenuAction
          label="Edit"
          icon={<IconPencil size={15} />}
          reason={lacking(usersApi.update) ?? above}
          onClick={() => void navigate({ to: '/users/edit/$userId', params: { userId: String(user.id) } })}
        />
      )}
      <MenuAction
        label="Sign-in link…"
        icon={<IconLink size={15} />}
        reason={letIn}
        onClick={() => void newLink(user).then((link) => link && ask({ kind: 'link', user, link }))}
      />
      <MenuAction
        label="First password…"
        icon={<IconKey size={15} />}
        reason={letIn}
        onClick={() => ask({ kind: 'password', user })}
      />
      <MenuAction
        label="Unlock"
        icon={<IconLockOpen size={15} />}
        reason={lacking(usersApi.unlock) ?? (user.lockedUntil ? undefined : `${user.name} is not locked.`)}
        onClick={() => void unlock(user)}
      />
      <MenuAction
        label="Take off second factor…"
        icon={<IconShieldOff size={15} />}
        reason={letIn ?? (user.secondFactor ? undefined : `${user.name} has no second factor.`)}
        onClick={() => void dropSecondFactor(user)}
      />
      <MenuAction
        label="Sign out everywhere…"
        icon={<IconLogout size={15} />}
        reason={lacking(usersApi.forceLogout)}
        onClick={() => void forceLogout(user)}
      />
      <MenuAction
        label="Recover account…"
        icon={<IconLifebuoy size={15} />}
        reason={letIn}
        onClick={() => ask({ kind: 'recover', user })}
      />
      <MenuAction
        label={user.suspendedAt ? 'End suspension' : 'Suspend…'}
        icon={user.suspendedAt ? <IconPlayerPlay size={15} /> : <IconPlayerPause size={15} />}
        reason={lacking(usersApi.suspend) ?? (own ? 'Nobody suspends their own account.' : above)}
        onClick={() => void (user.suspendedAt ? resume(user) : suspend(user))}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(usersApi.remove) ?? (own ? 'Nobody deletes their own account.' : above)}
        onClick={() => ask({ kind: 'delete', user })}
      />
    </>
  )
}
