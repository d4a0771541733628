import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { Comment } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import { checkPeople } from '../../../access/users/exist.ts'
import { isAmong } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { contains, type Listing, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { qcComments as table } from '../../qc/talk/tables.ts'
import { readComments } from '../../qc/talk/view.ts'
import { erase, rewrite, write, writeOnDossier } from '../../qc/talk/write.ts'
import { checkSubject } from '../people/subject.ts'
import { readDossier } from '../people/view.ts'

type All = Handlers<typeof contract>
type Calls =
  | ('dossierComments' | 'commentDossier')
  | ('chatComments' | 'chatComment' | 'createChatComment' | 'updateChatComment' | 'removeChatComment')
  | ('ticketComments' | 'ticketComment' | 'createTicketComment' | 'updateTicketComment' | 'removeTicketComment')

const isLive = sql`${table.deletedAt} is null and ${table.type} = 'comment'`

async function page(db: Db, input: Listing, where: SQL[]) {
  const order = { column: table.createdAt, type: 'instant', direction: 'DESC' } as const
  const { ids, ...rest } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
  return { items: await readComments(db, ids), ...rest }
}

const ofKind = (kind: Kind) => {
  const isKind = sql`exists (select from qc_conversations c where c.qc_conversation_id = ${table.conversationId} and c.kind = ${kind})`
  const one = async (db: Db, id: number): Promise<Comment> => {
    const [comment] = await readComments(db, [id])
    if (comment?.type !== 'comment' || comment.conversationKind !== kind) throw notFound('comment', id)
    return comment
  }
  return {
    one,
    list(db: Db, { search, userId, ids, ...input }: Listing & Asked) {
      const where: SQL[] = [isLive, isKind]
      if (search) where.push(contains(table.content, search))
      if (userId) where.push(isAmong(table.aboutId, userId))
      if (ids) where.push(isAmong(table.conversationId, ids))
      return page(db, input, where)
    },
    async create(context: Context, id: number, { userId: about, commentData: text, notifyUsers }: Said) {
      if (about) await checkPeople(context.db, [about], 'userId')
      return write(context, { type: 'comment', subject: 'conversation', kind, id, text, notifyUsers, about })
    },
    async update(context: Context, { id, ...change }: Parameters<All['updateChatComment']>[0]) {
      await one(context.db, id)
      return rewrite(context, 'comment', id, change)
    },
    async remove(context: Context, id: number) {
      await one(context.db, id)
      return erase(context, 'comment', id)
    },
  }
}
interface Asked {
  search?: string | undefined
  userId?: number[] | undefined
  /** Ids of conversations. */
  ids?: number[] | undefined
}
type Said = Pick<Parameters<All['createChatComment']>[0], 'userId' | 'commentData' | 'notifyUsers'>

const [chat, ticket] = [ofKind('chat'), ofKind('ticket')]

export const commentHandlers: Pick<All, Calls> = {
  async dossierComments({ id, ...input }, context) {
    await readDossier(context, id)
    return page(context.db, input, [isLive, sql`${table.subject} = 'dossier' and ${table.subjectId} = ${id}`])
  },
  async commentDossier({ id, commentData: text, notifyUsers }, context) {
    await readDossier(context, id)
    await checkSubject(context.db, id)
    return writeOnDossier(context, { userId: id, text, notifyUsers })
  },

  chatComments: ({ chatId: ids, ...input }, { db }) => chat.list(db, { ...input, ids }),
  chatComment: ({ id }, { db }) => chat.one(db, id),
  createChatComment: ({ chatId, ...said }, context) => chat.create(context, chatId, said),
  updateChatComment: (input, context) => chat.update(context, input),
  removeChatComment: ({ id }, context) => chat.remove(context, id),

  ticketComments: ({ ticketId: ids, ...input }, { db }) => ticket.list(db, { ...input, ids }),
  ticketComment: ({ id }, { db }) => ticket.one(db, id),
  createTicketComment: ({ ticketId, ...said }, context) => ticket.create(context, ticketId, said),
  updateTicketComment: (input, context) => ticket.update(context, input),
  removeTicketComment: ({ id }, context) => ticket.remove(context, id),
}
