import * as z from 'zod'

export const PASSWORD_MIN = 12

/** A password. Only its length counts, as in NIST SP 800-63B; `weakness` refuses passwords that are easy to guess. */
export const password = z
  .string()
  .min(PASSWORD_MIN, `At least ${PASSWORD_MIN} characters`)
  .max(200, 'At most 200 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'Control characters are not allowed')

/** The most common passwords of sufficient length. Compared without digits and punctuation at the end. */
const common = new Set([
  ...[
    'password',
    'passwordpassword',
    'qwertyuiop',
    'qwertyuiopasdf',
    'qwertyqwerty',
    'administrator',
    'letmeinletmein',
  ],
  ...[
    'iloveyou',
    'welcomewelcome',
    'changemechangeme',
    'adminadmin',
    'adminadminadmin',
    'innkeeper',
    'innkeeperinnkeeper',
  ],
])

/** Why a password is easy to guess for this person, or undefined. `words`: user name, email, names. */
export function weakness(text: string, words: readonly string[] = []): string | undefined {
  const plain = text.toLowerCase()
  if (new Set(plain).size < 5) return 'Too few different characters'
  if ('01234567890123456789'.includes(plain) || '98765432109876543210'.includes(plain))
    return 'Consecutive digits are easy to guess'
  if (common.has(plain.replace(/(?<![^a-z])[^a-z]+$/, ''))) return 'One of the most common passwords'
  const own = words.flatMap((word) => word.toLowerCase().split(/[\s@]+/)).find((word) => isMostOf(word, plain))
  return own && `Based on “${own}”, which is easy to guess`
}

const isMostOf = (word: string, text: string) =>
  word.length >= 4 && text.includes(word) && text.replaceAll(word, '').length < 6
