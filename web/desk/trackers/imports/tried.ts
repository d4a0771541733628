import { type ImportField, importFields } from '@innkeeper/contract/desk/trackers/values'
import { counted } from '../../../kit/look/format.ts'
import type { apiOf } from '../api.ts'

/** What an import did, or, tried without a trace, would do. */
export type Tried = Awaited<ReturnType<ReturnType<typeof apiOf>['import']>>
/** A noun for one item and for many. */
type Noun = readonly [one: string, many: string]

/** The fields of all columns after another choice for one of them; a field that nobody knows leaves the column out. */
export const withField = (columns: Tried['columns'], at: number, chosen: string | null): (ImportField | null)[] =>
  columns.map(({ field }, n) => (n === at ? (importFields.find((one) => one === chosen) ?? null) : field))

export function summaryOf({ hasTitle, added, updated, known, leftOut }: Tried, noun: Noun): string {
  if (!hasTitle) return 'No column contains titles yet: choose one below.'
  return `${counted(added, noun)} will be added, ${updated} changed, ${known} left as they are, ${counted(leftOut, ['line', 'lines'])} left out.`
}

interface Report {
  title: string
  lines: string[]
}
const inLines = (lines: number) => counted(lines, ['line', 'lines'])

/** What the file loses or changes on its way, without what is empty. */
export const reportsOf = ({ refused, leftOut, continued, mapped, unknown }: Tried): Report[] =>
  [
    {
      title: 'Left out',
      lines: [
        ...refused.map(({ line, reason }) => `Line ${line}: ${reason}`),
        ...(leftOut > refused.length ? [`and ${leftOut - refused.length} more`] : []),
      ],
    },
    {
      title: 'Longer than their field: the rest is in the description or a comment',
      lines: continued.map(({ field, lines }) => `${field}, ${inLines(lines)}`),
    },
    {
      title: 'Read as ours',
      lines: mapped.map(({ field, value, as, lines }) => `${field} ${value} as ${as}, ${inLines(lines)}`),
    },
    {
      title: 'Unknown or further values, which are not taken over',
      lines: unknown.map(({ field, value, lines }) => `${field} ${value}, ${inLines(lines)}`),
    },
  ].filter(({ lines }) => lines.length > 0)

/** Why a file cannot be imported as it was tried last; undefined: it can. */
export function whyNot({ added, updated }: Tried, isTrying: boolean): string | undefined {
  if (isTrying) return 'The file is being tried with your last choice.'
  return added + updated === 0 ? 'Nothing is new or changed.' : undefined
}
