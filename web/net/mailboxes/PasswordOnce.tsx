import { SecretOnce } from '../../kit/dialogs/SecretOnce.tsx'
import { Mono } from '../../kit/look/Mono.tsx'

interface Props {
  address: string
  password: string
  close: () => void
}

/** Shows a new password once; Innkeeper and the server keep only its hash. */
export const PasswordOnce = ({ address, password, close }: Props) => (
  <SecretOnce
    title={`Password of ${address}`}
    text={
      <>
        Mail programs sign in as <Mono>{address}</Mono> with it as soon as the server has it.
      </>
    }
    label="password"
    secret={password}
    close={close}
  />
)
