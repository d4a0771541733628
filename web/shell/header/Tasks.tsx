import type { Workflow } from '@innkeeper/contract/workflows'
import { Anchor, Group, Popover, Progress, RingProgress, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { pathOf } from '../../paths.ts'
import { workflowsApi } from '../../workflows/api.ts'
import css from './Header.module.css'

const MOST = 20

/** The tray of running, waiting and stopped workflows, kept live by hints. */
export function Tasks() {
  const [opened, { toggle, close }] = useDisclosure()
  const { data, error } = useQuery(
    workflowsApi.list.query({ status: ['running', 'waiting', 'failed'], itemsPerPage: MOST }),
  )
  const tasks = data?.items ?? []
  const running = tasks.filter(({ status }) => status === 'running')
  const summary = error ? 'cannot be read' : inWords(tasks)
  const share = running.length ? (100 * sum(running, 'done')) / Math.max(1, sum(running, 'count')) : 0
  const failed = tasks.some(({ status }) => status === 'failed')
  const count = running.length || tasks.length
  return (
    <Popover position="bottom-end" width={352} opened={opened} onChange={(now) => now || close()}>
      <Popover.Target>
        <UnstyledButton
          className={css.tray}
          aria-label={`Tasks ${count || ''}: ${summary}`}
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
      <Popover.Dropdown p={0} aria-label="Tasks">
        <Group justify="space-between" px={14} h={40} style={{ borderBottom: '1px solid var(--ink-line)' }}>
          <Text fw={600}>Tasks</Text>
          <Text c="dimmed" fz="xs">
            {summary}
          </Text>
        </Group>
        {tasks.map((task) => (
          <Task key={task.id} task={task} close={close} />
        ))}
        {tasks.length === 0 && (
          <Text c="dimmed" px={14} py={12}>
            {error ? error.message : 'Nothing runs, nothing waits for you.'}
          </Text>
        )}
        {data && data.total > MOST && (
          <Text c="dimmed" fz="xs" px={14} py={9}>
            The newest {MOST} of {data.total}
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

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

export function stepOf({ status, current, waitsFor, done, count }: Workflow): string {
  if (status === 'failed') return current ? `Failed at ${current}` : 'Failed'
  if (status === 'waiting') return waitsFor ?? 'Waits'
  return current ? `${current}, ${Math.min(done + 1, count)} of ${count}` : `${done} of ${count}`
}

const sum = (tasks: Workflow[], key: 'done' | 'count') => tasks.reduce((total, task) => total + task[key], 0)

function inWords(tasks: Workflow[]): string {
  const parts = (['running', 'waiting', 'failed'] as const).flatMap((status) => {
    const n = tasks.filter((task) => task.status === status).length
    return n ? [`${n} ${status}`] : []
  })
  return parts.join(', ') || 'none'
}
