import type { Roster, ShiftNote, ShiftTeam } from '@innkeeper/contract/planning/shifts/calls'
import { Text, Tooltip } from '@mantine/core'
import type { Lane } from '../../../kit/calendar/LaneGrid.tsx'
import { shiftTexts } from '../texts.ts'
import { hoursText } from '../words.ts'
import { hoursOf, type ShiftItem } from './items.ts'

interface Wanted {
  people: Roster['people']
  items: ReadonlyMap<number | null, ShiftItem[]>
  notes: readonly ShiftNote[]
  me: number
  from: string
  teams: readonly ShiftTeam[] | undefined
  /** Ids of people whose shifts have been read. */
  read: ReadonlySet<number>
}

const OPEN = 'open'
const none: ShiftItem[] = []

/** The order of rows: the current person first, or with teams by team, people without one last. */
export function inOrder<P extends { id: number }>(
  people: readonly P[],
  me: number,
  teams: readonly ShiftTeam[] | undefined,
): P[] {
  if (!teams) return people.toSorted((a, b) => Number(b.id === me) - Number(a.id === me))
  const names = teamNames(teams)
  const nameOf = ({ id }: P) => names.get(id) ?? '\uffff'
  return people.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
}

/** Name of the first team of each person. */
const teamNames = (teams: readonly ShiftTeam[] = []) =>
  new Map(teams.toReversed().flatMap(({ name, memberIds }) => memberIds.map((id) => [id, name])))

/** One row for each person, with weighted hours. Open shifts are the first row. */
export function lanesOf({ people, items, notes, me, from, teams, read }: Wanted): Lane<ShiftItem>[] {
  const names = teamNames(teams)
  const written = Map.groupBy(notes, ({ userId }) => userId)
  const lanes = people.map(({ id, name }) => {
    const theirs = items.get(id) ?? none
    return {
      ...{ id: String(id), name, items: theirs, isReading: !read.has(id) },
      hint: hintOf(id === me ? shiftTexts().you : names.get(id), written.get(id) ?? []),
      end: read.has(id) ? <span className="num">{hoursText(hoursOf(theirs, from))}</span> : '…',
    }
  })
  const open = items.get(null)
  return open ? [{ id: OPEN, name: shiftTexts().openShifts, items: open }, ...lanes] : lanes
}

/** Id of a row's person; undefined for the row of open shifts. */
export const personOf = (lane: string): number | undefined => (lane === OPEN ? undefined : Number(lane))

function hintOf(word: string | undefined, notes: readonly ShiftNote[]) {
  if (!notes.length) return word
  return (
    <Tooltip multiline maw={320} label={notes.map(({ date, content }) => `${date}: ${content}`).join('\n')}>
      <Text span fz={11} c="accent">
        {shiftTexts().notes(notes.length)}
      </Text>
    </Tooltip>
  )
}
