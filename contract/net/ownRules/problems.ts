/** Why a line of own rules is refused. */
export interface RuleProblem {
  line: number
  text: string
}

/** Longest text of own rules, in characters, and the longest line. */
export const MOST_RULES = 16_000
const MOST_LINE = 1000
const MOST_SHOWN = 5

/** `Line 3: … · Line 9: …`; undefined without a problem. */
export const problemsInWords = (problems: readonly RuleProblem[]): string | undefined =>
  problems.length
    ? problems
        .slice(0, MOST_SHOWN)
        .map(({ line, text }) => `Line ${line}: ${text}`)
        .join(' · ')
    : undefined

/** Problems of the text itself, before anybody reads its words. */
export function plainProblems(text: string): RuleProblem[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.length > MOST_LINE) return { line: i + 1, text: `is longer than ${MOST_LINE} characters` }
    if (/[^\P{C}\t]/u.test(line)) return { line: i + 1, text: 'has a character that no screen shows' }
    if (/innkeeper/i.test(line)) return { line: i + 1, text: 'names a part of Innkeeper' }
    return []
  })
}
