import { hash, verify } from '@node-rs/argon2'

/** argon2id with the parameters that OWASP names: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, options)

const nobody = hashPassword('no account has this password')

/** Takes as long for an account that does not exist: `stored` undefined. */
export async function passwordFits(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(stored ?? (await nobody), password)
  return stored !== undefined && fits
}
