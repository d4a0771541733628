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

async function eachMessage(address: string, each: (message: Message) => void): Promise<void> {
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
  await must(['doveadm', '-f', 'tab', 'fetch', '-u', address, fields, 'mailbox', '*', 'all'], { onLine, long: true })
}

/**
 * Remembers the messages of a mailbox before dsync runs. dsync brings messages again that an earlier run brought, because
 * IMAP gives them no name that both servers share; `removeCopies` removes these, and no message that was here before.
 */
export async function rememberMessages(address: string): Promise<{ removeCopies: () => Promise<number> }> {
  const known = new Set<string>()
  const last = new Map<string, number>()
  await eachMessage(address, ({ folder, uid, key }) => {
    known.add(key)
    last.set(folder, Math.max(uid, last.get(folder) ?? 0))
  })
  return {
    async removeCopies() {
      const copies = new Map<string, number[]>()
      const list = (folder: string) => {
        const uids = copies.get(folder) ?? []
        copies.set(folder, uids)
        return uids
      }
      await eachMessage(address, ({ folder, uid, key }) => {
        if (uid > (last.get(folder) ?? 0) && known.has(key)) list(folder).push(uid)
      })
      for (const [folder, uids] of copies)
        for (let at = 0; at < uids.length; at += AT_ONCE) {
          const some = uids.slice(at, at + AT_ONCE).join(',')
          await must(['doveadm', 'expunge', '-u', address, 'mailbox', folder, 'uid', some])
        }
      return [...copies.values()].reduce((sum, uids) => sum + uids.length, 0)
    },
  }
}
