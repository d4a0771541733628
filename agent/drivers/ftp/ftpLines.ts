import type { OperationInput } from '@innkeeper/contract/agent/operations'

type User = OperationInput<'ftp-user.ensure'>

/** A line of the file of logins; `about` are the id and the UNIX time of the end, 0 for never. */
export interface Login {
  id: number
  name: string
  hash: string
  home: string
  line: string
}

/** The folder that the login is confined to. */
export const homeOf = ({ site, folder }: Pick<User, 'site' | 'folder'>) => (folder ? `${site}/${folder}` : site)

/** A line of pure-ftpd's password file. A hash behind `!` matches no password. */
export function lineOf(user: User, { uid, gid }: { uid: number; gid: number }): string {
  const { id, name, hash, state, quotaMb, uploadKbps, downloadKbps, sessions, expires } = user
  const bytes = (kib: number | undefined) => (kib === undefined ? '' : kib * 1024)
  return [
    ...[name, state === 'active' ? hash : `!${hash}`, uid, gid, `${id} ${expires ?? 0}`, homeOf(user)],
    ...[bytes(uploadKbps), bytes(downloadKbps), '', '', sessions ?? ''],
    ...[quotaMb === undefined ? '' : 1_000_000_000, quotaMb === undefined ? '' : quotaMb * 1_048_576],
    ...['', '', '', '', ''],
  ].join(':')
}

/** Parses the file of logins. */
export const loginsIn = (text: string): Login[] =>
  text.split('\n').flatMap((line) => {
    const [name = '', hash = '', , , about = '', home = ''] = line.split(':')
    const id = Number(about.split(' ')[0])
    return id ? [{ id, name, hash, home, line }] : []
  })

/** The file with this line in the place of the login's former one; without `line`, without the login. */
export function withLine(text: string, id: number, line?: string): string {
  const others = loginsIn(text).filter((login) => login.id !== id)
  const lines = [...others.map((login) => login.line), ...(line ? [line] : [])]
  return lines.map((one) => `${one}\n`).join('')
}
