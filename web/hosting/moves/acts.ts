import type { Wanted } from '@innkeeper/contract/hosting/moves/calls'
import { type MigrationRow, phases } from '@innkeeper/contract/hosting/moves/shapes'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { movesApi } from './api.ts'

export interface MoveVerb {
  want: Wanted
  /** Ends with dots if a confirmation follows. */
  label: string
  danger?: true
  /** Whether the action applies to the move. */
  when: (move: MigrationRow) => boolean
}

const is =
  (...statuses: MigrationRow['status'][]) =>
  ({ status }: MigrationRow) =>
    statuses.includes(status)

/** Whether a move is scheduled and has not begun. Members of a group have no time of their own. */
export const isPlanned = <M extends MigrationRow>(move: M): move is M & { beginsAt: string } =>
  move.status === 'waiting' && move.beginsAt !== null && move.parentId === null

/** Visitors write on the new server: the stopped action offers what remains. */
const hasCutOver = ({ phase }: MigrationRow) => phases.indexOf(phase) > phases.indexOf('cutover')

/** Actions on a whole move; decisions about a single action are shown with that action. */
export const moveVerbs: readonly MoveVerb[] = [
  { want: 'pause', label: 'Pause', when: is('running') },
  {
    want: 'resume',
    label: 'Resume',
    when: (move) => is('paused')(move) || (move.type === 'group' && is('failed')(move)),
  },
  { want: 'rollback', label: 'Cancel…', danger: true, when: isPlanned },
  { want: 'retire', label: 'Retire now…', danger: true, when: is('soaking') },
  {
    want: 'rollback',
    label: 'Roll back…',
    danger: true,
    when: (move) =>
      is('soaking')(move) || (is('paused', 'failed')(move) && (move.type === 'group' || !hasCutOver(move))),
  },
]

const questions: Partial<Record<Wanted, (move: MigrationRow) => { title: string; text: string; verb: string }>> = {
  retire: ({ domain, sourceServerName }) => ({
    title: `Retire the files of ${domain} on ${sourceServerName}?`,
    text: `${sourceServerName} stops forwarding, and its files go into its trash. After that the move cannot be rolled back.`,
    verb: 'Retire now',
  }),
  rollback: (move) => {
    const { type, domain, status, sourceServerName, targetServerName } = move
    const what = type === 'group' ? `the group of ${domain}` : domain
    if (isPlanned(move))
      return {
        title: `Cancel the move of ${what}?`,
        text: `Nothing has been moved: ${what} stays on ${sourceServerName}.`,
        verb: 'Cancel the move',
      }
    return {
      title: `Roll back the move of ${what}?`,
      text:
        type === 'group'
          ? `Websites that have moved go back from ${targetServerName} to ${sourceServerName}, the last one first, with what was written since. The others stay there.`
          : status === 'soaking'
            ? `The website moves back from ${targetServerName} to ${sourceServerName}, with everything written since. Visitors read that it is moving while the latest changes are copied.`
            : `All changes on ${targetServerName} are undone, last first. ${domain} is served by ${sourceServerName} as before.`,
      verb: 'Roll back',
    }
  },
}

/** Asks for confirmation of destructive actions and shows a refusal. */
export async function perform(move: MigrationRow, { want, danger }: MoveVerb): Promise<void> {
  const question = questions[want]?.(move)
  if (question && !(await confirm({ ...question, danger: danger ?? false }))) return
  const { id, version, domain } = move
  const done = await attempt(() => movesApi.update({ id, want, version }), ['moves', 'workflows', 'websites'])
  if (done) toast.info(told[want](domain))
}

const told: Record<Wanted, (domain: string) => string> = {
  pause: (domain) => `${domain}: what runs ends, nothing more begins`,
  resume: (domain) => `The move of ${domain} continues`,
  rollback: (domain) => `${domain} goes back`,
  retire: (domain) => `Removing the files of ${domain} on the old server`,
}
