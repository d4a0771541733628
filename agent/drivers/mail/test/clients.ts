import { expect } from 'vitest'
import type { Host, Practice } from '../../../test/practice.ts'

export const [kari, lars] = ['kari@post.example', 'lars@post.example'] as const
export const [ofKari, ofLars] = ['secret of kari', 'secret of lars'] as const

let subject = 0
export const nextTitle = (word: string) => `${word} ${++subject}`

/** Other mail servers and mail programs that reach the mail server of a test. */
export function clientsOf(of: () => Practice<Host>) {
  /** Sends from outside, as another mail server does. Answers what swaks saw. */
  const arrive = async (to: string, ...more: string[]) => {
    const title = nextTitle('message')
    const { stdout } = await of().host.exec([
      ...['swaks', '--server', of().host.address, '--from', 'stranger@elsewhere.example', '--to', to],
      ...['--header', `Subject: ${title}`, ...more],
    ])
    return { title, stdout }
  }
  /** Sends as a mail program that signs in. */
  const submit = async (who: string, password: string, to: string, ...more: string[]) => {
    const title = nextTitle('message')
    const { stdout } = await of().host.exec([
      ...['swaks', '--server', of().host.address, '--port', '587', '--tls', '--auth', 'PLAIN', '--auth-user', who],
      ...['--auth-password', password, '--from', who, '--to', to, '--header', `Subject: ${title}`, ...more],
    ])
    return { title, stdout }
  }
  /** Answers of curl as an IMAP client over TLS. */
  const imap = (who: string, password: string, path: string, ...more: string[]) =>
    of().host.exec([
      'curl',
      '-sSk',
      '--ssl-reqd',
      '-u',
      `${who}:${password}`,
      `imap://${of().host.address}/${path}`,
      ...more,
    ])
  const found = async (who: string, password: string, title: string, folder = 'INBOX') =>
    (await imap(who, password, folder, '-X', `SEARCH SUBJECT "${title}"`)).stdout.replace('* SEARCH', '').trim()
  const arrives = (who: string, password: string, title: string, folder?: string) =>
    expect.poll(() => found(who, password, title, folder)).toMatch(/^\d+$/)
  const signsIn = async (who: string, password: string) => (await imap(who, password, 'INBOX', '-X', 'NOOP')).code === 0
  /** Dovecot checks for a changed file once a second. */
  const maySignIn = (who: string, password: string) => expect.poll(() => signsIn(who, password))
  return { arrive, submit, imap, found, arrives, signsIn, maySignIn }
}
