import type { User } from '@innkeeper/contract/access/users/shapes'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { count } from '../../kit/look/format.ts'
import { usersApi } from '../users/api.ts'
import { rightsWord } from '../users/words.ts'

const SHOWN = 50

interface Props {
  id: number
  add: number[]
  remove: number[]
  setAdd: (ids: number[]) => void
  setRemove: (ids: number[]) => void
  error?: string
}

/** Members of a department. Added and removed people are saved with the form. */
export function Members({ id, add, remove, setAdd, setRemove, error }: Props) {
  const reason = useReason()(usersApi.ofDepartment)
  const members = useQuery({ ...usersApi.ofDepartment.query({ id, itemsPerPage: SHOWN }), enabled: !reason })
  const [added, setAdded] = useState<User[]>([])
  const pick = (user: User | undefined) => {
    if (!user) return
    setAdded((now) => [...now, user])
    setAdd([...add, user.id])
  }
  const undo = (user: User) => setAdd(add.filter((one) => one !== user.id))
  return (
    <Section title="Members" hint={members.data && count(members.data.total)}>
      {reason && <Text c="dimmed">{reason}</Text>}
      {members.isPending && !reason && <Skeleton h={80} />}
      {members.error && <Text c="error">{members.error.message}</Text>}
      {!reason && (
        <Stack gap={10}>
          <PickOne
            key={add.length} // resets the field after each added person
            label="Add somebody"
            placeholder="Name, user name or e-mail"
            call={usersApi.list}
            nameOf={({ name }) => name}
            hint={({ departmentName }) => (departmentName ? `Moves from ${departmentName}` : 'Belongs nowhere yet')}
            closed={({ id: user, departmentId }) =>
              departmentId === id || add.includes(user) ? 'Belongs to it already' : undefined
            }
            value={null}
            onChange={(_, user) => pick(user)}
            error={error}
          />
          {added
            .filter((user) => add.includes(user.id))
            .map((user) => (
              <Member key={user.id} user={user} mark="+" act="Undo" onAct={() => undo(user)} />
            ))}
          {members.data?.items.map((user) =>
            remove.includes(user.id) ? (
              <Member
                key={user.id}
                user={user}
                mark="−"
                act="Undo"
                onAct={() => setRemove(remove.filter((one) => one !== user.id))}
              />
            ) : (
              <Member key={user.id} user={user} act="Take out" onAct={() => setRemove([...remove, user.id])} />
            ),
          )}
          {members.data?.total === 0 && <Text c="dimmed">The department has no members yet.</Text>}
          {members.data && members.data.total > SHOWN && (
            <LinkTo to="/users" search={{ department: String(id) }}>
              All {count(members.data.total)}
            </LinkTo>
          )}
        </Stack>
      )}
    </Section>
  )
}

interface MemberProps {
  user: User
  /** Marks unsaved changes. */
  mark?: '+' | '−'
  act: string
  onAct: () => void
}
const Member = ({ user, mark, act, onAct }: MemberProps) => (
  <Group justify="space-between" wrap="nowrap" gap={12}>
    <Text truncate>
      {mark && (
        <Text span fw={600} c="var(--mantine-color-accent-text)">
          {mark}{' '}
        </Text>
      )}
      {user.name}{' '}
      <Text span c="dimmed">
        {rightsWord(user)}
      </Text>
    </Text>
    <Button size="xs" variant="default" style={{ flex: 'none' }} aria-label={`${act}: ${user.name}`} onClick={onAct}>
      {act}
    </Button>
  </Group>
)
