import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Message } from '../../../kit/conversation/messages.ts'

/** Messages of a conversation as the kit shows them. */
export const messagesOf = ({ items }: Pick<ConversationPage, 'items'>): Message[] =>
  items.map(({ id, at, author, role, body, kind, editedAt, removedAt, files }) => ({
    ...{ id: String(id), at, text: body, kind, author: { name: author || role, isStaff: role === 'agent' } },
    ...(editedAt && { editedAt }),
    ...(removedAt && { removed: true }),
    ...(files.length > 0 && { files: files.map(({ name, size, url }) => ({ name, size, href: safe(url) })) }),
  }))

/** A link of a source opens a page of the web only. */
const safe = (url: string) => (/^https?:\/\//i.test(url) ? url : '')
