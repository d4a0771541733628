import { weakness } from '@innkeeper/contract/kit/passwords'
import { hash, verify } from '@node-rs/argon2'
import { invalid } from '../../../kit/http/errors.ts'

/** argon2id with OWASP parameters: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, options)

const nobody = hashPassword('no account has this password')

/** Verifies a password. Takes equal time if the account does not exist (`stored` undefined) or has no password (''). */
export async function passwordFits(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(stored || (await nobody), password)
  return Boolean(stored) && fits
}

/** 400 with the field if the password is easy to guess. */
export function strong(
  password: string,
  field: string,
  { username, email = '', name }: { username: string; email?: string; name: string },
): void {
  const weak = weakness(password, [username, email, name, 'innkeeper'])
  if (weak) throw invalid({ [field]: weak })
}
