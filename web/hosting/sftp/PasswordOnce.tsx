import { SecretOnce } from '../../kit/dialogs/SecretOnce.tsx'
import { Mono } from '../../kit/look/Mono.tsx'

interface Props {
  username: string
  password: string
  close: () => void
}

/** Shows a new password once; the server stores only its hash. */
export const PasswordOnce = ({ username, password, close }: Props) => (
  <SecretOnce
    title={`Password of ${username}`}
    text={
      <>
        <Mono>{username}</Mono> signs in with it as soon as its server has it. Send it in a way that others cannot read.
      </>
    }
    label="password"
    secret={password}
    close={close}
  />
)
