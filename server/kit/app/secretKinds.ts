import type { Permission } from '@innkeeper/contract/permissions/services'
import { type SQL, sql } from 'drizzle-orm'

/** Secrets of one kind: what people lose with the key, and how they replace it. */
export interface SecretKind {
  /** The names of the secrets begin with this text. */
  prefix: string
  what: string
  again: string
  /** A subquery that finds the name of the object; `rest` is the name of the secret after the prefix. */
  of?(name: SQL, rest: SQL): SQL
  /**
   * Who enters it again and where: a permission, the screen, and a subquery for the page of the object. Without it nobody
   * has to do anything.
   */
  enter?: { scope: Permission; at: string; page?(name: SQL, rest: SQL): SQL }
  /** Innkeeper makes a new value by itself; `used` is a statement that puts it into use. */
  renewed?: { make(): string; used?: SQL }
  /** A statement that marks the objects whose secrets were lost. */
  marked?: SQL
}

/** The kit's own secrets: the next start makes them again. */
export const ownKinds: readonly SecretKind[] = [
  { prefix: 'sessions', what: 'Signing key of sessions', again: 'Everybody signs in again.' },
  { prefix: 'tickets', what: 'Signing key of downloads', again: 'Started downloads are opened again.' },
  {
    prefix: 'agents-door',
    what: 'Identity that agents verify',
    enter: { scope: 'server:server:create', at: '/server' },
    again: 'Run the enrolment command again on every server: agents accept no other Innkeeper.',
  },
]

export const kindOf = (kinds: readonly SecretKind[], name: string): SecretKind | undefined =>
  kinds.find(({ prefix }) => name.startsWith(prefix))

/** Words the refusal of a lost secret. */
export const wordingOf = (kinds: readonly SecretKind[]) => (name: string) => {
  const kind = kindOf(kinds, name)
  return `${kind?.what ?? `The secret ${name}`} was lost with Innkeeper’s key. ${kind?.again ?? 'Enter it again.'}`
}

/** The rest of a name of the form `kind:12:random` or `kind:12` as a number. */
export const numberIn = (rest: SQL): SQL => sql`substring(${rest} from '[0-9]+')::int`
