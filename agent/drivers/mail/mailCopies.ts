import { createHash } from 'node:crypto'
import { must } from '../../kit/host.ts'

/** UIDs that are named in one command. */
const AT_ONCE = 500

interface Message {
  folder: string
  uid: number
  /** Tells messages of a folder apart on both servers: the message id, or dates and size of a message without one. */
  key: string
}

async function eachMessage(at: string[], address: string, each: (message: Message) => void): Promise<void> {
  const fields = 'mailbox uid hdr.message-id date.sent date.received size.virtual'
  const onLine = (line: string) => {
    const [folder = '', uid, ...rest] = line.split('\t')
    // the first line has the names of the fields
    if (!/^\d{1,10}$/.test(uid ?? '')) return
    const id = rest.slice(0, -3).join(' ').trim()
    const key = createHash('sha1')
      .update(`${folder}\n${id || rest.join(' ')}`)
      .digest('base64')
      .slice(0, 20)
    each({ folder, uid: Number(uid), key })
  }
  await must(['doveadm', '-f', 'tab', ...at, 'fetch', '-u', address, fields, 'mailbox', '*', 'all'], {
    onLine,
    long: true,
  })
}

/**
 * Takes the messages that a mailbox has out of a copy of another server's mail, before the copy is added to the mailbox:
 * IMAP gives messages no name that both servers share. `copy` is the mail location of the copy.
 */
export async function dropKnown(address: string, copy: string): Promise<void> {
  const known = new Set<string>()
  await eachMessage([], address, ({ key }) => known.add(key))
  const at = ['-o', `mail_location=${copy}`]
  const dropped = new Map<string, number[]>()
  await eachMessage(at, address, ({ folder, uid, key }) => {
    const uids = dropped.get(folder) ?? []
    if (known.has(key)) uids.push(uid)
    dropped.set(folder, uids)
  })
  for (const [folder, uids] of dropped)
    for (let n = 0; n < uids.length; n += AT_ONCE) {
      const some = uids.slice(n, n + AT_ONCE).join(',')
      await must(['doveadm', ...at, 'expunge', '-u', address, 'mailbox', folder, 'uid', some])
    }
}
