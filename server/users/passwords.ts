import { weakness } from '@innkeeper/contract/passwords'
import { hash, verify } from '@node-rs/argon2'
import { invalid } from '../kit/http/errors.ts'

/** argon2id with the parameters that OWASP names: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, options)

const nobody = hashPassword('no account has this password')

/** Takes as long for an account that does not exist (`stored` undefined) or has no password yet (''). */
export async function passwordFits(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(stored || (await nobody), password)
  return Boolean(stored) && fits
}

/** 400 beside the field where a guesser would have it soon. */
export function strong(
  password: string,
  field: string,
  { username, email = '', name }: { username: string; email?: string; name: string },
): void {
  const weak = weakness(password, [username, email, name, 'innkeeper'])
  if (weak) throw invalid({ [field]: weak })
}
