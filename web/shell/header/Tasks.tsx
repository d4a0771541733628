import type { Workflow } from '@innkeeper/contract/machines/workflows'
import { Anchor, Group, Popover, Progress, RingProgress, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { workflowsApi } from '../../machines/workflows/api.ts'
import { stepOf, summaryOf } from '../../machines/workflows/words.ts'
import { pathOf } from '../../paths.ts'
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
  const total = data?.total ?? 0
  const summary = error ? 'cannot be read' : summaryOf({ items: tasks, total })
  const share = running.length ? (100 * sum(running, 'done')) / Math.max(1, sum(running, 'count')) : 0
  const failed = tasks.some(({ status }) => status === 'failed')
  const count = running.length || total
  return (
    <Popover position="bottom-end" width={352} opened={opened} onChange={(now) => now || close()}>
      <Popover.Target>
        <UnstyledButton
          className={`${css.tray} thumb`}
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
        <ScrollArea.Autosize mah="min(480px, 70dvh)">
          {tasks.map((task) => (
            <Task key={task.id} task={task} close={close} />
          ))}
        </ScrollArea.Autosize>
        {tasks.length === 0 && (
          <Text c="dimmed" px={14} py={12}>
            {error ? error.message : 'Nothing runs, nothing waits for you.'}
          </Text>
        )}
        {total > MOST && (
          <Text c="dimmed" fz="xs" px={14} py={9}>
            The newest {MOST} of {total}
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

const sum = (tasks: Workflow[], key: 'done' | 'count') => tasks.reduce((total, task) => total + task[key], 0)
