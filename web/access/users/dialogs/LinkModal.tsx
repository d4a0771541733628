import type { Link, User } from '@innkeeper/contract/access/users/shapes'
import { SecretOnce } from '../../../kit/dialogs/SecretOnce.tsx'
import { moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'

interface Props {
  user: Pick<User, 'name' | 'username'>
  link: Link
  close: () => void
}

/** Shows a sign-in link once; the server stores only its hash. */
export default function LinkModal({ user, link, close }: Props) {
  return (
    <SecretOnce
      title={`Sign-in link for ${user.name}`}
      text={
        <>
          Send it to {user.name} in a way that others cannot read. Whoever opens it chooses the password of{' '}
          <Mono>{user.username}</Mono>.
        </>
      }
      label="sign-in link"
      secret={`${globalThis.location.origin}${link.link}`}
      note={`It works once, until ${moment(link.expiresAt)}. It is not shown again; a new one can be made at any time.`}
      close={close}
    />
  )
}
