import type { Workflow } from '@innkeeper/contract/machines/workflows'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../kit/access/session.ts'
import { Block } from '../../kit/home/Block.tsx'
import { BlockRow } from '../../kit/home/BlockRow.tsx'
import { ago } from '../../kit/look/format.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { pathOf } from '../../paths.ts'
import { workflowsApi } from './api.ts'
import { stepOf, summaryOf } from './words.ts'

const order = ['failed', 'waiting', 'running']
const SHOWN = 50

/** Stopped, waiting and running workflows: the person's own first, and among them those that need a decision. */
export default function TasksBlock() {
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
  return (
    <Block
      hint={data && summaryOf(data)}
      error={error}
      rows={
        data &&
        tasks.map((task) => (
          <BlockRow
            key={task.id}
            to={pathOf(task.subjectType, task.subjectId, task.subjectName)}
            name={task.subjectName}
            kind={isMine(task) ? task.title : `${task.title}, by ${task.holder}`}
            note={stepOf(task)}
            when={ago(task.startedAt, now)}
            state={task.status}
          />
        ))
      }
      empty="No workflow runs or waits for a decision."
    />
  )
}
