import * as z from 'zod'

export const PASSWORD_MIN = 12

/** Length is what counts; a sentence is welcome (NIST SP 800-63B). What is too easy is said by `weakness`. */
export const password = z
  .string()
  .min(PASSWORD_MIN, `At least ${PASSWORD_MIN} characters`)
  .max(200, 'At most 200 characters')
  .refine((text) => !/\p{Cc}/u.test(text), 'Control characters are not allowed')

/** What guessers try first among passwords that are long enough. Compared without digits and signs at the end. */
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

/** Why this password is too easy for this person; undefined when it is not. `words`: user name, email, names. */
export function weakness(text: string, words: readonly string[] = []): string | undefined {
  const plain = text.toLowerCase()
  if (new Set(plain).size < 5) return 'Too few different characters'
  if ('01234567890123456789'.includes(plain) || '98765432109876543210'.includes(plain)) return 'Only a row of digits'
  if (common.has(plain.replace(/[^a-z]+$/, ''))) return 'Among the first that a guesser tries'
  const own = words.flatMap((word) => word.toLowerCase().split(/[\s@]+/)).find((word) => isMostOf(word, plain))
  return own && `Built on “${own}”, which everybody knows`
}

const isMostOf = (word: string, text: string) =>
  word.length >= 4 && text.includes(word) && text.replaceAll(word, '').length < 6
