import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import type { CSSProperties } from 'react'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Composer } from '../../../kit/conversation/Composer.tsx'
import type { SearchPeople } from '../../../kit/conversation/useMentions.ts'
import { apiOf } from '../api.ts'

const searchPeople: SearchPeople = async (search, signal) => {
  const { items } = await usersApi.list({ search, itemsPerPage: 8 }, { signal })
  return items.map(({ id, name, departmentName }) => ({ id, name, hint: departmentName ?? 'no department' }))
}

/** A comment for staff on a conversation, with mentions. */
export default function CommentOn({ page, kind }: { page: ConversationPage; kind: Kind }) {
  const lacking = useReason()
  const api = apiOf(kind)
  return (
    // as wide as the sections around
    <div style={{ '--ink-gutter': '0px' } as CSSProperties}>
      <Composer
        label="Comment for staff"
        placeholder="Comment for staff"
        draftName={`qc.${kind}.${page.id}`}
        isNote
        verb="Comment"
        search={lacking(usersApi.list) ? async () => [] : searchPeople}
        reason={lacking(api.comment)}
        onSend={async ({ text, mentions }) => {
          await api.comment({ id: page.id, commentData: text, notifyUsers: mentions })
          await readAgain(['qc'])
        }}
      />
    </div>
  )
}
