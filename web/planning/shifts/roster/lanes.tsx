import type { Roster, ShiftNote, ShiftTeam } from '@innkeeper/contract/planning/shifts/calls'
import { Text, Tooltip } from '@mantine/core'
import type { Lane } from '../../../kit/calendar/LaneGrid.tsx'
import { hoursText } from '../words.ts'
import { hoursOf, type ShiftItem } from './items.ts'

interface Wanted {
  people: Roster['people']
  items: ReadonlyMap<number | null, ShiftItem[]>
  notes: readonly ShiftNote[]
  me: number
  from: string
  /** Groups rows by team, with people without a team last. */
  teams: readonly ShiftTeam[] | undefined
}

const OPEN = 'open'
const none: ShiftItem[] = []

/** A row per person with weighted hours, the current person first; open shifts are above all. */
export function lanesOf({ people, items, notes, me, from, teams }: Wanted): Lane<ShiftItem>[] {
  const teamOf = (id: number) => teams?.find(({ memberIds }) => memberIds.includes(id))?.name
  const lanes = people.map((person) => {
    const theirs = items.get(person.id) ?? none
    const written = notes.filter(({ userId }) => userId === person.id)
    return {
      id: String(person.id),
      name: person.name,
      team: teamOf(person.id),
      isMine: person.id === me,
      items: theirs,
      hint: hintOf(person.id === me ? 'you' : teamOf(person.id), written),
      end: <span className="num">{hoursText(hoursOf(theirs, from))}</span>,
    }
  })
  const sorted = teams
    ? lanes.toSorted((a, b) => (a.team ?? '\uffff').localeCompare(b.team ?? '\uffff'))
    : lanes.toSorted((a, b) => Number(b.isMine) - Number(a.isMine))
  const open = items.get(null)
  return open ? [{ id: OPEN, name: 'Open shifts', items: open }, ...sorted] : sorted
}

/** Id of a row's person; undefined for the row of open shifts. */
export const personOf = (lane: string): number | undefined => (lane === OPEN ? undefined : Number(lane))

function hintOf(word: string | undefined, notes: readonly ShiftNote[]) {
  if (!notes.length) return word
  return (
    <Tooltip multiline maw={320} label={notes.map(({ date, content }) => `${date}: ${content}`).join('\n')}>
      <Text span fz={11} c="accent">
        {notes.length === 1 ? '1 note' : `${notes.length} notes`}
      </Text>
    </Tooltip>
  )
}
