import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Composer } from '../../../kit/conversation/Composer.tsx'
import type { SearchPeople } from '../../../kit/conversation/useMentions.ts'
import { commentsApi } from '../api.ts'

const searchPeople: SearchPeople = async (search, signal) => {
  const { items } = await usersApi.list({ search, itemsPerPage: 8 }, { signal })
  return items.map(({ id, name, departmentName }) => ({ id, name, hint: departmentName ?? 'no department' }))
}

/** Comments are read by everybody who may read comments of dossiers; the field says so. */
export function CommentField({ id }: { id: number }) {
  const lacking = useReason()
  return (
    <Composer
      label="Comment for everybody who reads dossier comments"
      placeholder="Comment for everybody who reads dossier comments"
      draftName={`dossier.${id}`}
      isNote
      noFiles
      verb="Comment"
      search={lacking(usersApi.list) ? async () => [] : searchPeople}
      reason={lacking(commentsApi.commentDossier)}
      onSend={async ({ text, mentions }) => {
        await commentsApi.commentDossier({ id, commentData: text, notifyUsers: mentions })
        await readAgain(['dossiers'])
      }}
    />
  )
}
