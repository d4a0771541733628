import type { Action, ActionType } from '@innkeeper/contract/machines/workflows'
import { Collapse, Group, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ActButton } from '../look/ActButton.tsx'
import { Glyph } from '../look/Glyph.tsx'
import { Linkified } from '../look/Linkified.tsx'
import { Mono } from '../look/Mono.tsx'
import { stateOf } from '../look/stateWords.ts'
import { useNow } from '../look/useNow.ts'
import css from './ActionList.module.css'
import { askFor, heldUp, isStopped, timeOf, type Verb, verbsOf } from './actions.ts'
import { type LinesQuery, OutputLines } from './OutputLines.tsx'

interface Props {
  actions: readonly Action[]
  /** Query of an action's agent output, from `workflowsApi.output.query(…)`. */
  lines: (action: Action) => LinesQuery
  onAct: (action: Action, type: ActionType, reason: string) => Promise<unknown>
  /** The action before which the workflow is paused. */
  held?: Action
  /** Why the workflow cannot be rolled back any more. */
  noWayBack?: string | undefined
  /** Why a stopped action cannot be handled: a missing scope. */
  reason?: string
  /** Further buttons of a stopped action. */
  further?: (action: Action) => ReactNode
}

/** The actions of a workflow, one line each; expandable if an action has output or needs a decision. */
export function ActionList(props: Props) {
  const now = useNow(props.actions.some(({ status }) => status === 'running') && 1000)
  return (
    <ol className={css.list}>
      {props.actions.map((action) => (
        <Row key={action.id} {...props} action={action} now={now} />
      ))}
    </ol>
  )
}

function Row({ action, now, ...props }: Props & { action: Action; now: Date }) {
  const stopped = isStopped(action)
  const live = action.status === 'running' || stopped || action.id === props.held?.id
  const [chosen, setChosen] = useState<boolean>()
  const open = chosen ?? live
  const { colour, shape } = stateOf(action.status)
  const { attempt, reason, serverName, title, status, what } = action
  return (
    <li className={css.row} data-live={live ? colour : undefined} data-state={status}>
      <UnstyledButton className={css.line} onClick={() => setChosen(!open)} aria-expanded={open}>
        <span className={css.mark}>
          <Glyph shape={shape} colour={colour} size={14} />
        </span>
        <span className={css.text}>
          <span className={css.title}>{title}</span>
          {!open && <span className={css.what}>{status === 'skipped' && reason ? reason : what}</span>}
        </span>
        <span className={`num ${css.time}`}>{timeOf(action, now)}</span>
        {open ? <IconChevronDown size={13} opacity={0.55} /> : <IconChevronRight size={13} opacity={0.4} />}
      </UnstyledButton>
      <Collapse expanded={open} transitionDuration={120}>
        <div className={css.body}>
          <Text c="dimmed" fz="xs">
            {what && `${what}. `}
            {serverName && (
              <>
                On <Mono>{serverName}</Mono>
              </>
            )}
            {attempt > 1 && `, attempt ${attempt}`}
          </Text>
          {reason && (
            <Text className={css.reason} c={stopped ? `var(--mantine-color-${colour}-text)` : 'dimmed'}>
              <Linkified text={reason} />
            </Text>
          )}
          {open && <OutputLines query={props.lines(action)} live={status === 'running'} />}
          <Verbs action={action} {...props} />
          {open && stopped && props.further?.(action)}
        </div>
      </Collapse>
    </li>
  )
}

function Verbs({ action, actions, held, onAct, noWayBack, reason }: Props & { action: Action }) {
  const [busy, setBusy] = useState<ActionType>()
  const verbs = verbsOf(action, held)
  const blocks = heldUp(action, actions)
  if (!verbs.length) return null
  const act = async (verb: Verb) => {
    const why = await askFor(verb, action, actions)
    if (why === undefined) return
    setBusy(verb.type)
    await onAct(action, verb.type, why).finally(() => setBusy(undefined))
  }
  return (
    <>
      <Group gap={6} mt={10}>
        {verbs.map((verb) => (
          <ActButton
            key={verb.type}
            size="xs"
            variant={
              verb.type === 'retry' || verb.type === 'resume'
                ? 'filled'
                : verb.type === 'rollback'
                  ? 'subtle'
                  : 'default'
            }
            color={verb.type === 'rollback' ? 'error' : undefined}
            reason={reason ?? (verb.type === 'rollback' ? noWayBack : undefined)}
            loading={busy === verb.type}
            onClick={() => void act(verb)}
          >
            {verb.label}
          </ActButton>
        ))}
      </Group>
      {blocks.length > 0 && (
        <Text c="dimmed" fz="xs" mt={8}>
          Holds up {blocks.length}: {blocks.map(({ title }) => title).join(', ')}.
        </Text>
      )}
    </>
  )
}
