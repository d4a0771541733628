import type { PasskeyAnswer } from '@innkeeper/contract/access/passkeyAnswer'
import { passkeys } from '@innkeeper/contract/access/passkeys'
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { adopt } from '../../kit/access/account.ts'
import { bind } from '../../kit/api/client.ts'

const api = bind('passkeys', passkeys)

/** Asks the browser for a passkey. Throws with words for people. */
export async function answerOfPasskey(): Promise<PasskeyAnswer> {
  const { options } = await api.challenge({})
  // the server's library makes the options that this library reads
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const answer = await startAuthentication({ optionsJSON }).catch((cause: unknown) => {
    throw new Error('No passkey was used. Try again, or sign in in another way.', { cause })
  })
  return answer as PasskeyAnswer // the contract validates the answer
}

/** Signs in with a passkey alone. */
export async function signInByPasskey(): Promise<void> {
  await api.signIn({ passkey: await answerOfPasskey() })
  await adopt()
}
