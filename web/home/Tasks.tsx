import type { Workflow } from '@innkeeper/contract/workflows'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../kit/access/session.ts'
import { ErrorLine } from '../kit/frame/ErrorLine.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { ago } from '../kit/look/format.ts'
import { useNow } from '../kit/look/useNow.ts'
import { pathOf } from '../paths.ts'
import { stepOf } from '../shell/header/Tasks.tsx'
import { workflowsApi } from '../workflows/api.ts'
import { HomeRow } from './HomeRow.tsx'

const order = ['failed', 'waiting', 'running']
const SHOWN = 50

/** Stopped, waiting and running workflows: the person's own first, and among them those that need a decision. */
export function Tasks() {
  const now = useNow(10_000)
  const me = useSession().id
  const open = { status: order, itemsPerPage: SHOWN }
  const { data, error } = useQuery(workflowsApi.list.query(open))
  // a separate query, because own workflows may not be among the newest
  const own = useQuery(workflowsApi.list.query({ ...open, mine: 'true' }))
  const all = [...(own.data?.items ?? []), ...(data?.items ?? [])]
  const isMine = ({ startedById }: Workflow) => startedById === me
  const tasks = [...new Map(all.map((task) => [task.id, task])).values()].toSorted(
    (a, b) => Number(isMine(b)) - Number(isMine(a)) || order.indexOf(a.status) - order.indexOf(b.status),
  )
  const failed = tasks.filter(({ status }) => status === 'failed').length
  return (
    <Section
      title="Tasks"
      hint={
        failed === 1
          ? '1 has stopped and wants somebody'
          : failed
            ? `${failed} have stopped and want somebody`
            : undefined
      }
      pad={false}
    >
      {tasks.map((task) => (
        <HomeRow
          key={task.id}
          to={pathOf(task.subjectType, task.subjectId, task.subjectName)}
          name={task.subjectName}
          kind={isMine(task) ? task.title : `${task.title}, by ${task.holder}`}
          note={stepOf(task)}
          when={ago(task.startedAt, now)}
          state={task.status}
        />
      ))}
      {error && <ErrorLine error={error} />}
      {data && tasks.length === 0 && (
        <Text c="dimmed" p={14}>
          Nothing runs, and nothing wants somebody.
        </Text>
      )}
    </Section>
  )
}
