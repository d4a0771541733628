import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { moment } from '../../../kit/look/format.ts'
import { movesOfGroups } from '../api.ts'
import { MoveLines } from '../MoveLines.tsx'

export default numbered('id', GroupMoves)

/** All moves of one group: the group's own, then those of its members. */
function GroupMoves({ id }: { id: number }) {
  const query = useQuery(movesOfGroups(id))
  const all = query.data?.migrations ?? []
  const groups = all.filter(({ type }) => type === 'group')
  const single = all.filter(({ type, parentId }) => type === 'website' && parentId === null)
  const name = groups[0]?.domain ?? single[0]?.domain
  return (
    <Screen
      query={query}
      title={name ? `Moves of the group of ${name}` : `Moves of group ${id}`}
      meta={
        <LinkTo to="/websites/groups/$id" params={{ id: String(id) }}>
          Open group
        </LinkTo>
      }
    >
      {all.length === 0 && (
        <EmptyState title="This group has not moved yet" tag="WM">
          Start a move on the page of the group: Move group.
        </EmptyState>
      )}
      <Stack gap={18}>
        {groups.map((group) => (
          <Section
            key={group.id}
            title={`${group.sourceServerName} to ${group.targetServerName}`}
            hint={`${moment(group.createdAt)}, by ${group.startedBy}`}
            pad={false}
            aside={
              <LinkTo to="/website-migrations/$id" params={{ id: String(group.id) }} fz="xs">
                Open
              </LinkTo>
            }
          >
            <MoveLines moves={all.filter(({ parentId }) => parentId === group.id).toReversed()} />
          </Section>
        ))}
        {single.length > 0 && (
          <Section title="Of single members" pad={false}>
            <MoveLines moves={single} />
          </Section>
        )}
      </Stack>
    </Screen>
  )
}
