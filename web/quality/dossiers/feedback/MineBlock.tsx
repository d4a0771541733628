import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Block } from '../../../kit/home/Block.tsx'
import { BlockRow } from '../../../kit/home/BlockRow.tsx'
import { ago } from '../../../kit/look/format.ts'
import { feedbackApi } from '../api.ts'
import { waits } from '../words.ts'

const SHOWN = 10

/** Entries about the signed-in person that wait for their answer. */
export default function MineBlock() {
  const found = useQuery(feedbackApi.mine.query({ waiting: 'true', itemsPerPage: SHOWN }))
  const waiting = found.data?.waiting ?? 0
  return (
    <Block
      hint={waiting ? `${waits(waiting)} wait for your answer` : undefined}
      all={
        <LinkTo to="/dossiers/mine" fz="xs">
          All entries
        </LinkTo>
      }
      error={found.error}
      rows={found.data?.items.map(({ id, author, content, type, createdAt }) => (
        <BlockRow
          key={id}
          to="/dossiers/mine"
          plain
          name={author.name}
          kind={type?.name ?? 'Feedback'}
          note={content}
          when={ago(createdAt)}
          state="waiting"
        />
      ))}
      empty="Nothing about you waits for your answer."
    />
  )
}
