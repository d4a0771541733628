import type { Workflow } from '@innkeeper/contract/machines/workflows'
import { Anchor, Group, Popover, Progress, RingProgress, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../kit/access/session.ts'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { workflowsApi } from '../../machines/workflows/api.ts'
import { stepOf, summaryOf } from '../../machines/workflows/words.ts'
import { pathOf } from '../../paths.ts'
import { useFrameTexts } from '../texts.ts'
import css from './Header.module.css'

const MOST = 20

const open = { status: ['running', 'waiting', 'failed'], itemsPerPage: MOST }

/** The tray of the person's running, waiting and stopped workflows, kept live by hints; then those of other people. */
export function Tasks() {
  const [opened, { toggle, close }] = useDisclosure()
  const words = useFrameTexts()
  const mine = useQuery(workflowsApi.list.query({ ...open, mine: 'true' }))
  const tasks = mine.data?.items ?? []
  const running = tasks.filter(({ status }) => status === 'running')
  const total = mine.data?.total ?? 0
  const summary = mine.error ? words.unreadTasks : summaryOf({ items: tasks, total })
  const share = running.length ? (100 * sum(running, 'done')) / Math.max(1, sum(running, 'count')) : 0
  const failed = tasks.some(({ status }) => status === 'failed')
  const count = running.length || total
  return (
    <Popover position="bottom-end" width={352} opened={opened} onChange={(now) => now || close()}>
      <Popover.Target>
        <UnstyledButton
          className={`${css.tray} thumb`}
          aria-label={`${words.tasks} ${count || ''}: ${summary}`}
          aria-expanded={opened}
          onClick={toggle}
        >
          <RingProgress
            size={21}
            thickness={3}
            roundCaps
            rootColor={failed ? 'error.5' : 'var(--ink-line-strong)'}
            sections={share ? [{ value: share, color: 'info.5' }] : []}
            aria-hidden
          />
          {count > 0 && (
            <Text span fw={500} className="num" aria-hidden>
              {count}
            </Text>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={words.tasks}>
        <ScrollArea.Autosize mah="min(520px, 75dvh)">
          <Part title={words.yourTasks} hint={summary} tasks={tasks} total={total} close={close} />
          {tasks.length === 0 && (
            <Text c="dimmed" px={14} py={12}>
              {mine.error ? mine.error.message : words.noTasks}
            </Text>
          )}
          {opened && <OtherTasks close={close} />}
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Workflows that other people and schedules began. */
function OtherTasks({ close }: { close: () => void }) {
  const me = useSession().id
  const { data } = useQuery(workflowsApi.list.query(open))
  const others = data?.items.filter(({ startedById }) => startedById !== me) ?? []
  if (!others.length) return null
  return <Part title={useFrameTexts.now().otherTasks} tasks={others} total={others.length} close={close} />
}

interface PartProps {
  title: string
  hint?: string
  tasks: Workflow[]
  total: number
  close: () => void
}
const Part = ({ title, hint, tasks, total, close }: PartProps) => (
  <>
    <Group justify="space-between" px={14} h={40} className={css.part}>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" fz="xs">
        {hint}
      </Text>
    </Group>
    {tasks.map((task) => (
      <Task key={task.id} task={task} close={close} />
    ))}
    {total > MOST && (
      <Text c="dimmed" fz="xs" px={14} py={9}>
        {useFrameTexts.now().newest(MOST, total)}
      </Text>
    )}
  </>
)

function Task({ task, close }: { task: Workflow; close: () => void }) {
  const { colour, shape } = stateOf(task.status)
  const path = pathOf(task.subjectType, task.subjectId, task.subjectName)
  const body = (
    <>
      <Group mt={3}>
        <Glyph shape={shape} colour={colour} size={13} />
      </Group>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group justify="space-between" wrap="nowrap">
          <Mono truncate>{task.subjectName}</Mono>
          <Text c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }}>
            {task.title}
          </Text>
        </Group>
        <Text fz="xs" c={task.status === 'failed' ? 'var(--mantine-color-error-text)' : 'dimmed'}>
          {stepOf(task)}
        </Text>
        <Progress
          mt={6}
          size={3}
          value={(100 * task.done) / Math.max(1, task.count)}
          color={`${colour}.5`}
          aria-label={`${task.title} ${task.subjectName}`}
        />
      </div>
    </>
  )
  if (!path) return <div className={css.task}>{body}</div>
  return (
    <Anchor component={Link} to={path} className={css.task} onClick={close} underline="never">
      {body}
    </Anchor>
  )
}

const sum = (tasks: Workflow[], key: 'done' | 'count') => tasks.reduce((total, task) => total + task[key], 0)
